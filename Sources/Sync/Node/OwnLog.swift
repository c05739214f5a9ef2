import Entries

/// The log that this home writes, and how much of it may leave (`protocol/own-log.md`).
///
/// Nothing above `published` is announced or sent before a peer of this start has shown what it holds of the log, and
/// before the store has noted that it leaves: a home that was restored from a backup would fork its log otherwise.
/// What a peer only says delays that for a while; what it proves ends the signing.
struct OwnLog {
    let log: LogID
    private(set) var size: UInt64
    private(set) var published: UInt64
    private(set) var isCleared = false
    private(set) var isStopped: Bool
    /// Stopped for want of room alone: signed again once the log is carried.
    private var isNotCarried: Bool
    /// The most that a peer of this start said to hold; nil: nobody answered.
    private(set) var shown: UInt64?
    /// Peers that say they have what is not here, and until when they are waited for, in monotonic milliseconds.
    private var claims: [NodeID: UInt64] = [:]
    /// Everybody who was waited for in this start.
    private var claimants: Set<NodeID> = []
    private var publishing: UInt64?
    /// Entries from here on count nowhere, by the root key's word or a fork: nobody waits for them, or is to see them.
    private var end = UInt64.max
    /// Written lately and not yet sent.
    private var waiting: [VerifiedChunk] = []

    init(_ state: OwnLogState) {
        log = state.log
        size = state.size
        published = state.published
        isStopped = state.signing != .allowed
        isNotCarried = state.signing == .notCarried
    }

    /// What is written may leave as soon as the store has noted it.
    var mayLeave: Bool { isCleared && !isStopped && claims.isEmpty }

    /// True while there is something that nobody may see.
    var isWithheld: Bool { min(size, end) > published }

    /// Whether what goes so far is not to leave: it may be in the store before this node knows of it.
    func hides(to end: UInt64) -> Bool { isWithheld || end > max(published, min(size, self.end)) }

    /// True while that may still leave: others wait for it. What a stopped home has not sent stays where it is.
    var isHeldBack: Bool { isWithheld && !isStopped }

    /// When the next claim ends that nobody has proven.
    var nextExpiry: UInt64? { claims.values.min() }

    mutating func appended(_ chunk: VerifiedChunk) {
        size = max(size, chunk.end)
        if !isStopped { waiting.append(chunk) }
    }

    // MARK: What peers say

    mutating func note(shown size: UInt64) {
        shown = max(shown ?? 0, size)
    }

    /// All that the peer has is here.
    mutating func agreed(_ node: NodeID) {
        claims[node] = nil
        isCleared = true
    }

    /// The peer says that it has more, or something else: nothing leaves until it was asked, if it was not waited for before.
    mutating func claimed(_ node: NodeID, now: UInt64) {
        guard !isStopped, claimants.count < Limits.ownLogClaimants, claimants.insert(node).inserted else { return }
        claims[node] = now + UInt64(Limits.ownLogClaimMilliseconds)
    }

    /// The peer could not show what it said, nor that it was nothing: whether anything may leave, others say.
    mutating func withdrawn(_ node: NodeID) {
        claims[node] = nil
    }

    /// A file shows no more of the log than is here, and the same of it: as good as a peer's answer.
    mutating func fileAgreed() {
        isCleared = true
    }

    /// Waits no longer for those who have not proven anything in time.
    mutating func expireClaims(now: UInt64) {
        guard let expiry = nextExpiry, expiry <= now else { return }
        claims = claims.filter { $0.value > now }
    }

    /// A peer has proven entries of this log that are not here, or another branch of it; nil if one did before.
    mutating func stop(_ proof: OwnLogStop.Proof) -> OwnLogStop? {
        guard !isStopped || isNotCarried else { return nil }
        isStopped = true
        isNotCarried = false
        claims = [:]
        waiting = []
        return OwnLogStop(proof: proof, published: published)
    }

    /// The store signs no more: the log is forked, settled or not carried. True if that is news.
    mutating func halt(_ reason: OwnLogEnd) -> Bool {
        guard !isStopped || isNotCarried else { return false }
        let isNews = !isStopped || reason != .notCarried
        isStopped = true
        isNotCarried = reason == .notCarried
        claims = [:]
        waiting = []
        return isNews
    }

    /// The log is carried: if that was all that it was stopped for, it is signed again, and nothing leaves before somebody
    /// has shown anew what he holds of it. True if so.
    mutating func resume() -> Bool {
        guard isNotCarried else { return false }
        isStopped = false
        isNotCarried = false
        isCleared = false
        claimants = []
        return true
    }

    /// What evidence and the root key leave of the log. What the root key itself counts has left, whoever has it: there is
    /// no fork to fear.
    mutating func judged(_ standing: LogStanding) {
        end = standing.ceiling
        if standing.isComplete { published = max(published, standing.ceiling) }
    }

    /// Entries that a peer brought: they, and all before them, have left some home.
    mutating func adopted(_ held: UInt64) {
        guard held > size else { return }
        size = held
        published = held
        waiting = []
        claims = [:]
        isCleared = true
    }

    // MARK: What leaves

    /// What the store is to note before it leaves; asked when a transaction begins.
    mutating func publish() -> UInt64? {
        guard mayLeave, size > published, publishing == nil else { return nil }
        publishing = size
        return size
    }

    /// A file took so much of it away, whoever claims what.
    mutating func released(_ size: UInt64) {
        published = max(published, size)
    }

    /// The store has noted it: gives what may be sent now. Nothing, if the log was stopped meanwhile, or somebody claims to have
    /// more of it: then it is noted again when that has come to nothing.
    mutating func hasPublished(_ size: UInt64) -> [VerifiedChunk] {
        publishing = nil
        guard mayLeave else { return [] }
        published = max(published, size)
        let released = waiting.filter { $0.end <= size }
        waiting.removeAll { $0.end <= size }
        return released
    }
}
