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
///
/// What an eviction costs depends on what came in and not on the size of the store: dead bodies are freed where they
/// are, and others are moved only where they make out so little of a stretch that this is worth it (`BodyMap`).
struct BudgetKeeping {
    let budget: DiskBudget
    /// Unix milliseconds.
    let clock: @Sendable () -> UInt64
    let pace: BudgetPace
    /// The eviction order.
    private(set) var order = DropOrder()
    /// Eviction transactions so far.
    private(set) var turns = 0
    /// Bytes of bodies that were moved so far.
    private(set) var movedBytes = 0
    /// Where bodies are dead whose pages are not freed yet.
    private var map: BodyMap
    /// Bytes in use when nothing was left to evict: until some lots more are in use, nothing is tried again.
    private var floor: Int?

    /// Bytes of dead bodies whose pages are not freed yet, as far as they were counted.
    var deadBytes: Int { map.deadBytes }

    init(_ budget: DiskBudget, pace: BudgetPace = .standard, clock: @escaping @Sendable () -> UInt64) {
        self.budget = budget
        self.pace = pace
        self.clock = clock
        map = BodyMap(stretchBytes: budget.lotBytes)
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
        if let floor, used < floor + StorageLimits.budgetRestLots * budget.lotBytes { return false }
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
        turns += 1
        let rows = try BodyRows(db)
        let isKnown = try map.learn(rows, portion(rows: StorageLimits.budgetPortionEntries))
        let used = try FileRoom(db).usedBytes
        guard isKnown || used > budget.pressedBytes else { return used }
        let wanted = used - budget.lowBytes - map.ripeBytes(cost: cost(usedBytes: used))
        if wanted > 0 {
            try order.refill(db, now: clock())
            guard !order.isListing else { return used }
            // A quarter of a lot at least: so little may free nothing yet, and a turn costs something by itself.
            let dead = try order.drop(db, bytes: min(max(wanted, budget.lotBytes / 4), budget.lotBytes))
            try map.note(dead: dead, rows)
        }
        let recounted = portion(rows: StorageLimits.budgetRecountedRows)
        try map.recount(rows, stretches: StorageLimits.budgetRecountedStretches, recounted)
        try free(rows, db)
        try order.noteBodies(db)
        let after = try FileRoom(db).usedBytes
        let isOver = isKnown && order.isExhausted && map.ripest(cost: cost(usedBytes: after)) == nil
        if isOver, after > budget.lowBytes { floor = after }
        return after
    }

    /// What one turn reads and cuts of the map's rows.
    private func portion(rows: Int) -> BodyMap.Portion { .init(rows: rows, cutBytes: 2 * budget.lotBytes) }

    /// Frees the pages of dead bodies, about two lots of work, if enough are dead.
    ///
    /// Not earlier, unless the budget is almost used up: of a stretch that is being evicted bodies would be moved that
    /// are evicted next.
    private mutating func free(_ rows: BodyRows, _ db: Database) throws {
        var used = try FileRoom(db).usedBytes
        let cost = cost(usedBytes: used)
        let isEnough = map.ripeBytes(cost: cost) >= used - budget.lowBytes
        guard isEnough || order.isExhausted || used > budget.pressedBytes else { return }
        var work = 0
        while used > budget.lowBytes, let index = map.ripest(cost: cost) {
            let next = map.stretches[index].workBytes
            guard work == 0 || work + next <= 2 * budget.lotBytes else { return }
            let cleared = try map.clear(index, rows)
            movedBytes += cleared.movedBytes
            work += next
            used = try FileRoom(db).usedBytes
        }
    }

    /// Bytes moved for each byte freed, at most: more where nothing else frees any, where room is short, and where so
    /// much is dead that much more would have to be evicted than came.
    private func cost(usedBytes: Int) -> Int {
        let isShort = usedBytes > budget.pressedBytes || map.deadBytes > budget.deadBytes
        return order.isExhausted || isShort
            ? StorageLimits.budgetLastMovedBytesPerByte : StorageLimits.budgetMovedBytesPerByte
    }
}
