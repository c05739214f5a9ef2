internal import GRDB
internal import Synchronization

extension EntryStore {
    /// Sets the disk budget; nil: none, and bodies evicted earlier are wanted again from the next start.
    ///
    /// A file larger than the budget is rewritten once, so that its free pages can be returned to the file system from
    /// then on. If that fails, or nothing can be evicted now, the store stays usable, and the outcome says so.
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
                guard let budget else {
                    return try Durability.replicated.perform(db, wal) { try Self.wantEvicted(db) }
                }
                try Prepared(db, "PRAGMA journal_size_limit = \(budget.reserveBytes / 2)").rows { _ in .more }
                let pages = budget.logBytes / Int(try Schema.pragma(db, "page_size"))
                wal.bound(max(1, pages))
                // While there is room, of which it takes some in a large store. Where that fails it is made later, when
                // something has to be evicted, and a failure then is one of the eviction.
                try? Durability.replicated.perform(db, wal) { try BodyIndex.make(db) }
            }
        }
        guard let budget else { return .kept }
        do throws(StorageError) {
            try evict(.start)
            return try storing { try writer.writeWithoutTransaction { try shrinkable($0, within: budget) } }
        } catch {
            return .fileStays(bytes: try roomUse().fileBytes, .failed(error))
        }
    }

    /// Rewrites the file so that it can shrink, if it is too large, or so small that this takes no time.
    private func shrinkable(_ db: Database, within budget: DiskBudget) throws -> BudgetOutcome {
        let room = try FileRoom(db)
        let isSmall = room.fileBytes < StorageLimits.budgetLotBytes
        // A file without free pages gains nothing.
        let isPinned = keeping.withLock { $0?.isLogPinned } ?? false
        let isTooLarge = room.fileBytes > budget.highBytes && (room.freeBytes > budget.lotBytes || isPinned)
        guard isSmall || isTooLarge, try !FileRoom.isShrinkable(db) else { return .kept }
        // Not all was evicted that has to be: what a rewrite takes and leaves would be for nothing.
        if isPinned { return .fileStays(bytes: room.fileBytes, .failed(.busy)) }
        let needed = FileRewriting.neededBytes(used: room.usedBytes)
        if case .file(let path) = place, let free = ReadOnlyDisk.freeBytes(beside: path), free < needed {
            return .fileStays(bytes: room.fileBytes, .noRoom(bytes: needed, free: free))
        }
        // Even a failed rewrite leaves a WAL as long as the file.
        defer { _ = try? scrub(db) }
        try FileRewriting.perform(db, at: place)
        return .kept
    }

    /// The space in use, and the number of evicted bodies.
    package func roomUse() throws(StorageError) -> RoomUse {
        try storing {
            try writer.read { db in
                let room = try FileRoom(db)
                return RoomUse(
                    usedBytes: room.usedBytes,
                    fileBytes: room.fileBytes,
                    evictedBodies: try Prepared(db, "SELECT count(*) FROM dropped_bodies").first { $0.count(0) } ?? 0
                )
            }
        }
    }

    /// Why bodies could not be evicted when the budget last required it, so that the file may outgrow it; nil: they
    /// could, or nothing was required.
    package var evictionFailure: StorageError? { evictions.withLock { $0.failure } }

    /// Passes on each failure to evict that is another than the one before it: what the transaction before it stored is
    /// stored. `tell` is called on the thread that writes.
    package func watchEvictions(_ tell: @escaping @Sendable (StorageError) -> Void) {
        // What failed when the budget was set is told as well.
        let failure = evictions.withLock { evictions in
            evictions.tell = tell
            return evictions.failure
        }
        if let failure { tell(failure) }
    }

    /// Evicts bodies after a transaction if the budget requires it; a failure is passed on to the watcher, and what
    /// failed is tried again after the next one.
    func settleRoom() {
        do throws(StorageError) {
            try evict(nil)
        } catch {
            // Some bodies may have been evicted all the same.
            scrubIfOwed()
        }
    }

    private func evict(_ pace: BudgetPace?) throws(StorageError) {
        var failure: StorageError?
        defer { noteEviction(failure) }
        try storing { try makeRoom(pace) { failure = $0 } }
    }

    private func noteEviction(_ failure: StorageError?) {
        let tell: (@Sendable (StorageError) -> Void)? = evictions.withLock { evictions in
            defer { evictions.failure = failure }
            return failure == evictions.failure ? nil : evictions.tell
        }
        if let failure { tell?(failure) }
    }

    /// Evicts bodies and shrinks the file as the budget requires; `pace` nil: the one that the budget was set with.
    /// `failed` is called if bodies could not be evicted.
    private func makeRoom(_ pace: BudgetPace?, _ failed: (StorageError) -> Void) throws {
        guard var state = keeping.withLock({ $0 }) else { return }
        // One writer: nothing else changes the state meanwhile.
        defer { keeping.withLock { $0 = state } }
        try writer.writeWithoutTransaction { db in
            state.noteErased(bytes: erasedBytes.exchange(0, ordering: .relaxed))
            let hasEvicted: Bool
            do {
                hasEvicted = try state.makeRoom(db, wal, pace ?? state.pace)
            } catch {
                // Some bodies may have been evicted.
                state.noteFailure()
                owesScrub.withLock { $0 = true }
                failed(StorageError(error))
                throw error
            }
            // Set before anything else can fail: until the WAL is truncated, evicted bodies are in it.
            if hasEvicted { owesScrub.withLock { $0 = true } }
            if try FileRoom(db).fileBytes > state.budget.highBytes {
                try FileRoom.shrink(db, toBytes: state.budget.highBytes)
            }
            guard hasEvicted else { return }
            if try scrub(db) { owesScrub.withLock { $0 = false } }
        }
    }

    private static func wantEvicted(_ db: Database) throws {
        try BodyIndex.remove(db)
        let isAny = try Prepared(db, "SELECT 1 FROM dropped_bodies LIMIT 1").first { _ in true } ?? false
        guard isAny else { return }
        // Entries that do not count are hidden, and nobody serves their bodies; they are wanted once they count.
        let entries = """
            SELECT \(StoredEntry.columns) FROM \(StoredEntry.tables) WHERE key IN (
                SELECT entry FROM dropped_bodies JOIN logs ON logs.number = entry >> 32
                WHERE entry & 4294967295 < logs.size
            )
            """
        let want = try Prepared(db, "INSERT OR IGNORE INTO body_wants (entry) VALUES (?)")
        try Prepared(db, entries).rows { columns in
            let entry = try StoredEntry(columns)
            if entry.wantsBody { try want.run(entry.key) }
            return .more
        }
        try Prepared(db, "DELETE FROM dropped_bodies").run()
    }
}
