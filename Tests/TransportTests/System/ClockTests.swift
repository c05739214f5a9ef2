import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A clock may stand anywhere, and so may the time of a file.
struct ClockTests {
    private func moment(_ seconds: Int, _ nanoseconds: Int = 0) -> timespec {
        timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    }

    @Test func `A time has its milliseconds and microseconds`() {
        #expect(moment(2, 3_456_789).milliseconds == 2_003)
        #expect(moment(2, 3_456_789).microseconds == 2_003_456)
        #expect(moment(0, 999_999).milliseconds == 0)
    }

    /// The last of them is a million years ahead.
    @Test(arguments: [Int.max, Int.max / 1_000, Int.max / 1_000_000, Int.max / 1_000_000 + 1, 31_536_000_000_000])
    func `Whatever is too far ahead is as far as it goes`(seconds: Int) {
        for time in [moment(seconds), moment(seconds, 999_999_999)] {
            #expect(time.milliseconds >= UInt64(seconds) && time.milliseconds <= UInt64(Int.max))
            #expect(time.microseconds >= time.milliseconds && time.microseconds <= UInt64(Int.max))
        }
        #expect(moment(31_536_000_000_000).milliseconds == 31_536_000_000_000_000)
    }

    @Test(arguments: [-1, -2_000_000_000, Int.min / 1_000, Int.min])
    func `Before 1970 nothing is told`(seconds: Int) {
        #expect(moment(seconds).milliseconds == 0 && moment(seconds, 999_999_999).microseconds == 0)
    }
}
