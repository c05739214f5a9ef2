import Entries

/// Logs that wait for their identity's quota, each to be asked of one session (`protocol/node.md` §3, Quotas).
///
/// Of one session a log is here once: `Asking.delay` sees to that.
struct DelayedWants {
    struct Want {
        /// When the quota allows it again, in monotonic milliseconds.
        let due: UInt64
        let session: SessionID
        let log: LogID
    }

    private var wants: [Want] = []
    /// No wait ends before this, in monotonic milliseconds; that of a session that ended meanwhile may be in it.
    private(set) var earliestDue: UInt64 = .max

    var count: Int { wants.count }

    mutating func add(_ log: LogID, of session: SessionID, until due: UInt64) {
        wants.append(Want(due: due, session: session, log: log))
        earliestDue = min(earliestDue, due)
    }

    /// Takes those whose wait is over, in the order in which they were added.
    mutating func takeDue(now: UInt64) -> [Want] {
        // Mostly nothing is due, and this is called with each event.
        guard now >= earliestDue else { return [] }
        let due = wants.filter { $0.due <= now }
        wants.removeAll { $0.due <= now }
        earliestDue = wants.lazy.map(\.due).min() ?? .max
        return due
    }

    /// The session ended: nothing is asked of it any more.
    mutating func removeAll(of session: SessionID) {
        wants.removeAll { $0.session == session }
    }
}
