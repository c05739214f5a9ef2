#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The machine's wall clock.
package enum WallTime {
    /// Unix milliseconds (`clock_gettime`, CLOCK_REALTIME); 0 if the clock is set before 1970.
    package static var now: UInt64 {
        var time = timespec()
        guard clock_gettime(CLOCK_REALTIME, &time) == 0, time.tv_sec >= 0 else { return 0 }
        return UInt64(clamping: time.tv_sec).multipliedReportingOverflow(by: 1_000).partialValue
            &+ UInt64(clamping: time.tv_nsec / 1_000_000)
    }
}
