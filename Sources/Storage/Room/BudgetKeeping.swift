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
    private(set) var order: EvictionOrder
    /// Eviction transactions so far.
    private(set) var turns = 0
    /// Bytes of bodies that were moved so far.
    private(set) var movedBytes = 0
    /// The most that the file and its WAL took together so far, after a transaction.
    private(set) var mostBytes = 0
    /// The most that one transaction needed so far: bytes that it wrote to the WAL, and those by which the file grew.
    private(set) var mostNeeded = 0
    /// Bytes in use when they were last looked at.
    private var usedBytes: Int?
    /// Whether somebody read for so long that the WAL could not begin anew when it was long.
    private(set) var isLogPinned = false
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
        order = EvictionOrder(followedBytes: budget.followedBytes, slack: budget.lotBytes)
        map = BodyMap(stretchBytes: budget.lotBytes)
    }

    /// Notes that so many bytes of bodies were erased for another reason than the budget.
    mutating func noteErased(bytes: Int) { order.noteErased(bytes: bytes) }

    /// A transaction failed, and may have been committed all the same: what is here is listed and counted anew.
    mutating func noteFailure() { order.forget() }

    /// Evicts bodies and frees their pages, until usage is down to `lowBytes` or nothing is left to evict, or until
    /// the time is up: then it continues after the next transaction, where it left off.
    ///
    /// Runs transactions of about `DiskBudget.lotBytes`, one at least; no more while the WAL is long, as where somebody
    /// reads for long: it cannot begin anew then, and takes what each transaction frees.
    ///
    /// - Returns: whether any eviction transaction ran.
    mutating func makeRoom(_ db: Database, _ wal: WriteAheadLog, _ pace: BudgetPace) throws -> Bool {
        let room = try FileRoom(db)
        var used = room.usedBytes
        note(room, wal)
        // What is forgotten makes room, too.
        if let floor { self.floor = min(floor, used) }
        guard used > budget.highBytes else { return false }
        // Whoever is not followed any more has bodies that may go now.
        if let floor, used < floor + rest(after: floor), try !order.isOutdated(db) { return false }
        floor = nil
        let beginning = ContinuousClock.now
        // Made when the budget was set, unless that failed.
        try Durability.replicated.perform(db, wal) { try BodyIndex.make(db) }
        try order.refresh(db, now: clock())
        var isLogFull = false
        repeat {
            var next = self
            used = try Durability.replicated.perform(db, wal) { try next.turn(db) }
            self = next
            let written = note(try FileRoom(db), wal)
            // What is long may begin anew with the next transaction, as where nothing was written.
            let isLogLong = written > 0 && wal.waiting * room.pageBytes > budget.reserveBytes / 2
            isLogFull = try isLogLong && !beginLogAnew(db, wal)
        } while floor == nil && used > budget.lowBytes && !isLogFull
            && isInTime(pace, since: beginning, usedBytes: used)
        return true
    }

    /// - Returns: whether the next transaction begins the WAL anew.
    private mutating func beginLogAnew(_ db: Database, _ wal: WriteAheadLog) throws -> Bool {
        // Who reads for long is not waited for each time.
        let milliseconds = isLogPinned ? 0 : StorageLimits.budgetReaderMilliseconds
        isLogPinned = try !wal.alone { try Durability.restart(db, waitingMilliseconds: milliseconds) }
        return !isLogPinned
    }

    /// - Returns: bytes that the largest transaction wrote since this was called last.
    @discardableResult
    private mutating func note(_ room: FileRoom, _ wal: WriteAheadLog) -> Int {
        let written = wal.takeLargest() * room.pageBytes
        // What the first one finds came before there was a budget.
        if let usedBytes { mostNeeded = max(mostNeeded, written + max(0, room.usedBytes - usedBytes)) }
        usedBytes = room.usedBytes
        mostBytes = max(mostBytes, room.fileBytes + wal.waiting * room.pageBytes)
        return written
    }

    /// Bytes more that are in use before anything is tried again, where nothing was left to evict: in a large store
    /// that takes long, but what can be evicted may come meanwhile, and has to fit.
    private func rest(after floor: Int) -> Int {
        max(StorageLimits.budgetRestLots * budget.lotBytes, min(floor / 64, budget.pressedBytes - floor))
    }

    private func isInTime(_ pace: BudgetPace, since beginning: ContinuousClock.Instant, usedBytes: Int) -> Bool {
        // As much as any transaction needed so far has to fit, beside what waits in the WAL.
        let fitting = budget.bytes - mostNeeded - budget.logBytes
        let isPressed = usedBytes > max(budget.highBytes, min(budget.pressedBytes, fitting)) && !order.isExhausted
        return ContinuousClock.now - beginning < (isPressed ? pace.pressed : pace.atEase)
    }

    /// Does the work of one eviction transaction (a turn).
    ///
    /// - Returns: bytes in use.
    private mutating func turn(_ db: Database) throws -> Int {
        turns += 1
        let rows = try BodyRows(db)
        var portion = BodyMap.Portion(
            rows: StorageLimits.budgetPortionEntries,
            bytes: StorageLimits.budgetPortionBytes,
            cutBytes: 2 * budget.lotBytes
        )
        let isKnown = try map.learn(rows, &portion)
        let used = try FileRoom(db).usedBytes
        let isPressed = used > budget.pressedBytes
        guard isKnown || isPressed else { return used }
        let wanted = used - budget.lowBytes - map.ripeBytes(price(usedBytes: used))
        if wanted > 0 { try order.refill(db, now: clock()) }
        // Either is as much as a transaction should write: where room is short, they take turns, unless what would be
        // moved may be what is evicted next.
        let isFreeing = wanted <= 0 || order.isExhausted || isPressed && turns.isMultiple(of: 2) && isOneClearable(used)
        if order.isListing {
            try free(rows, db)
        } else {
            if !isFreeing {
                // A quarter of a lot at least: so little may free nothing yet, and a turn costs something by itself.
                let dead = try order.evict(db, bytes: min(max(wanted, budget.lotBytes / 4), budget.lotBytes))
                try map.note(dead: dead, rows)
            }
            portion.rows = min(portion.rows, StorageLimits.budgetRecountedRows)
            let isCounted =
                try isKnown && map.recount(rows, stretches: StorageLimits.budgetRecountedStretches, &portion)
            if isFreeing { try free(rows, db) }
            let after = try FileRoom(db).usedBytes
            let isOver = isCounted && order.isExhausted && map.ripest(price(usedBytes: after)) == nil
            if isOver, after > budget.lowBytes { floor = after }
        }
        try order.noteBodies(db)
        return try FileRoom(db).usedBytes
    }

    /// Bodies that one transaction moves, at most.
    private var mostMoved: Int { max(1, budget.lotBytes / StorageLimits.budgetRowBytes) }

    /// Whether the stretch to clear next can be cleared in one transaction.
    private func isOneClearable(_ usedBytes: Int) -> Bool {
        map.ripest(price(usedBytes: usedBytes)).map { map.stretches[$0].liveRows <= mostMoved } ?? false
    }

    /// Frees the pages of dead bodies, about a lot of work, if enough are dead.
    ///
    /// Not earlier, unless the budget is almost used up: of a stretch that is being evicted bodies would be moved that
    /// are evicted next.
    private mutating func free(_ rows: BodyRows, _ db: Database) throws {
        var used = try FileRoom(db).usedBytes
        let price = price(usedBytes: used)
        let isEnough = map.ripeBytes(price) >= used - budget.lowBytes
        guard isEnough || order.isExhausted || used > budget.pressedBytes else { return }
        var work = 0
        while used > budget.lowBytes, let index = map.ripest(price) {
            let next = map.stretches[index].workBytes
            guard work == 0 || work + next <= budget.lotBytes else { return }
            let cleared = try map.clear(index, rows, moving: mostMoved)
            movedBytes += cleared.movedBytes
            work += next
            used = try FileRoom(db).usedBytes
        }
    }

    /// More is moved for each byte that is freed where nothing else frees any, where room is short, and where so much
    /// is dead that much more would have to be evicted than came.
    private func price(usedBytes: Int) -> BodyMap.Price {
        let isShort = usedBytes > budget.pressedBytes || map.deadBytes > budget.deadBytes
        return order.isExhausted || isShort
            ? BodyMap.Price(cost: StorageLimits.budgetLastMovedBytesPerByte, measure: .together)
            : BodyMap.Price(cost: StorageLimits.budgetMovedBytesPerByte, measure: .each)
    }
}
