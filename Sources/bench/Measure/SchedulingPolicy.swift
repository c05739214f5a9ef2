#if canImport(Glibc)
    import Glibc
#endif

/// When the system lets this process run.
enum SchedulingPolicy {
    /// While a core has nothing else to do: whoever else wakes there is let on at once, which no niceness gives.
    case idle

    /// `SCHED_IDLE` of Linux, which its C library shows to C alone.
    private static let idleNumber: CInt = 5

    /// For the thread that calls, and all that it and they begin. Linux only (sched(7)).
    func adopt() throws {
        #if canImport(Glibc)
            var parameters = sched_param()
            let outcome =
                switch self {
                case .idle: sched_setscheduler(0, Self.idleNumber, &parameters)
                }
            guard outcome == 0 else {
                throw BenchError("the system does not let this process give way: errno \(errno)")
            }
        #else
            throw BenchError("only on Linux a process can be told to give way: --competing")
        #endif
    }
}
