/// The sessions that brought something live lately: while live entries may wait behind another session's chunks,
/// transactions are short.
struct Liveliness {
    /// The last session with something live, and the last other one.
    private var last: (session: SessionID, at: UInt64)?
    private var other: (session: SessionID, at: UInt64)?
    private var ownAt: UInt64?

    mutating func note(_ session: SessionID, now: UInt64) {
        if let last, last.session != session { other = last }
        last = (session, now)
    }

    /// Forgets an ended session: it brings nothing more, and a peer that comes back must not count as another one.
    mutating func forget(_ session: SessionID) {
        if other?.session == session { other = nil }
        if last?.session == session {
            last = other
            other = nil
        }
    }

    /// The person here wrote an entry.
    mutating func noteOwn(now: UInt64) {
        ownAt = now
    }

    /// Whether live entries may wait behind another session's, given these arrivals.
    func isShared(by arrivals: Arrivals, now: UInt64) -> Bool {
        if Self.isRecent(ownAt, now) { return true }
        guard let last, Self.isRecent(last.at, now) else { return false }
        return Self.isRecent(other?.at, now) || arrivals.isAnything(besides: last.session)
    }

    private static func isRecent(_ moment: UInt64?, _ now: UInt64) -> Bool {
        moment.map { now < $0 + Limits.livelyMilliseconds } ?? false
    }
}
