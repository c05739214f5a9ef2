import Foundation

/// How late the calling thread's timers may be (proc(5)); Linux only, elsewhere nothing changes.
///
/// The default of 50 µs is as long as the times measured here. Setting it takes as long as a tenth of a live post, so
/// that is done before anything is measured. Threads and processes that are started meanwhile inherit it: it is reset
/// before another node is started, which would have better timers than it has for its users.
enum TimerSlack {
    static func set(nanoseconds: Int) { write(nanoseconds) }

    /// Back to the thread's default.
    static func reset() { write(0) }

    private static func write(_ nanoseconds: Int) {
        // prctl(2) is not available from Swift.
        guard let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
            let slack = FileHandle(forWritingAtPath: "/proc/\((thread as NSString).lastPathComponent)/timerslack_ns")
        else { return }
        try? slack.write(contentsOf: Data("\(nanoseconds)".utf8))
    }
}
