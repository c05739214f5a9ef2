#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Transport

/// The program for long output: `$PAGER`, else `less -FRX` if there is one.
struct Pager: Equatable, Sendable {
    let script: String
    private let environment: Environment

    enum Showing: Equatable, Sendable {
        case shown
        /// The program does not exist: nothing was shown.
        case notStarted
    }

    /// Nil if there is no pager, or it would only copy (`cat`, `TERM=dumb`).
    init?(environment: Environment) {
        if environment["TERM"] == "dumb" { return nil }
        if let chosen = environment["PAGER"] {
            if chosen == "cat" { return nil }
            script = chosen
        } else {
            guard environment.variables["PAGER"] == nil, Pager.isInstalled("less", environment) else { return nil }
            script = "less -FRX"
        }
        var variables = environment.variables
        // A chosen pager is mostly `less` too, which would print our colours as `ESC[1m`.
        if environment["LESS"] == nil { variables["LESS"] = "FRX" }
        self.environment = Environment(variables, illegible: environment.illegible)
    }

    /// Shows the bytes, and waits until the person leaves the pager.
    func show(_ bytes: [UInt8]) -> Showing {
        // The pager inherits neither end: with the write end of its own pipe it would never see the end.
        guard let pipe = try? OpenPipe() else { return .notStarted }
        let ending: ChildProcess.Ending? = ChildProcess.ignoringInterrupts {
            let child = ChildProcess(
                script: script,
                arguments: [],
                environment: environment,
                standardInput: pipe.reading
            )
            close(pipe.reading)
            // A person who leaves the pager early closes the pipe, which is no error.
            if child != nil { _ = Descriptor(number: pipe.writing).write(bytes) }
            close(pipe.writing)
            return child?.wait()
        }
        switch ending {
        case nil, .exited(126), .exited(127): return .notStarted
        case .exited, .signalled: return .shown
        }
    }

    private static func isInstalled(_ name: String, _ environment: Environment) -> Bool {
        (environment["PATH"] ?? "").split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }
}
