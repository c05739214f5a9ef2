/// The sessions at which nothing is to be done until something changes them, or a moment comes: looking at all of them for
/// each event would cost more than the events (`NodeMachine.settle`).
struct Rests {
    struct Rest {
        /// From this moment on the session is looked at again, in monotonic milliseconds.
        let until: UInt64
        /// The same of what the node is to be woken for: what only an event lets happen is not among it.
        let due: UInt64
        /// The peer has told more than the store knows that it told.
        let hasCursor: Bool
        /// Both sides are quiet and hold the same, and that counts as compared as long as they are.
        let isEqual: Bool
    }

    /// What any session may depend on beside itself, the frontier, and what bodies and gaps are free.
    struct Surroundings: Hashable {
        /// There was little room for each when sessions were looked at, or there is now.
        var isCrowded = false
        /// The next transaction takes no more.
        var isFull = false
        /// The own log, while nobody may see it.
        var withheld: UInt32?
        var isHeldBack = false
    }

    private var rests: [SessionID: Rest] = [:]
    /// None rests any more.
    private(set) var areOver = false
    var surroundings = Surroundings()
    /// When sessions were looked at the last time.
    private(set) var lookedAt: UInt64 = 0
    /// No rest ends by itself before this.
    private(set) var earliest: UInt64 = .max
    /// Some peer owed an answer then.
    private(set) var isOwed = false

    subscript(session: SessionID) -> Rest? { rests[session] }

    /// Something changed that any session may depend on.
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

    /// Every rest that had to end has.
    mutating func areEnded() {
        areOver = false
    }

    /// All sessions were looked at that had to be.
    mutating func looked(at time: UInt64, earliest: UInt64, owing: Bool) {
        lookedAt = time
        self.earliest = earliest
        isOwed = owing
    }
}
