import Entries

/// Temporary bans of peers that broke the protocol: 10 minutes, doubling to a day (`protocol/sync.md` §12).
struct Penalties {
    /// A node by its id; one that had not shown it, by its address.
    enum Subject: Hashable {
        case node(NodeID)
        case address(PeerAddress)
    }

    private struct Penalty {
        var until: UInt64
        var count: Int
    }

    private var penalties: [Subject: Penalty] = [:]

    var count: Int { penalties.count }

    /// Adds a penalty; returns its milliseconds.
    mutating func punish(_ subject: Subject, now: UInt64) -> UInt64 {
        let count = penalties[subject]?.count ?? 0
        let delay = Backoff.milliseconds(
            failures: count,
            base: Limits.penaltyMilliseconds,
            maximum: Limits.penaltyMaximumMilliseconds
        )
        if penalties.count >= Limits.penaltiesCount, penalties[subject] == nil { forget(now: now) }
        penalties[subject] = Penalty(until: now + delay, count: count + 1)
        return delay
    }

    /// When the penalty ends; nil: there is none.
    func end(_ subject: Subject, now: UInt64) -> UInt64? {
        guard let penalty = penalties[subject], penalty.until > now else { return nil }
        return penalty.until
    }

    /// A person asks for the peer: the penalty ends, and the next one is as long as if it had not.
    mutating func lift(_ subject: Subject) {
        penalties[subject]?.until = 0
    }

    /// Makes room: removes the penalties that have ended, or else the one that ends first.
    private mutating func forget(now: UInt64) {
        guard let soonest = penalties.values.map(\.until).min() else { return }
        penalties = penalties.filter { $0.value.until > max(soonest, now) }
    }
}
