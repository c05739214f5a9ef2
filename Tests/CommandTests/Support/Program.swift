import Foundation

/// The program that was built beside these tests.
enum ScurryProgram {
    /// The folder of the test runner's own executable.
    static let path: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let places = [runner, CommandLine.arguments.first ?? ""].filter { !$0.isEmpty }.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("scurry").path
        }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "scurry"
    }()

    /// Nothing of the machine: the same language, an own time zone, no pager, no colours but where a test asks.
    static func environment(home: String, _ more: [String: String] = [:]) -> [String: String] {
        var variables = [
            "SCURRY_HOME": home,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": home,
            // Beside the home, as on a machine: what is restored with a home does not bring it back.
            "XDG_STATE_HOME": home + "-state",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TZ": noonZone,
            "COLUMNS": "80",
            "PAGER": "cat",
        ]
        for (name, value) in sanitizing.merging(more, uniquingKeysWith: { $1 }) { variables[name] = value }
        return variables
    }

    /// What a program built with a sanitizer is told (`make sanitize`), as these tests are. Of ASan also that a library
    /// may come before it: some tests stand one before libc.
    private static let sanitizing: [String: String] = {
        var variables: [String: String] = [:]
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
            guard let options = ProcessInfo.processInfo.environment[name] else { continue }
            variables[name] = name == "ASAN_OPTIONS" ? options + ":verify_asan_link_order=0" : options
        }
        return variables
    }()

    /// A time zone where it is about noon: no test crosses midnight.
    static let noonZone: String = {
        let hour = (Int(Date().timeIntervalSince1970) / 3600) % 24
        let offset = hour - 12
        // POSIX counts west of Greenwich as positive.
        return offset >= 0 ? "NOON+\(offset)" : "NOON\(offset)"
    }()
}
