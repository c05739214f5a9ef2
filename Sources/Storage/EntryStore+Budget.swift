internal import GRDB
internal import Synchronization

extension EntryStore {
    /// Keeps the database within the budget from now on; nil: what gave way earlier is wanted again from the next start.
    ///
    /// A file that is larger than the budget is written anew once: the free room in it can be given back from then on.
    /// Where that cannot be done, or room cannot be made now, the store is of use all the same: the outcome says so.
    ///
    /// - Throws: as a transaction does.
    @discardableResult
    package func keep(
        within budget: DiskBudget?,
        pace: BudgetPace = .standard,
        clock: @escaping @Sendable () -> UInt64
    ) throws(StorageError) -> BudgetOutcome {
        keeping.withLock { $0 = budget.map { BudgetKeeping($0, pace: pace, clock: clock) } }
        try storing {
            try writer.writeWithoutTransaction { db in
                guard let budget else { return try Durability.perform(.replicated, db) { try Self.wantDropped(db) } }
                try Prepared(db, "PRAGMA journal_size_limit = \(budget.reserveBytes / 2)").rows { _ in .more }
                let pages = budget.logBytes / Int(try Schema.pragma(db, "page_size"))
                log.bound(max(1, pages))
            }
        }
        guard let budget else { return .kept }
        do throws(StorageError) {
            return try storing {
                try makeRoom(.start)
                return try writer.writeWithoutTransaction { try shrinkable($0, within: budget) }
            }
        } catch {
            return .fileStays(bytes: try roomUse().fileBytes, .failed(error))
        }
    }

    /// Makes a file shrinkable that is too large, or so small that it takes no time.
    private func shrinkable(_ db: Database, within budget: DiskBudget) throws -> BudgetOutcome {
        let room = try FileRoom(db)
        let isSmall = room.fileBytes < StorageLimits.budgetLotBytes
        // Of a file in which nothing is free nothing is to be had.
        let isTooLarge = room.fileBytes > budget.highBytes && room.freeBytes > budget.lotBytes
        guard isSmall || isTooLarge, try !FileRoom.isShrinkable(db) else { return .kept }
        let needed = FileRewriting.neededBytes(used: room.usedBytes)
        if case .file(let path) = place, let free = ReadOnlyDisk.freeBytes(beside: path), free < needed {
            return .fileStays(bytes: room.fileBytes, .noRoom(bytes: needed, free: free))
        }
        // Also of a failure the log is as long as the file.
        defer { _ = try? scrub(db) }
        try FileRewriting.perform(db, at: place)
        return .kept
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
        try? makeRoom(nil)
    }

    /// Nil: at the pace that the budget was set with.
    private func makeRoom(_ pace: BudgetPace?) throws {
        guard var state = keeping.withLock({ $0 }) else { return }
        // One writer: nobody else changes it meanwhile.
        defer { keeping.withLock { $0 = state } }
        try writer.writeWithoutTransaction { db in
            let hasDropped: Bool
            do {
                hasDropped = try state.makeRoom(db, pace ?? state.pace)
            } catch {
                // A part of it may be done.
                owesScrub.withLock { $0 = true }
                throw error
            }
            // Owed before anything else can fail: what was dropped is in the log of the file until then.
            if hasDropped { owesScrub.withLock { $0 = true } }
            if try FileRoom(db).fileBytes > state.budget.highBytes {
                try FileRoom.shrink(db, toBytes: state.budget.highBytes)
            }
            guard hasDropped else { return }
            if try scrub(db) { owesScrub.withLock { $0 = false } }
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
