import Entries

/// Logs that were named on a link that is no branch, and may yet come over one that is (`protocol/sync.md` §6): Plumtree's
/// timers for what IHAVE offered.
///
/// Each of the two waits is always equally long, so that what waits is in the order of its end.
struct AwaitedPushes {
    struct Name: Hashable {
        let log: LogID
        let session: SessionID
        /// Monotonic milliseconds.
        let due: UInt64
    }

    private var first = Queue<Name>()
    /// Of what somebody else is asked for meanwhile.
    private var again = Queue<Name>()
    private var counts: [SessionID: Int] = [:]

    var count: Int { first.count + again.count }

    /// When the next wait ends; `.max`: nothing waits.
    var nextDue: UInt64 { min(first.first?.due ?? .max, again.first?.due ?? .max) }

    /// A log was named; false if as many of this session wait as may, and it is to be asked for at once.
    mutating func add(_ log: LogID, named session: SessionID, at now: UInt64) -> Bool {
        guard counts[session, default: 0] < GossipLimits.missingCount else { return false }
        counts[session, default: 0] += 1
        first.append(Name(log: log, session: session, due: now + GossipLimits.graftMilliseconds))
        return true
    }

    /// The wait of a name is over, and somebody else is asked for the log: another one begins.
    mutating func add(again name: Name, at now: UInt64) {
        counts[name.session, default: 0] += 1
        again.append(Name(log: name.log, session: name.session, due: now + GossipLimits.silenceMilliseconds))
    }

    /// A name whose wait is over.
    mutating func popDue(at now: UInt64) -> Name? {
        var name: Name?
        if let next = first.first, next.due <= now {
            name = first.popFirst()
        } else if let next = again.first, next.due <= now {
            name = again.popFirst()
        }
        guard let name else { return nil }
        let count = counts[name.session, default: 0] - 1
        counts[name.session] = count > 0 ? count : nil
        return name
    }

    /// The session is over: nothing is asked of it any more.
    mutating func remove(_ session: SessionID) {
        guard counts.removeValue(forKey: session) != nil else { return }
        first = first.without { $0.session == session }
        again = again.without { $0.session == session }
    }
}

extension Queue {
    fileprivate func without(_ isGone: (Element) -> Bool) -> Queue {
        var rest = self
        var kept = Queue()
        while let element = rest.popFirst() {
            if !isGone(element) { kept.append(element) }
        }
        return kept
    }
}
