internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Moves the write-ahead log into the file, on a connection of its own.
///
/// SQLite by itself does that within the commit by which the log has become long: a thousand pages, written all over the file,
/// and two waits for the disk, for which whoever writes next has to wait too. A checkpoint of the passive kind takes no lock
/// that a writer or a reader needs, so it may as well run on another thread. SQLite begins the log anew only when nothing is
/// left in it: the little that was committed meanwhile is moved between two transactions.
final class Checkpoints: Sendable {
    private let path: String
    private let length: LogLength
    /// Opened when it is first needed; empty once the store is closed.
    private let connection: Mutex<Opening>

    private enum Opening {
        case unopened
        case open(DatabaseQueue)
        case closed
    }

    init(_ path: String, _ length: LogLength) {
        self.path = path
        self.length = length
        connection = Mutex(.unopened)
    }

    /// Whether the log has grown by enough since it was moved last.
    var areDue: Bool { length.isDue }

    /// Moves what is in the log. What a reader still needs stays there, and goes the next time.
    func perform(for writer: any DatabaseWriter) {
        let rest = connection.withLock { opening in
            if case .unopened = opening, let queue = try? Connection.checkpointer(at: path) { opening = .open(queue) }
            guard case .open(let queue) = opening else { return nil as Int? }
            return try? Self.move(queue)
        }
        if let rest, rest > 0 { _ = try? Self.move(writer) }
        length.rest()
    }

    /// Runs `body` while nothing is moved: its own checkpoint finds nobody in the way.
    func pause<Result>(_ body: () throws -> Result) rethrows -> Result {
        try connection.withLock { _ in try body() }
    }

    func close() {
        connection.withLock { opening in
            if case .open(let queue) = opening { try? queue.close() }
            opening = .closed
        }
    }

    /// - Returns: the pages that are left.
    private static func move(_ writer: any DatabaseWriter) throws -> Int {
        try writer.writeWithoutTransaction { db in
            try Prepared(db, "PRAGMA wal_checkpoint(PASSIVE)").first { $0.count(1) - $0.count(2) } ?? 0
        }
    }
}

/// How long the write-ahead log is, in pages.
final class LogLength: Sendable {
    private struct State {
        var pages = 0
        /// The length at which it was moved last.
        var moved = 0
        var bound = StorageLimits.logPages
    }

    private let state = Mutex(State())

    /// From this length on each commit moves the log by itself, as with `wal_autocheckpoint`: nobody else did.
    var bound: Int {
        get { state.withLock { $0.bound } }
        set { state.withLock { $0.bound = newValue } }
    }

    /// Whether it has grown by half of that.
    var isDue: Bool { state.withLock { $0.pages - $0.moved > $0.bound / 2 } }

    /// It is not due before it has grown again.
    func rest() {
        state.withLock { $0.moved = $0.pages }
    }

    private enum Growth {
        case withinBound
        case reachesBound
    }

    /// A commit left the log so long.
    private func note(_ pages: Int) -> Growth {
        state.withLock { state in
            // It was begun anew.
            if pages < state.pages { state.moved = 0 }
            state.pages = pages
            return pages >= state.bound ? .reachesBound : .withinBound
        }
    }

    /// Learns of every commit of a connection (`sqlite3_wal_hook`), which has to go before this.
    func follow(_ db: Database) {
        // Takes the place of SQLite's own, which is what `wal_autocheckpoint` sets.
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let length = Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue()
                if case .reachesBound = length.note(Int(pages)) {
                    // What comes of it is no matter of the commit, which is done; the next one tries again.
                    sqlite3_wal_checkpoint_v2(connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
