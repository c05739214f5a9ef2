package import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The machine's two clocks; only the shells read them, and pass the time to the cores.
package enum SystemClock {
    /// Both clocks now.
    package static var now: Moment {
        Moment(monotonicMilliseconds: monotonicMilliseconds, wallMilliseconds: wallMilliseconds)
    }

    /// Unix milliseconds; 0 if the clock is set before 1970.
    package static var wallMilliseconds: UInt64 { milliseconds(CLOCK_REALTIME) }

    /// Milliseconds of `CLOCK_MONOTONIC`; never goes back.
    package static var monotonicMilliseconds: UInt64 { milliseconds(CLOCK_MONOTONIC) }

    /// Microseconds of the same clock.
    package static var monotonicMicroseconds: UInt64 { microseconds(CLOCK_MONOTONIC) }

    private static func milliseconds(_ clock: clockid_t) -> UInt64 { time(of: clock)?.milliseconds ?? 0 }

    private static func microseconds(_ clock: clockid_t) -> UInt64 { time(of: clock)?.microseconds ?? 0 }

    private static func time(of clock: clockid_t) -> timespec? {
        var time = timespec()
        return clock_gettime(clock, &time) == 0 ? time : nil
    }
}

extension timespec {
    /// Unix milliseconds, if it is a time since 1970.
    var milliseconds: UInt64 { count(perSecond: 1_000) }

    var microseconds: UInt64 { count(perSecond: 1_000_000) }

    /// A wall clock, or a file's time, may stand anywhere: 0 below 0, and 2⁶³ − 1 at most, so that a span can be added.
    private func count(perSecond: Int) -> UInt64 {
        let (whole, isTooMuch) = Int(tv_sec).multipliedReportingOverflow(by: perSecond)
        let (sum, isTooMuchWithRest) = whole.addingReportingOverflow(Int(tv_nsec) / (1_000_000_000 / perSecond))
        if isTooMuch || isTooMuchWithRest { return tv_sec < 0 ? 0 : UInt64(Int.max) }
        return UInt64(clamping: sum)
    }
}
