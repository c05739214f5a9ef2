import Entries

/// The log that this home writes, and how much of it may leave (`protocol/sync.md §3`).
///
/// Nothing above `published` is announced or sent before a peer of this start has shown what it holds of the log, and
/// before the store has noted that it leaves: a home that was restored from a backup would fork its log otherwise.
struct OwnLog {
    let log: LogID
    private(set) var size: UInt64
    private(set) var published: UInt64
    private(set) var isCleared = false
    private(set) var isStopped = false
    /// Peers that say they hold more, and have not yet shown or withdrawn it.
    private var claims: [SessionID] = []
    private var publishing: UInt64?
    /// Written lately and not yet sent.
    private var waiting: [VerifiedChunk] = []

    init(_ state: OwnLogState) {
        log = state.log
        size = state.size
        published = state.published
    }

    /// What is written may leave as soon as the store has noted it.
    var mayLeave: Bool { isCleared && !isStopped && claims.isEmpty }

    /// True while there is something that nobody may see yet.
    var isWithheld: Bool { size > published }

    mutating func appended(_ chunk: VerifiedChunk) {
        size = max(size, chunk.end)
        waiting.append(chunk)
    }

    /// How the peer's root compares with this home's at the same size.
    enum Root: Hashable {
        /// Or not known to differ.
        case same
        case different
    }

    /// A peer has said what it holds.
    enum Answer: Hashable {
        /// All of it is here.
        case agreed
        /// It says that it holds more: it is asked to show it.
        case claimed
        /// It holds something else where this home has not published anything: the home was copied or restored.
        case otherBranch
    }

    /// Notes what a peer says, and whether the roots at its size are known to differ.
    mutating func peerShowed(_ shown: UInt64, _ root: Root, _ session: SessionID) -> Answer {
        guard shown <= size else {
            if !claims.contains(session) { claims.append(session) }
            return .claimed
        }
        guard root == .same else {
            isStopped = true
            return .otherBranch
        }
        isCleared = true
        return .agreed
    }

    /// The peer is gone, or has nothing of what it claimed.
    mutating func withdrawClaim(_ session: SessionID) {
        claims.removeAll { $0 == session }
    }

    /// A peer has proven entries of this log that are not here, or another branch of it.
    mutating func stop() {
        isStopped = true
    }

    /// Entries that a peer brought: they have left this home before.
    mutating func adopted(_ held: UInt64) {
        size = max(size, held)
        waiting = []
        claims = []
        isCleared = true
        if isStopped { published = max(published, held) }
    }

    /// What the store is to note before it leaves; asked when a transaction begins.
    mutating func publish() -> UInt64? {
        guard mayLeave, size > published, publishing == nil else { return nil }
        publishing = size
        return size
    }

    /// The store has noted it: gives what may be sent now.
    mutating func hasPublished(_ size: UInt64) -> [VerifiedChunk] {
        publishing = nil
        published = max(published, size)
        let released = waiting.filter { $0.end <= size }
        waiting.removeAll { $0.end <= size }
        return released
    }
}
