internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// Decides when SQLite's write-ahead log (WAL) is checkpointed.
///
/// SQLite does so within the commit that makes the WAL long, whose caller waits for two fsyncs and some hundred pages
/// that others wrote, 4 to 11 ms. Here the checkpoint is put off until a caller says that nobody waits for the commit
/// (`checkpointIfDue`), and runs within a commit, as in SQLite, if none says so for long.
final class WriteAheadLog: Sendable {
    /// Pages in the WAL as of the last commit; 0 after `checkpointIfDue`.
    private let pages = Atomic(0)
    /// Pages that the largest transaction since `takeLargest` wrote.
    private let largest = Atomic(0)
    /// Pages from which on a checkpoint is due.
    private let due = Atomic(StorageLimits.walPagesDue)
    /// Pages from which on a commit runs the checkpoint.
    private let most = Atomic(StorageLimits.walPagesMost)
    /// Held while one connection runs a checkpoint.
    private let turn = Mutex(())
    /// How the writing connection commits; nil: not set yet.
    private let durability = Mutex<Durability?>(nil)
    private let gathered = Mutex<GatheredWAL?>(nil)

    /// Replaces `sqlite3_wal_autocheckpoint` on the writing connection, whose last commit this object has to outlive.
    func watch(_ db: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = sqlite3_wal_hook(
            db.sqliteConnection,
            { context, connection, name, pages in
                guard let context else { return SQLITE_OK }
                let wal = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
                wal.pages.store(Int(pages), ordering: .relaxed)
                if Int(pages) >= wal.most.load(ordering: .relaxed) { wal.checkpoint(connection, name) }
                return SQLITE_OK
            },
            context
        )
    }

    /// Gathers what the writing connection's commits write from now on (`GatheredWAL`).
    func gather(_ db: Database) {
        let wal = GatheredWAL.gather(db)
        gathered.withLock { $0 = wal }
    }

    /// Runs a commit of the writing connection, on its thread.
    func committing(_ db: Database, _ commit: () throws -> Void) rethrows {
        if let gathered = gathered.withLock({ $0 }) { try gathered.committing(commit) } else { try commit() }
        largest.max(writtenPages(db), ordering: .relaxed)
    }

    /// The number of pages that the largest transaction wrote to the WAL since this was asked last; pages written anew
    /// within one transaction count each time.
    func takeLargest() -> Int { largest.exchange(0, ordering: .relaxed) }

    /// Pages that the writing connection wrote since it was asked last, those of a checkpoint aside.
    @discardableResult
    func writtenPages(_ db: Database) -> Int {
        var (present, highest) = (CInt(0), CInt(0))
        let code = sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &present, &highest, 1)
        return code == SQLITE_OK ? Int(present) : 0
    }

    /// Sets how the writing connection commits from now on, outside a transaction; nobody else sets it.
    ///
    /// SQLite executes the pragma while it parses it, and parses it anew each time, prepared or not.
    func keep(_ wanted: Durability, _ db: Database) throws {
        try durability.withLock { present in
            guard present != wanted else { return }
            present = nil
            switch wanted {
            case .durable: try Prepared(db, "PRAGMA synchronous = FULL").run()
            case .replicated: try Prepared(db, "PRAGMA synchronous = NORMAL").run()
            }
            present = wanted
        }
    }

    /// Checkpoints within a commit. A failure does not fail the commit, and the next one tries again. It does not wait
    /// for another connection's checkpoint, unless the WAL is bounded (`bound`).
    private func checkpoint(_ connection: OpaquePointer?, _ name: UnsafePointer<CChar>?) {
        if due.load(ordering: .relaxed) >= most.load(ordering: .relaxed) {
            alone { _ = sqlite3_wal_checkpoint(connection, name) }
        } else {
            turn.withLockIfAvailable { _ in _ = sqlite3_wal_checkpoint(connection, name) }
        }
    }

    /// Bounds the WAL: the checkpoint runs within the commit that brings so many pages, and never later.
    func bound(_ pages: Int) {
        due.store(pages, ordering: .relaxed)
        most.store(pages, ordering: .relaxed)
    }

    /// Runs `body` for one connection at a time: SQLite refuses a second checkpoint instead of waiting, and what an
    /// erasure leaves in the WAL would stay there.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        try turn.withLock { _ in try body() }
    }

    /// Checkpoints the WAL if it is due; outside a transaction.
    func checkpointIfDue(_ db: Database) {
        guard isDue else { return }
        alone { _ = sqlite3_wal_checkpoint(db.sqliteConnection, nil) }
        // The next commit counts again the pages that a reader blocked.
        pages.store(0, ordering: .relaxed)
    }

    var isDue: Bool { waiting >= due.load(ordering: .relaxed) }
    /// The number of pages in the WAL, as `pages`.
    var waiting: Int { pages.load(ordering: .relaxed) }
}
