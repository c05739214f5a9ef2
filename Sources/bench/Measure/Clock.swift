import Foundation

/// Seconds on the monotonic clock.
enum Stopwatch {
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Processor seconds of this process so far.
    static func cpu() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Asks `isDone` every `microseconds` until it says yes; throws when the deadline has passed.
    static func wait(
        for what: String,
        seconds: Double,
        every microseconds: UInt32 = 2000,
        until isDone: () throws -> Bool
    ) throws {
        let deadline = now() + seconds
        while try !isDone() {
            guard now() < deadline else { throw BenchError("\(what) did not happen within \(Int(seconds)) s") }
            usleep(microseconds)
        }
    }
}
