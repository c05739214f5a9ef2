import Entries

/// Whoever broke the protocol, and for how long that has consequences: 10 minutes, doubling to a day.
struct Penalties {
    /// A node by its id; one that had not shown it, by where it came from.
    enum Subject: Hashable {
        case node(NodeID)
        case address(PeerAddress)
        case host(HostNetwork)
    }

    private struct Penalty {
        var until: UInt64
        var count: Int
    }

    private var penalties: [Subject: Penalty] = [:]

    var count: Int { penalties.count }

    /// Adds a penalty; milliseconds until its end.
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

    /// When the peer may be dealt with again; nil: now.
    func end(_ subject: Subject, now: UInt64) -> UInt64? {
        guard let penalty = penalties[subject], penalty.until > now else { return nil }
        return penalty.until
    }

    /// Makes room: what ended longest ago, or ends soonest.
    private mutating func forget(now: UInt64) {
        guard let soonest = penalties.values.map(\.until).min() else { return }
        penalties = penalties.filter { $0.value.until > max(soonest, now) }
    }
}
