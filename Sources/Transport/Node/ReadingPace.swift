internal import Sync

/// How much of the node's own time each connection takes: who talks without end is read more slowly while anybody else has
/// something to say. Nothing is refused; what it sends waits at its own end (`protocol/sync.md §7`).
///
/// All times are microseconds of one clock that never goes back.
struct ReadingPace {
    private struct Debt {
        private var owed: UInt64 = 0
        private var at: UInt64

        init(at now: UInt64) {
            at = now
        }

        /// What is left of it: time pays.
        func owed(at now: UInt64) -> UInt64 { owed - min(owed, (now - min(now, at)) / ReadingPace.shareDivisor) }

        mutating func set(_ owed: UInt64, at now: UInt64) {
            self.owed = owed
            at = now
        }
    }

    private struct Talker {
        /// Nil: this node called it.
        let host: HostNetwork?
        var debt: Debt
    }

    /// One part in so many of the time is each connection's.
    static let shareDivisor: UInt64 = 3
    /// What it may take at once: the pages and the first entries of somebody who comes back.
    static let burst: UInt64 = 50_000
    /// Of this no connection leaves anything behind: who says little, and calls often, is honest.
    static let forgiven = burst / 4
    /// The most that is owed so by one host, whoever calls from there: some seconds of waiting, which no deadline takes for silence.
    static let leftAtMost: UInt64 = 1_000_000
    /// Hosts of whose ended connections something is owed; of more it is forgotten.
    static let hostsCount = 1_024
    /// Somebody has something to say who has said something within this time.
    static let lively: UInt64 = 5_000_000

    private var talkers: [SessionID: Talker] = [:]
    /// What connections left behind that have ended: owed by whoever calls from there, or it would be paid by calling anew.
    private var left: [HostNetwork: Debt] = [:]
    /// Who was heard last, and the last other one.
    private var last: (session: SessionID, at: UInt64)?
    private var other: UInt64?
    private var ownAt: UInt64?

    /// The person here wrote something.
    mutating func noteOwn(at now: UInt64) {
        ownAt = now
    }

    /// A connection begins; `host` is nil for one that this node made.
    mutating func begin(_ session: SessionID, from host: HostNetwork?, at now: UInt64) {
        talkers[session] = Talker(host: host, debt: Debt(at: now))
    }

    /// What a connection sent took `spent` of the node's time.
    ///
    /// - Returns: for how long nothing more is to be read from it.
    mutating func spend(_ spent: UInt64, on session: SessionID, at now: UInt64) -> UInt64 {
        guard var talker = talkers[session] else { return 0 }
        if let last, last.session != session { other = last.at }
        last = (session, now)
        let isShared = isShared(at: now)
        var owed = talker.debt.owed(at: now) + spent
        // What kept nobody waiting is owed to nobody: it would be paid by whoever comes next, in seconds.
        if !isShared { owed = min(owed, Self.burst) }
        talker.debt.set(owed, at: now)
        talkers[session] = talker
        if let host = talker.host { owed += left[host]?.owed(at: now) ?? 0 }
        guard isShared, owed > Self.burst else { return 0 }
        return (owed - Self.burst) * Self.shareDivisor
    }

    /// Whether others have something to say besides this one.
    func isShared(at now: UInt64, besides session: SessionID) -> Bool {
        if let last, last.session != session, isRecent(last.at, now) { return true }
        return isShared(at: now)
    }

    /// Whether others have something to say besides who was heard last.
    private func isShared(at now: UInt64) -> Bool { isRecent(other, now) || isRecent(ownAt, now) }

    /// A connection has ended; what it owes stays with its host.
    mutating func end(_ session: SessionID, at now: UInt64) {
        guard let talker = talkers.removeValue(forKey: session), let host = talker.host else { return }
        let own = talker.debt.owed(at: now)
        var owed = own - min(own, Self.forgiven) + (left[host]?.owed(at: now) ?? 0)
        owed = min(owed, isShared(at: now) ? Self.leftAtMost : Self.burst)
        guard owed > 0 else { return }
        if left.count >= Self.hostsCount, left[host] == nil { left = left.filter { $0.value.owed(at: now) > 0 } }
        guard left.count < Self.hostsCount || left[host] != nil else { return }
        left[host, default: Debt(at: now)].set(owed, at: now)
    }

    /// Of how many hosts something is remembered.
    var hostsOwing: Int { left.count }

    private func isRecent(_ moment: UInt64?, _ now: UInt64) -> Bool {
        moment.map { now < $0 + Self.lively } ?? false
    }
}
