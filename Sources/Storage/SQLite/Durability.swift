internal import GRDB

/// Whether a commit waits for the disk (fsync).
enum Durability {
    /// Survives a power cut once the commit returns: for what this home signed, and its records about itself.
    case durable
    /// Survives the end of the process; a power cut may lose the last commits, which peers have.
    case replicated

    /// Runs one `BEGIN IMMEDIATE` transaction, rolled back if the body throws.
    func perform<Result>(
        _ db: Database,
        _ wal: WriteAheadLog,
        _ body: () throws -> Result
    ) throws -> Result {
        // Before the transaction: within one the pragma cannot be set.
        try wal.keep(self, db)
        // What was written outside of any, or before a rollback, is not this one's.
        wal.writtenPages(db)
        // Not GRDB's transaction: it has SQLite parse the statement anew each time.
        try Prepared(db, "BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            try wal.committing(db) { try Prepared(db, "COMMIT").run() }
            return result
        } catch {
            // Some failures have rolled it back already.
            if db.isInsideTransaction { try? Prepared(db, "ROLLBACK").run() }
            throw error
        }
    }

    /// Checkpoints and truncates the WAL, unless a reader blocks it.
    ///
    /// - Returns: whether the WAL is free of erased payloads.
    @discardableResult
    static func scrub(_ db: Database) throws -> Bool {
        // Does not wait for a reader: a person's pager may hold it open.
        try checkpoint(db, "PRAGMA wal_checkpoint(TRUNCATE)", waitingMilliseconds: 0)
    }

    /// Checkpoints the WAL, so that the next transaction begins it anew, unless readers block that for so long.
    ///
    /// - Returns: whether it begins anew.
    static func restart(_ db: Database, waitingMilliseconds: Int) throws -> Bool {
        try checkpoint(db, "PRAGMA wal_checkpoint(RESTART)", waitingMilliseconds: waitingMilliseconds)
    }

    private static func checkpoint(_ db: Database, _ pragma: String, waitingMilliseconds: Int) throws -> Bool {
        try Prepared(db, "PRAGMA busy_timeout = \(waitingMilliseconds)").run()
        defer {
            _ = try? Prepared(db, "PRAGMA busy_timeout = \(StorageLimits.busyTimeoutMilliseconds)").run()
        }
        return try Prepared(db, pragma).first { $0.integer(0) == 0 } ?? true
    }
}
