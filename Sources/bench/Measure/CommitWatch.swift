import Foundation
import Transport

/// Notices that a running node has committed something, for a hundredth of what a question to its database costs, and sleeps
/// while nothing is written.
///
/// Whoever asks every moment takes a core away from what is measured, and more than it takes: a core that is woken each tenth of a
/// millisecond is not given what waits for the other one (Linux, `newidle_balance`), so that of two threads one runs behind the
/// other. SQLite writes to the write-ahead log just before each commit, which inotify(7) tells; the first bytes of the index
/// beside the log, its header twice, change with the commit ("The WAL-Index File Format", sqlite.org/walformat.html).
final class CommitWatch {
    private static let headerBytes = 96
    /// A commit follows its last write within this, but for one that waits for the disk.
    private static let commitSeconds = 0.001
    private static let lookMicroseconds: UInt32 = 20
    /// A commit that came later than that is noticed all the same, within this.
    private static let lateMilliseconds = 2.0
    /// Writes that bring no commit by then bring none.
    private static let lateSeconds = 0.05
    /// A commit of which no write was told, too.
    private static let blindMilliseconds = 100.0

    private let file: Int32
    private let events: Int32
    private var seen: [UInt8] = []

    /// Of the store at this path, which a node has opened.
    init(_ store: String) throws {
        file = open(store + "-shm", O_RDONLY | O_CLOEXEC)
        events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard file >= 0, events >= 0, inotify_add_watch(events, store + "-wal", UInt32(IN_MODIFY)) >= 0 else {
            throw BenchError("the log of the node's database cannot be watched")
        }
        _ = hasCommitted()
    }

    /// Linux lets a sleep be longer by this, 50 µs unless it is told otherwise: as much as is looked for here.
    private static func beExact() {
        // prctl(2) is not to be had from Swift; proc(5) has the same of each thread.
        guard let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
            let slack = FileHandle(forWritingAtPath: "/proc/\((thread as NSString).lastPathComponent)/timerslack_ns")
        else { return }
        try? slack.write(contentsOf: Data("1".utf8))
    }

    deinit {
        close(file)
        close(events)
    }

    /// Returns with the next commit that was not noticed yet, at once if there was one since; false: the deadline has passed.
    func wait(until deadline: Double) -> Bool {
        Self.beExact()
        var written = -Double.infinity
        while true {
            let now = Stopwatch.now()
            guard now < deadline else { return false }
            if hasCommitted() { return true }
            let patience = now - written < Self.lateSeconds ? Self.lateMilliseconds : Self.blindMilliseconds
            var item = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
            guard poll(&item, 1, Int32(min((deadline - now) * 1_000 + 1, patience))) > 0 else { continue }
            drain()
            written = Stopwatch.now()
            while Stopwatch.now() < written + Self.commitSeconds {
                if hasCommitted() { return true }
                usleep(Self.lookMicroseconds)
                if drain() { written = Stopwatch.now() }
            }
        }
    }

    private func hasCommitted() -> Bool {
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        let count = pread(file, &header, Self.headerBytes, 0)
        defer { seen = header }
        return count != Self.headerBytes || header != seen
    }

    /// True if something was written since the last time.
    @discardableResult
    private func drain() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var isThere = false
        while read(events, &bytes, bytes.count) > 0 { isThere = true }
        return isThere
    }
}
