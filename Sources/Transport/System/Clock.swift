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

    private static func milliseconds(_ clock: clockid_t) -> UInt64 { microseconds(clock) / 1_000 }

    private static func microseconds(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return 0 }
        return UInt64(clamping: Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1_000)
    }
}
