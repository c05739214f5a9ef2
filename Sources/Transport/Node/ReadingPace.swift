internal import Sync

/// How much of the node's own time each connection takes: who talks without end is read more slowly while anybody else has
/// something to say. Nothing is refused; what it sends waits at its own end (`protocol/sync.md §7`).
///
/// All times are microseconds of one clock that never goes back.
struct ReadingPace {
    private struct Debt {
        var owed: UInt64 = 0
        var at: UInt64
    }

    /// One part in so many of the time is each connection's.
    static let shareDivisor: UInt64 = 3
    /// What it may take at once: the pages and the first entries of somebody who comes back.
    static let burst: UInt64 = 50_000
    /// Somebody has something to say who has said something within this time.
    static let lively: UInt64 = 5_000_000

    private var debts: [SessionID: Debt] = [:]
    /// Who was heard last, and the last other one.
    private var last: (session: SessionID, at: UInt64)?
    private var other: UInt64?
    private var ownAt: UInt64?

    /// The person here wrote something.
    mutating func noteOwn(at now: UInt64) {
        ownAt = now
    }

    /// What a connection sent took `spent` of the node's time.
    ///
    /// - Returns: for how long nothing more is to be read from it.
    mutating func spend(_ spent: UInt64, on session: SessionID, at now: UInt64) -> UInt64 {
        if let last, last.session != session { other = last.at }
        last = (session, now)
        var debt = debts[session] ?? Debt(at: now)
        debt.owed -= min(debt.owed, (now - min(now, debt.at)) / Self.shareDivisor)
        debt.owed += spent
        debt.at = now
        let isShared = isShared(at: now)
        // What kept nobody waiting is owed to nobody: it would be paid by whoever comes next, in seconds.
        if !isShared { debt.owed = min(debt.owed, Self.burst) }
        debts[session] = debt
        guard isShared, debt.owed > Self.burst else { return 0 }
        return (debt.owed - Self.burst) * Self.shareDivisor
    }

    /// Whether others have something to say besides this one.
    func isShared(at now: UInt64, besides session: SessionID) -> Bool {
        if let last, last.session != session, isRecent(last.at, now) { return true }
        return isShared(at: now)
    }

    /// Whether others have something to say besides who was heard last.
    private func isShared(at now: UInt64) -> Bool { isRecent(other, now) || isRecent(ownAt, now) }

    mutating func forget(_ session: SessionID) {
        debts[session] = nil
    }

    private func isRecent(_ moment: UInt64?, _ now: UInt64) -> Bool {
        moment.map { now < $0 + Self.lively } ?? false
    }
}
