import Foundation

/// A one-line description of the machine.
enum Machine {
    static var description: String {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let memory = (Double(ProcessInfo.processInfo.physicalMemory) / 1e9).rounded()
        let processor = value("model name", in: "/proc/cpuinfo", after: ":") ?? "an unknown processor"
        let system = value("PRETTY_NAME", in: "/etc/os-release", after: "=") ?? "an unknown system"
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        return "\(cores) cores of \(processor), \(Int(memory)) GB of memory, \(system), Linux "
            + kernel.trimmingCharacters(in: .whitespacesAndNewlines)
            + ", SQLite \(SQLiteFile.version)"
    }

    /// The heading of a table: day, machine, load.
    static var heading: String {
        "Measured on \(date) on \(description). Load of the minute before the end: \(load)."
    }

    /// The day, UTC.
    static var date: String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withFullDate]
        return formatter.string(from: Date())
    }

    /// The one-minute load average, which shows other load on the machine.
    static var load: Double {
        let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        return text.split(separator: " ").first.flatMap { Double($0) } ?? .nan
    }

    private static func value(_ name: String, in file: String, after sign: Character) -> String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) }),
            let place = line.firstIndex(of: sign)
        else { return nil }
        return line[line.index(after: place)...].trimmingCharacters(in: CharacterSet(charactersIn: " \""))
    }
}
