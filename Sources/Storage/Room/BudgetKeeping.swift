internal import GRDB

/// How long room is made at once: meanwhile nothing is written.
package struct BudgetPace: Hashable, Sendable {
    /// As long as there is room for what is next.
    let atEase: Duration
    /// While the budget is in danger, and something may give way.
    let pressed: Duration

    /// Behind a transaction.
    static let standard = BudgetPace(
        atEase: .milliseconds(StorageLimits.budgetWorkMilliseconds),
        pressed: .milliseconds(StorageLimits.pressedBudgetWorkMilliseconds)
    )

    /// When the budget is set: nobody waits to write.
    static let start = BudgetPace(atEase: standard.atEase, pressed: .seconds(86_400))
}

/// How a store keeps within its budget: what it has found out, and has not used yet.
struct BudgetKeeping {
    let budget: DiskBudget
    /// Unix milliseconds.
    let clock: @Sendable () -> UInt64
    let pace: BudgetPace
    /// What to drop next.
    private(set) var order = DropOrder()
    /// Transactions that made room.
    private(set) var turns = 0
    private var walk: BodyMoving.Walk?
    /// Bytes that were dropped, and whose room was not given back yet.
    private var deadBytes = 0
    /// Nothing is left to drop, with so much in use: until it is a quarter more, nobody moves all of it again.
    private var floor: Int?

    init(_ budget: DiskBudget, pace: BudgetPace = .standard, clock: @escaping @Sendable () -> UInt64) {
        self.budget = budget
        self.pace = pace
        self.clock = clock
    }

    /// Drops bodies, and gives their room back, until the store is well within its budget or there is nothing to drop; or until
    /// the time is up: then it goes on behind the next transaction, where it left off.
    ///
    /// Transactions of about `DiskBudget.lotBytes`, one at least.
    ///
    /// - Returns: whether bodies were dropped.
    mutating func makeRoom(_ db: Database, _ pace: BudgetPace) throws -> Bool {
        var used = try FileRoom(db).usedBytes
        guard used > budget.highBytes else { return false }
        if let floor, used < floor + max(StorageLimits.budgetLotBytes, floor / 4) { return false }
        floor = nil
        let beginning = ContinuousClock.now
        // Not before: as long as everything fits, a budget costs no post anything.
        try Durability.perform(.replicated, db) { try BodyIndex.make(db) }
        try order.refresh(db, now: clock())
        repeat {
            var next = self
            used = try Durability.perform(.replicated, db) { try next.turn(db) }
            self = next
        } while floor == nil && used > budget.lowBytes && isInTime(pace, since: beginning, usedBytes: used)
        return true
    }

    private func isInTime(_ pace: BudgetPace, since beginning: ContinuousClock.Instant, usedBytes: Int) -> Bool {
        let isPressed = usedBytes > budget.pressedBytes && !order.isExhausted
        return ContinuousClock.now - beginning < (isPressed ? pace.pressed : pace.atEase)
    }

    /// One transaction's worth.
    ///
    /// - Returns: bytes in use.
    private mutating func turn(_ db: Database) throws -> Int {
        let before = try FileRoom(db).usedBytes
        let lot = budget.lotBytes
        let missing = before - budget.lowBytes
        turns += 1
        if deadBytes < missing {
            try order.refill(db, now: clock())
            guard !order.isListing else { return before }
            deadBytes += try order.drop(db, bytes: min(missing - deadBytes, lot))
        }
        let moving = try BodyMoving(db)
        var walk = try self.walk ?? moving.begin()
        try moving.step(&walk, bytes: lot)
        try order.noteBodies(db)
        let after = try FileRoom(db).usedBytes
        deadBytes = max(0, deadBytes - max(0, before - after))
        self.walk = walk
        guard walk.isOver else { return after }
        // Whatever was dead was cut off by now, but for the margin.
        self.walk = nil
        deadBytes = 0
        if order.isExhausted, after > budget.lowBytes { floor = after }
        return after
    }
}
