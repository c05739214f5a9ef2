import Entries

/// Logs that were named on a link that is no branch, and may still be pushed on one that is (`protocol/node.md` §5):
/// Plumtree's timers for IHAVE.
///
/// Each of the two waits has a fixed length, so both queues are in the order of their deadlines.
struct AwaitedPushes {
    struct Name: Hashable {
        let log: LogID
        let session: SessionID
        /// Monotonic milliseconds.
        let due: UInt64
    }

    private var first = Queue<Name>()
    /// Second waits, while another peer is asked for the log.
    private var again = Queue<Name>()
    private var counts: [SessionID: Int] = [:]

    var count: Int { first.count + again.count }

    /// When the next wait ends; `.max`: none is open.
    var nextDue: UInt64 { min(first.first?.due ?? .max, again.first?.due ?? .max) }

    /// Begins to wait for a push; false if too many of this session's names wait, and the log is to be requested at
    /// once.
    mutating func add(_ log: LogID, named session: SessionID, at now: UInt64) -> Bool {
        guard counts[session, default: 0] < Limits.missingCount else { return false }
        counts[session, default: 0] += 1
        first.append(Name(log: log, session: session, due: now + Limits.graftMilliseconds))
        return true
    }

    /// Begins the second wait for a name, since another peer is asked for the log.
    mutating func add(again name: Name, at now: UInt64) {
        counts[name.session, default: 0] += 1
        again.append(Name(log: name.log, session: name.session, due: now + Limits.silenceMilliseconds))
    }

    /// The next name whose wait is over.
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

    /// The session ended: nothing is asked of it any more.
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
