#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Runs a system program from `PATH` to its end: `systemctl`, `loginctl`.
enum SystemTool {
    enum Outcome: Equatable {
        case absent
        /// The exit code, and the output of both streams.
        case ended(code: Int32, text: String)

        /// The output if the exit code is 0.
        var success: String? {
            switch self {
            case .ended(0, let text): text
            case .ended, .absent: nil
            }
        }
    }

    /// Output kept at most: more is of no use to a person.
    private static let outputBytesAtMost = 65_536

    static func run(_ words: [String], environment: Environment) -> Outcome {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .absent }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let child = ChildProcess(
            script: "exec \"$@\" 2>&1",
            arguments: words,
            environment: environment,
            standardInput: nothing,
            standardOutput: ends[1]
        )
        close(ends[1])
        if nothing >= 0 { close(nothing) }
        defer { close(ends[0]) }
        guard let child else { return .absent }
        let text = all(from: ends[0])
        switch child.wait() {
        // A shell's exit codes for a command that may not be run, or is not found.
        case .exited(126), .exited(127): return .absent
        case .exited(let code): return .ended(code: code, text: text)
        case .signalled: return .ended(code: 1, text: text)
        }
    }

    private static func all(from descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            if bytes.count < outputBytesAtMost { bytes += buffer.prefix(count) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
