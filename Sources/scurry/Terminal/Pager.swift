#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
        self.environment = Environment(variables)
    }

    /// Shows the bytes, and waits until the person leaves the pager.
    func show(_ bytes: [UInt8]) -> Showing {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return .notStarted }
        // Otherwise the pager would inherit the write end of its own pipe, and never see the end.
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        let ending: ChildProcess.Ending? = ChildProcess.ignoringInterrupts {
            let child = ChildProcess(script: script, arguments: [], environment: environment, standardInput: ends[0])
            close(ends[0])
            // A person who leaves the pager early closes the pipe, which is no error.
            if child != nil { _ = Descriptor(number: ends[1]).write(bytes) }
            close(ends[1])
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
