internal import GRDB

/// A simulated limit on the size of the database.
package enum SimulatedRoom: Hashable, Sendable {
    /// The disk's own limit.
    case unlimited
    /// The database grows no further: a transaction that needs another page fails with `diskFull`, and changes nothing.
    case exhausted
}

extension EntryStore {
    /// Sets the limit, for simulations of a full disk (`PRAGMA max_page_count`).
    package func setRoom(_ room: SimulatedRoom) throws(StorageError) {
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

    /// Whether the last commit waited for fsync, by SQLite's setting, not by the durability asked for.
    package func lastCommitWaited() throws(StorageError) -> Bool {
        try storing { try writer.writeWithoutTransaction { try Schema.pragma($0, "synchronous") >= 2 } }
    }
}
