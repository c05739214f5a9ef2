internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// When the pages of SQLite's write-ahead log are moved into the file.
///
/// SQLite does that within the commit that makes the log long, and whoever asked for that one waits for two fsyncs and some
/// hundred pages that others wrote, 4 to 11 ms. Here it is put off until somebody says that nobody waits for the commit
/// (`moveIfDue`), and done as SQLite does it where nobody says so for long.
final class WriteAheadLog: Sendable {
    /// Pages that no checkpoint has moved, as of the last commit.
    private let pages = Atomic(0)
    private let due = Atomic(StorageLimits.logPagesDue)
    private let most = Atomic(StorageLimits.logPagesMost)
    private let turn = Mutex(())

    /// Takes the place of `sqlite3_wal_autocheckpoint` on the one connection that writes; the log has to outlive its last commit.
    func watch(_ db: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
                log.pages.store(Int(pages), ordering: .relaxed)
                if Int(pages) >= log.most.load(ordering: .relaxed) { log.move(connection, name) }
                return SQLITE_OK
            },
            context
        )
    }

    /// Within a commit. A failure is none of its own, and the next one tries again; nor does it wait for somebody else who moves
    /// pages, unless the log may be no longer.
    private func move(_ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?) {
        if due.load(ordering: .relaxed) >= most.load(ordering: .relaxed) {
            alone { _ = sqlite3_wal_checkpoint(connection, name) }
        } else {
            turn.withLockIfAvailable { _ in _ = sqlite3_wal_checkpoint(connection, name) }
        }
    }

    /// Moves them within the commit that brings so many, and never later.
    func bound(_ pages: Int) {
        due.store(pages, ordering: .relaxed)
        most.store(pages, ordering: .relaxed)
    }

    /// One connection at a time: SQLite does not let the second wait, and what an erasure leaves in the log would stay there.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        try turn.withLock { _ in try body() }
    }

    /// Moves what is there if it is much; outside a transaction.
    func moveIfDue(_ db: Database) {
        guard isDue else { return }
        alone { _ = sqlite3_wal_checkpoint(db.sqliteConnection, nil) }
        // What a reader kept from being moved, the next commit counts again.
        pages.store(0, ordering: .relaxed)
    }

    var isDue: Bool { waiting >= due.load(ordering: .relaxed) }
    /// So many pages wait.
    var waiting: Int { pages.load(ordering: .relaxed) }
}
