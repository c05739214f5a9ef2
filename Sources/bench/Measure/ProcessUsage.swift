import Foundation

/// The resources that a process has used, as the kernel counts.
struct ProcessUsage: Sendable {
    /// User and system time so far.
    let cpuSeconds: Double
    /// Peak resident memory (`VmHWM`).
    let peakMegabytes: Double

    /// Reads `/proc/PID`; throws if the process is gone.
    static func of(_ process: Int32) throws -> ProcessUsage {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name, in parentheses, may contain spaces: fields are counted behind it. 14 and 15 are utime and stime.
        guard let close = stat.lastIndex(of: ")") else { throw BenchError("no times in /proc/\(process)/stat") }
        let fields = stat[stat.index(after: close)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchError("no times in /proc/\(process)/stat")
        }
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            .flatMap { Double($0.split(whereSeparator: \.isWhitespace)[1]) }
        return ProcessUsage(
            cpuSeconds: (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))),
            peakMegabytes: (peak ?? 0) / 1024
        )
    }
}

/// Bytes that crossed the loopback device, headers and acknowledgements included (`/proc/net/dev`).
///
/// All other traffic on the device is counted too: measure on a quiet machine.
enum Loopback {
    static func bytes() throws -> UInt64 {
        let table = try String(contentsOfFile: "/proc/net/dev", encoding: .utf8)
        for line in table.split(separator: "\n") {
            let fields = line.split(whereSeparator: { $0 == " " || $0 == ":" })
            if fields.first == "lo", fields.count > 1, let received = UInt64(fields[1]) { return received }
        }
        throw BenchError("no loopback device in /proc/net/dev")
    }
}

/// Memory of this process.
enum ProcessMemory {
    static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { throw BenchError("no memory in /proc/self/statm") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
