#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How a signal was handled when the program started.
enum InheritedSignal {
    /// Whether whoever started the program had the signal ignored, as `nohup` does with SIGHUP and a shell with the
    /// SIGINT of what it starts in the background: it stays ignored.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
