/// Who brought something new lately: as long as somebody does besides whoever sends much, transactions are short.
struct Liveliness {
    /// The session that was last, and the last other one.
    private var last: (session: SessionID, at: UInt64)?
    private var other: (session: SessionID, at: UInt64)?
    private var ownAt: UInt64?

    mutating func note(_ session: SessionID, now: UInt64) {
        if let last, last.session != session { other = last }
        last = (session, now)
    }

    /// A session is over: whoever was live in it brings nothing more, and a peer that comes back is nobody besides itself.
    mutating func forget(_ session: SessionID) {
        if other?.session == session { other = nil }
        if last?.session == session {
            last = other
            other = nil
        }
    }

    /// The person here wrote something.
    mutating func noteOwn(now: UInt64) {
        ownAt = now
    }

    /// Whether somebody waits for somebody else's entries, if these are what arrives.
    func isShared(by arrivals: Arrivals, now: UInt64) -> Bool {
        if Self.isRecent(ownAt, now) { return true }
        guard let last, Self.isRecent(last.at, now) else { return false }
        return Self.isRecent(other?.at, now) || arrivals.isAnything(besides: last.session)
    }

    private static func isRecent(_ moment: UInt64?, _ now: UInt64) -> Bool {
        moment.map { now < $0 + Limits.livelyMilliseconds } ?? false
    }
}
