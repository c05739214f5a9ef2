#if canImport(Glibc)
    import Glibc
#endif

/// The scheduling policy of this process.
enum SchedulingPolicy {
    /// Runs only on an idle core: any other thread that wakes there preempts it at once, which no niceness gives.
    case idle

    /// Linux's `SCHED_IDLE`, which the C library exports to C alone.
    private static let idleNumber: CInt = 5

    /// Applies to the calling thread, and is inherited by the threads that it starts. Linux only (sched(7)).
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
