import Entries

/// The log that this home writes, and how much of it may leave (`protocol/own-log.md`).
///
/// Entries at or above `published` are announced or sent only once a peer has agreed since the start, and the store has
/// raised *published*: otherwise a home restored from a backup would fork its log. An unproven claim of a peer delays
/// that for a while; a proof ends the signing.
struct OwnLog {
    let log: LogID
    private(set) var size: UInt64
    private(set) var published: UInt64
    private(set) var isCleared = false
    private var signing: OwnLogState.Signing
    /// Largest size that a peer reported since the start; nil: none has answered.
    private(set) var shown: UInt64?
    /// Claims: peers that say they hold entries which are not here, and until when each holds own entries back, in
    /// monotonic milliseconds.
    private var claims: [NodeID: UInt64] = [:]
    /// All nodes that made a claim since the start; each is waited for once.
    private var claimants: Set<NodeID> = []
    private var publishing: UInt64?
    /// Ceiling by a settlement or a fork: entries from here on do not count and are never sent, and nothing waits for
    /// them.
    private var end = UInt64.max
    /// Entries written here and not yet sent.
    private var waiting: [VerifiedChunk] = []

    init(_ state: OwnLogState) {
        log = state.log
        size = state.size
        published = state.published
        signing = state.signing
    }

    var isStopped: Bool { signing != .allowed }

    /// Whether new entries may leave as soon as the store has raised *published*.
    var mayLeave: Bool { isCleared && !isStopped && claims.isEmpty }

    /// Whether there are entries that no peer may see.
    var isWithheld: Bool { min(size, end) > published }

    /// Whether a chunk that ends at `end` may not leave: none may while the log is withheld, nor entries that the store
    /// has and this machine was not told of yet.
    func hides(to end: UInt64) -> Bool { isWithheld || end > max(published, min(size, self.end)) }

    /// Whether withheld entries may still leave, so that change numbers and quiet wait for them. A stopped home never
    /// sends them.
    var isHeldBack: Bool { isWithheld && !isStopped }

    /// When the next claim expires.
    var nextExpiry: UInt64? { claims.values.min() }

    mutating func appended(_ chunk: VerifiedChunk) {
        size = max(size, chunk.end)
        if !isStopped { waiting.append(chunk) }
    }

    // MARK: What peers say

    mutating func note(shown size: UInt64) {
        shown = max(shown ?? 0, size)
    }

    /// Notes that the peer agrees: all that it has is here.
    mutating func agreed(_ node: NodeID) {
        claims[node] = nil
        isCleared = true
    }

    /// Notes a claim: the peer says that it has more, or another history. Nothing leaves until it was asked; each node
    /// holds the log back once.
    mutating func claimed(_ node: NodeID, now: UInt64) {
        guard !isStopped, claimants.count < Limits.ownLogClaimants, claimants.insert(node).inserted else { return }
        claims[node] = now + UInt64(Limits.ownLogClaimMilliseconds)
    }

    /// Drops a claim that was neither proven nor refuted: whether entries may leave is left to other peers.
    mutating func withdrawn(_ node: NodeID) {
        claims[node] = nil
    }

    /// Notes that a file shows the same history and no more of it: it counts like a peer that agrees.
    mutating func fileAgreed() {
        isCleared = true
    }

    /// Drops claims that were not proven in time.
    mutating func expireClaims(now: UInt64) {
        guard let expiry = nextExpiry, expiry <= now else { return }
        claims = claims.filter { $0.value > now }
    }

    /// Stops signing, since a peer has proven entries that are not here, or another branch; nil: it was stopped before.
    mutating func stop(_ proof: OwnLogStop.Proof) -> OwnLogStop? {
        guard signing != .stopped else { return nil }
        signing = .stopped
        claims = [:]
        waiting = []
        return OwnLogStop(proof: proof, published: published)
    }

    /// Stops signing, since the store does: the log is forked, settled or not carried. True if that is news.
    mutating func halt(_ reason: OwnLogEnd) -> Bool {
        guard signing != .stopped else { return false }
        let isNews = !isStopped || reason != .notCarried
        signing = reason == .notCarried ? .notCarried : .stopped
        claims = [:]
        waiting = []
        return isNews
    }

    /// Resumes signing if the log was stopped only because it was not carried; a peer has to agree anew before anything
    /// leaves. True if it was.
    mutating func resume() -> Bool {
        guard signing == .notCarried else { return false }
        signing = .allowed
        isCleared = false
        claimants = []
        return true
    }

    /// Takes over the ceiling that fork evidence or a settlement sets. Entries complete under a settlement count as
    /// published, whether they ever left or not: there is no fork to fear.
    mutating func judged(_ standing: LogStanding) {
        end = standing.ceiling
        if standing.isComplete { published = max(published, standing.ceiling) }
    }

    /// Takes over entries that a peer brought: they, and all before them, have left some home.
    mutating func adopted(_ held: UInt64) {
        guard held > size else { return }
        size = held
        published = held
        waiting = []
        claims = [:]
        isCleared = true
    }

    // MARK: What leaves

    /// The size up to which the next transaction is to raise *published*; nil: none.
    mutating func publish() -> UInt64? {
        guard mayLeave, size > published, publishing == nil else { return nil }
        publishing = size
        return size
    }

    /// A file carried the log away up to this size, whatever peers claim.
    mutating func released(_ size: UInt64) {
        published = max(published, size)
    }

    /// Notes that the store raised *published*, and returns the entries to send now: none if the log was stopped
    /// meanwhile or a claim came; *published* is then raised again when the claim has come to nothing.
    mutating func hasPublished(_ size: UInt64) -> [VerifiedChunk] {
        publishing = nil
        guard mayLeave else { return [] }
        published = max(published, size)
        let released = waiting.filter { $0.end <= size }
        waiting.removeAll { $0.end <= size }
        return released
    }
}
