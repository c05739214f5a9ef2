#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Transport

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
        guard let pipe = try? OpenPipe() else { return .absent }
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let child = ChildProcess(
            script: "exec \"$@\" 2>&1",
            arguments: words,
            environment: environment,
            standardInput: nothing,
            standardOutput: pipe.writing
        )
        close(pipe.writing)
        if nothing >= 0 { close(nothing) }
        defer { close(pipe.reading) }
        guard let child else { return .absent }
        let text = all(from: Descriptor(number: pipe.reading))
        switch child.wait() {
        // A shell's exit codes for a command that may not be run, or is not found.
        case .exited(126), .exited(127): return .absent
        case .exited(let code): return .ended(code: code, text: text)
        case .signalled: return .ended(code: 1, text: text)
        }
    }

    private static func all(from descriptor: Descriptor) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = buffer.withUnsafeMutableBytes { descriptor.read(into: $0) }
            guard count > 0 else { break }
            if bytes.count < outputBytesAtMost { bytes += buffer.prefix(count) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
