internal import GRDB

/// How much room the file system has, as far as this store is concerned.
package enum DiskRoom: Hashable, Sendable {
    /// Whatever the disk gives.
    case unlimited
    /// The database grows no further: a transaction that needs another page fails with `diskFull`, and changes nothing.
    case exhausted
}

extension EntryStore {
    /// Lets the database grow, or not: for simulations of a full disk (`PRAGMA max_page_count`).
    package func setRoom(_ room: DiskRoom) throws(StorageError) {
        try storing {
            try writer.writeWithoutTransaction { db in
                switch room {
                case .unlimited: try Prepared(db, "PRAGMA max_page_count = 4294967294").run()
                // Less than there is counts as what there is.
                case .exhausted: try Prepared(db, "PRAGMA max_page_count = 1").run()
                }
            }
        }
    }

    /// Whether the last commit waited until it was on the disk; what SQLite is set to, not what was meant.
    package func lastCommitWaited() throws(StorageError) -> Bool {
        try storing { try writer.writeWithoutTransaction { try Schema.pragma($0, "synchronous") >= 2 } }
    }
}
