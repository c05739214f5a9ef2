internal import GRDB

/// The time limits of an eviction run, during which nothing else is written.
package struct BudgetPace: Hashable, Sendable {
    /// While the next transactions still fit.
    let atEase: Duration
    /// While the budget is almost used up, and something can be evicted.
    let pressed: Duration

    /// After a transaction.
    static let standard = BudgetPace(
        atEase: .milliseconds(StorageLimits.budgetWorkMilliseconds),
        pressed: .milliseconds(StorageLimits.pressedBudgetWorkMilliseconds)
    )

    /// When the budget is set: nobody waits to write.
    static let start = BudgetPace(atEase: standard.atEase, pressed: .seconds(86_400))
}

/// Enforces a store's disk budget, keeping what it found out and has not used yet.
struct BudgetKeeping {
    let budget: DiskBudget
    /// Unix milliseconds.
    let clock: @Sendable () -> UInt64
    let pace: BudgetPace
    /// The eviction order.
    private(set) var order = DropOrder()
    /// Eviction transactions so far.
    private(set) var turns = 0
    private var walk: BodyMoving.Walk?
    /// Bytes of evicted bodies whose pages are not freed yet.
    private var deadBytes = 0
    /// Bytes in use when nothing was left to evict: until a quarter more is in use, no body is moved again.
    private var floor: Int?

    init(_ budget: DiskBudget, pace: BudgetPace = .standard, clock: @escaping @Sendable () -> UInt64) {
        self.budget = budget
        self.pace = pace
        self.clock = clock
    }

    /// Evicts bodies and frees their pages, until usage is down to `lowBytes` or nothing is left to evict, or until
    /// the time is up: then it continues after the next transaction, where it left off.
    ///
    /// Runs transactions of about `DiskBudget.lotBytes`, one at least.
    ///
    /// - Returns: whether any eviction transaction ran.
    mutating func makeRoom(_ db: Database, _ wal: WriteAheadLog, _ pace: BudgetPace) throws -> Bool {
        var used = try FileRoom(db).usedBytes
        guard used > budget.highBytes else { return false }
        if let floor, used < floor + max(StorageLimits.budgetLotBytes, floor / 4) { return false }
        floor = nil
        let beginning = ContinuousClock.now
        // Not earlier: while everything fits, a budget costs no post anything.
        try Durability.replicated.perform(db, wal) { try BodyIndex.make(db) }
        try order.refresh(db, now: clock())
        repeat {
            var next = self
            used = try Durability.replicated.perform(db, wal) { try next.turn(db) }
            self = next
        } while floor == nil && used > budget.lowBytes && isInTime(pace, since: beginning, usedBytes: used)
        return true
    }

    private func isInTime(_ pace: BudgetPace, since beginning: ContinuousClock.Instant, usedBytes: Int) -> Bool {
        let isPressed = usedBytes > budget.pressedBytes && !order.isExhausted
        return ContinuousClock.now - beginning < (isPressed ? pace.pressed : pace.atEase)
    }

    /// Does the work of one eviction transaction (a turn).
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
        // All dead bytes are freed by now, except the margin.
        self.walk = nil
        deadBytes = 0
        if order.isExhausted, after > budget.lowBytes { floor = after }
        return after
    }
}
