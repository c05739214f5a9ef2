internal import GRDB

/// How a store keeps within its budget: what it has found out, and has not used yet.
struct BudgetKeeping {
    let budget: DiskBudget
    /// Unix milliseconds.
    let clock: @Sendable () -> UInt64
    /// What to drop next, in this order.
    private var candidates: ArraySlice<EntryKey> = []
    private var walk: BodyMoving.Walk?
    /// Bytes that were dropped, and whose room was not given back yet.
    private var deadBytes = 0
    /// Nothing is left to drop, with so much in use: until it is a quarter more, nobody walks through all of it again.
    private var floor: Int?

    init(_ budget: DiskBudget, clock: @escaping @Sendable () -> UInt64) {
        self.budget = budget
        self.clock = clock
    }

    /// Drops bodies, and gives their room back, until the store is well within its budget or there is nothing to drop.
    ///
    /// Transactions of about `DiskBudget.lotBytes`.
    ///
    /// - Returns: whether bodies were dropped.
    mutating func makeRoom(_ db: Database) throws -> Bool {
        let used = try FileRoom(db).usedBytes
        guard used > budget.highBytes else { return false }
        if let floor, used < floor + max(StorageLimits.budgetLotBytes, floor / 4) { return false }
        floor = nil
        // Not before: as long as everything fits, a budget costs no post anything.
        try Durability.perform(.replicated, db) { try BodyIndex.make(db) }
        while floor == nil, try FileRoom(db).usedBytes > budget.lowBytes {
            var next = self
            try Durability.perform(.replicated, db) { try next.turn(db) }
            self = next
        }
        return true
    }

    /// One transaction's worth.
    private mutating func turn(_ db: Database) throws {
        let before = try FileRoom(db).usedBytes
        let lot = budget.lotBytes
        let missing = before - budget.lowBytes
        var isExhausted = false
        if deadBytes < missing {
            if candidates.isEmpty {
                let limit = StorageLimits.budgetCandidates
                candidates = try BodyDropping.candidates(db, now: clock(), limit: limit)[...]
            }
            isExhausted = candidates.isEmpty
            deadBytes += try BodyDropping(db).drop(&candidates, bytes: min(missing - deadBytes, lot))
        }
        let moving = try BodyMoving(db)
        var walk = try self.walk ?? moving.begin()
        try moving.step(&walk, bytes: lot)
        let after = try FileRoom(db).usedBytes
        deadBytes = max(0, deadBytes - max(0, before - after))
        self.walk = walk
        guard walk.isOver else { return }
        // Whatever was dead was cut off by now, but for the margin.
        self.walk = nil
        deadBytes = 0
        if isExhausted { floor = after }
    }
}
