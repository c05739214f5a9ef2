internal import GRDB
internal import Synchronization

extension EntryStore {
    /// Keeps the database within the budget from now on; nil: what gave way earlier is wanted again from the next start.
    ///
    /// A file that is larger than the budget is written anew once, which takes as much room again meanwhile: the free room
    /// in it can be given back from then on.
    ///
    /// - Throws: as a transaction does; the budget holds all the same, as far as it can.
    package func keep(
        within budget: DiskBudget?,
        clock: @escaping @Sendable () -> UInt64
    ) throws(StorageError) {
        keeping.withLock { $0 = budget.map { BudgetKeeping($0, clock: clock) } }
        try storing {
            try writer.writeWithoutTransaction { db in
                guard let budget else { return try Durability.perform(.replicated, db) { try Self.wantDropped(db) } }
                try Prepared(db, "PRAGMA journal_size_limit = \(budget.reserveBytes / 2)").rows { _ in .more }
                let pages = budget.logBytes / Int(try Schema.pragma(db, "page_size"))
                try Prepared(db, "PRAGMA wal_autocheckpoint = \(max(1, pages))").rows { _ in .more }
            }
            guard let budget else { return }
            try makeRoom()
            try writer.writeWithoutTransaction { db in
                let file = try FileRoom(db).fileBytes
                guard file > budget.highBytes || file < StorageLimits.budgetLotBytes else { return }
                try FileRoom.makeShrinkable(db)
                try Durability.scrub(db)
            }
        }
    }

    /// What is in use, and what gave way for it.
    package func roomUse() throws(StorageError) -> RoomUse {
        try storing {
            try writer.read { db in
                let room = try FileRoom(db)
                return RoomUse(
                    usedBytes: room.usedBytes,
                    fileBytes: room.fileBytes,
                    droppedBodies: try Prepared(db, "SELECT count(*) FROM dropped_bodies").first { $0.count(0) } ?? 0
                )
            }
        }
    }

    /// Makes room after a transaction, if the budget asks for it; what cannot be done now is done after a later one.
    func settleRoom() {
        try? makeRoom()
    }

    private func makeRoom() throws {
        guard var state = keeping.withLock({ $0 }) else { return }
        // One writer: nobody else changes it meanwhile.
        defer { keeping.withLock { $0 = state } }
        try writer.writeWithoutTransaction { db in
            let hasDropped = try state.makeRoom(db)
            if try FileRoom(db).fileBytes > state.budget.highBytes {
                try FileRoom.shrink(db, toBytes: state.budget.highBytes)
            }
            guard hasDropped else { return }
            let isClean = try Durability.scrub(db)
            if !isClean { owesScrub.withLock { $0 = true } }
        }
    }

    private static func wantDropped(_ db: Database) throws {
        try BodyIndex.remove(db)
        let isAny = try Prepared(db, "SELECT 1 FROM dropped_bodies LIMIT 1").first { _ in true } ?? false
        guard isAny else { return }
        try Prepared(db, "INSERT OR IGNORE INTO body_wants (entry) SELECT entry FROM dropped_bodies").run()
        try Prepared(db, "DELETE FROM dropped_bodies").run()
    }
}
