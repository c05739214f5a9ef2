internal import GRDB
internal import Synchronization

/// A simulated limit on the size of the database.
package enum DiskRoom: Hashable, Sendable {
    /// The disk's own limit.
    case unlimited
    /// The database grows no further: a transaction that needs another page fails with `diskFull`, and changes nothing.
    case exhausted
}

extension EntryStore {
    /// Sets the limit, for simulations of a full disk (`PRAGMA max_page_count`).
    package func setRoom(_ room: DiskRoom) throws(StorageError) {
        try storing {
            try writer.writeWithoutTransaction { db in
                switch room {
                case .unlimited: try Prepared(db, "PRAGMA max_page_count = 4294967294").run()
                // SQLite raises a limit below the present page count to that count.
                case .exhausted: try Prepared(db, "PRAGMA max_page_count = 1").run()
                }
            }
        }
    }

    /// Why the last transaction with entries failed, if none has succeeded since. Nil: it succeeded, there was none in
    /// this run, or its failure was told to whoever asked for it, ten minutes ago.
    package var writeFailure: StorageError? { writes.withLock { $0.failure() } }

    /// Whether something that a peer brought is not stored although it has come, since the disk did not take it.
    package var isBehind: Bool { writes.withLock { $0.isBehind } }

    /// Whether the last commit waited for fsync, by SQLite's setting, not by the durability asked for.
    package func lastCommitWaited() throws(StorageError) -> Bool {
        try storing { try writer.writeWithoutTransaction { try Schema.pragma($0, "synchronous") >= 2 } }
    }
}
