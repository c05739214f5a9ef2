/// Sessions at rest: `NodeMachine.proceed` skips them until something changes for them, or their time comes.
///
/// Looking at all sessions for each event would cost more than the events.
struct Rests {
    struct Rest {
        /// Monotonic milliseconds from which on the session is looked at again.
        let until: UInt64
        /// Monotonic milliseconds for the alarm, without moments that can wait for the next event anyway.
        let due: UInt64
        /// Whether the peer's cursor has moved beyond the saved one.
        let hasCursor: Bool
        /// Whether both sides are quiet and equal; that counts as a comparison for as long as the rest lasts.
        let isEqual: Bool
    }

    /// Node-wide state on which any session may depend, besides the frontier and the free bodies and gaps; a change of
    /// it ends all rests.
    struct Surroundings: Hashable {
        /// Whether the node was crowded when sessions were last looked at, or is now.
        var isCrowded = false
        /// Whether the next transaction is full.
        var isFull = false
        /// The own log's index in the frontier while it is withheld; nil: it is not.
        var withheld: UInt32?
        var isHeldBack = false
    }

    private var rests: [SessionID: Rest] = [:]
    /// Whether all rests have to end.
    private(set) var areOver = false
    var surroundings = Surroundings()
    /// When sessions were last looked at.
    private(set) var lookedAt: UInt64 = 0
    /// The earliest moment at which a rest ends by itself.
    private(set) var earliest: UInt64 = .max
    /// Whether a peer owed an answer then.
    private(set) var isOwed = false

    subscript(session: SessionID) -> Rest? { rests[session] }

    /// Ends all rests, since something changed on which any session may depend.
    mutating func end() {
        areOver = true
    }

    mutating func begin(_ rest: Rest, of session: SessionID) {
        rests[session] = rest
    }

    @discardableResult
    mutating func end(of session: SessionID) -> Rest? {
        rests.removeValue(forKey: session)
    }

    /// Notes that all rests that had to end have ended.
    mutating func areEnded() {
        areOver = false
    }

    /// Notes that all sessions that had to be looked at were.
    mutating func looked(at time: UInt64, earliest: UInt64, owing: Bool) {
        lookedAt = time
        self.earliest = earliest
        isOwed = owing
    }
}
