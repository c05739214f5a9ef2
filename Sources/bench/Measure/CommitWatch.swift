import Foundation
import Transport

/// Detects commits of a running node at a hundredth of the cost of a query, and sleeps while nothing is written.
///
/// Polling takes a core away from what is measured, and more than it uses: a core that is woken each tenth of a
/// millisecond does not get threads that wait for the other one (Linux, `newidle_balance`), so that of two threads one
/// runs behind the other. SQLite writes to the write-ahead log just before each commit, which inotify(7) reports; the
/// first bytes of the WAL index, its header twice, change with the commit ("The WAL-Index File Format",
/// sqlite.org/walformat.html).
final class CommitWatch {
    private static let headerBytes = 96
    /// A commit follows its last write within this time, unless it waits for fsync.
    private static let commitSeconds = 0.001
    private static let lookMicroseconds: UInt32 = 20
    /// Poll interval for a commit later than that.
    private static let lateMilliseconds = 2.0
    /// Time after a write within which such a late commit is expected.
    private static let lateSeconds = 0.05
    /// Poll interval without a reported write.
    private static let blindMilliseconds = 100.0

    private let file: Int32
    private let events: Int32
    private var seen: [UInt8] = []
    /// When a write was last reported.
    private var written = -Double.infinity

    /// Watches the store at this path, which a node has open; to be waited for on the calling thread, whose timers
    /// become exact.
    init(_ store: String) throws {
        TimerSlack.set(nanoseconds: 1)
        file = open(store + "-shm", O_RDONLY | O_CLOEXEC)
        events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard file >= 0, events >= 0, inotify_add_watch(events, store + "-wal", UInt32(IN_MODIFY)) >= 0 else {
            throw BenchError("the log of the node's database cannot be watched")
        }
        _ = hasCommitted()
    }

    deinit {
        TimerSlack.reset()
        close(file)
        close(events)
    }

    /// Does not count the writes and commits so far.
    func forget() {
        written = -.infinity
        drain()
        _ = hasCommitted()
    }

    /// Returns at the next commit, at once if there was one since the last call; false: the deadline has passed.
    func wait(until deadline: Double) -> Bool {
        var answered: Double?
        return wait(until: deadline, answer: -1, &answered) != nil
    }

    /// Returns the moment of the next commit, now if there was one since the last call; nil: the deadline has passed.
    ///
    /// Notes in `answered` when there is first something to read from the descriptor `answer`, unless that is negative.
    func wait(until deadline: Double, answer: Int32, _ answered: inout Double?) -> Double? {
        while true {
            let now = Stopwatch.now()
            guard now < deadline else { return nil }
            if hasCommitted() { return Stopwatch.now() }
            let patience = now - written < Self.lateSeconds ? Self.lateMilliseconds : Self.blindMilliseconds
            // poll(2) passes over a negative descriptor.
            var items = [
                pollfd(fd: events, events: Int16(POLLIN), revents: 0),
                pollfd(fd: answered == nil ? answer : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&items, 2, Int32(min((deadline - now) * 1_000 + 1, patience))) > 0 else { continue }
            if items[1].revents != 0 { answered = Stopwatch.now() }
            guard items[0].revents != 0 else { continue }
            written = Stopwatch.now()
            while Stopwatch.now() < written + Self.commitSeconds {
                // Sleeps before anything else: the thread that commits may wait for this core.
                usleep(Self.lookMicroseconds)
                if drain() { written = Stopwatch.now() }
                if hasCommitted() { return Stopwatch.now() }
            }
        }
    }

    /// Whether there was a commit since the last look.
    func hasCommitted() -> Bool {
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        let count = pread(file, &header, Self.headerBytes, 0)
        defer { seen = header }
        return count != Self.headerBytes || header != seen
    }

    /// True if something was written since the last call.
    @discardableResult
    private func drain() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var isThere = false
        while read(events, &bytes, bytes.count) > 0 { isThere = true }
        return isThere
    }
}
