import Entries
import Sodium

/// One log of a `LightStore`: its entries, every tree node, heads, fork evidence, settlement, and what counts by them.
struct LightLog {
    let certificate: SignedCertificate
    private(set) var stored = LightEntries()
    private(set) var head: Head?
    /// The head that proves the stored entries and reaches beyond them.
    private(set) var pending: PendingHead?
    private(set) var gap: LogGap?
    /// The head that was held before the gap arose.
    private var headBefore: Head?
    private(set) var row: FrontierRow?
    private(set) var evidence: ForkEvidence?
    private(set) var settlement: SignedSettlement?
    /// The settled history while a different one is stored.
    private(set) var side: LightSide?
    /// What counts of the log, by its heads, evidence and settlement (`protocol/log.md` §8).
    private(set) var standing: Standing
    /// False of an own log that is not carried: 16 open logs of its identity come before it, or the account ended
    /// (`protocol/identity.md` §6).
    private(set) var isCarried = true
    private var source: NodeID?
    private var scan = LightScan()

    init(certificate: SignedCertificate) {
        self.certificate = certificate
        standing = Standing(storedEnd: 0, head: 0, pending: nil, cut: nil, settled: nil) { _ in .zero }
    }

    var log: LogID { certificate.log }
    /// By sequence; nil within the gap.
    var entries: [Entry?] { stored.list }
    var tip: LogRange { stored.tip }
    var storedEnd: UInt64 { stored.end }

    // MARK: Taking

    enum Taken {
        case added
        /// The chunk does not continue the stored entries.
        case unfitting
        /// The chunk is not needed: the log is complete, it starts at or beyond the ceiling, or it does not fill the
        /// gap.
        case unwanted
    }

    /// Stores a chunk that continues the log, fills its gap, or extends the settled side history.
    mutating func add(_ chunk: VerifiedChunk, from source: NodeID?) -> Taken {
        switch chunk.proof {
        case .gap(let known): return fill(chunk, under: known)
        case .settled(let known):
            if standing.isComplete { return .unwanted }
            guard standing.settled == known else { return .unfitting }
            if side != nil { return extendSide(with: chunk, from: source) }
        case .cut(let known):
            if standing.isComplete { return .unwanted }
            guard standing.cut == known else { return .unfitting }
        case .head:
            guard !isJudged || chunk.start < standing.ceiling else { return .unwanted }
        }
        guard stored.isContinued(by: chunk) else { return .unfitting }
        if let left = chunk.left {
            guard gap == nil, let missing = LogGap(before: tip, rest: left) else { return .unfitting }
            (gap, headBefore) = (missing, head)
            stored.append(left)
        }
        for entry in chunk.entries { stored.append(entry) }
        if let head = chunk.head, chunk.reachesHead { self.head = head }
        pending = chunk.pending
        updateStanding(source)
        return .added
    }

    mutating func take(_ signed: SignedSettlement, from source: NodeID?) -> Bool {
        if let held = settlement?.settlement, !signed.settlement.overrules(held) { return false }
        if settlement?.settlement.known != signed.settlement.known { side = nil }
        settlement = signed
        updateStanding(source)
        return true
    }

    mutating func take(_ evidence: ForkEvidence, from source: NodeID?) -> Bool {
        if let held = self.evidence, !(evidence.cut < held.cut) { return false }
        self.evidence = evidence
        updateStanding(source)
        return true
    }

    /// Applies the first difference between a peer's history and the stored one; false if it does not fit.
    mutating func take(_ finding: ForkFinding) -> Bool {
        let sequence = finding.sequence
        guard isCarried, let own = entry(sequence)?.id, own != finding.leaf,
            finding.right.bounds.lowerBound == sequence + 1, let prefix = range(0..<sequence)
        else { return false }
        if case .settled = finding.proof {
            guard let settled = standing.settled, !standing.isComplete, side == nil,
                finding.right.bounds.upperBound == settled.size, finding.root(over: prefix) == settled.root
            else { return false }
            side = LightSide(prefix: prefix, first: sequence)
            return true
        }
        guard let theirs = finding.branch(upTo: evidence) else { return false }
        guard let branch = ownBranch(at: sequence, leaf: own) else {
            guard sequence >= standing.size else { return false }
            truncate(to: sequence)
            updateStanding(source)
            return true
        }
        let branches = ForkEvidence.Branches(first: branch, second: theirs)
        let found = ForkEvidence(log: log, sequence: sequence, prefix: prefix, branches: branches)
        let certificate = certificate.certificate
        guard found.isProof(network: certificate.network, device: certificate.device) else { return false }
        return take(found, from: source)
    }

    /// Drops the pending entries: those beyond both the held head and the counted size.
    mutating func restart() {
        let kept = max(head?.size ?? 0, standing.size)
        guard kept < storedEnd else { return }
        let left = kept > head?.size ?? 0 ? pending : nil
        let right = range(kept..<storedEnd).flatMap { left?.right(after: $0) }
        truncate(to: kept)
        if let left, let right { pending = PendingHead(head: left.head, right: right) }
        updateStanding(source)
    }

    /// Stops carrying the own log: none of its entries counts.
    mutating func discount() {
        isCarried = false
        row = nil
        scan.restart()
    }

    mutating func readmit() { isCarried = true }

    /// Drops every erasable body: the account ended.
    mutating func wipe() {
        for sequence in 0..<storedEnd where entries[Int(sequence)]?.header.isErasable == true { withhold(sequence) }
    }

    /// Records the change number of the changed frontier item.
    mutating func number(_ number: UInt64) {
        guard let item else { return }
        row = FrontierRow(
            identity: certificate.certificate.identity,
            item: item,
            time: size > 0 ? entries[Int(size - 1)]?.header.time ?? 0 : 0,
            number: number,
            source: source
        )
    }

    // MARK: Bodies

    func entry(_ sequence: UInt64) -> Entry? { stored.entry(sequence) }

    /// Missing bodies of the entries that began to count, or filled a gap, since the last call; `from` is the first
    /// sequence scanned.
    mutating func scanBodies() -> (from: UInt64, wanted: [BodyPlace]) {
        let places = scan.next(upTo: size)
        let found = places.filter { sequence in
            guard let entry = entries[Int(sequence)] else { return false }
            return entry.payload == nil && entry.header.length <= EntryLimits.maximumPayloadBytes
        }
        return (places.lowerBound, found.map { BodyPlace(log: log, sequence: $0) })
    }

    mutating func withhold(_ sequence: UInt64) { stored.withhold(sequence) }

    /// Puts a body back; false if the entry is not here or its payload hash differs.
    mutating func restore(_ sequence: UInt64, _ payload: [UInt8]) -> Bool { stored.restore(sequence, payload) }

    // MARK: Private

    private mutating func extendSide(with chunk: VerifiedChunk, from source: NodeID?) -> Taken {
        guard side?.append(chunk) == true else { return .unfitting }
        guard let side, chunk.end == standing.settled?.size else { return .added }
        // The settled history is complete: it replaces the stored one from the first difference on.
        let same = zip(entries[Int(side.first)...], side.entries).prefix { $0?.id == $1.id }.count
        truncate(to: side.first + UInt64(same))
        for entry in side.entries[same...] { stored.append(entry) }
        self.side = nil
        updateStanding(source)
        return .added
    }

    private mutating func updateStanding(_ source: NodeID?) {
        let before = standing.item(of: log)
        if let gap, isJudged, Standing.ceiling(cut: evidence?.cut, settled: settlement?.settlement.known) <= gap.end {
            let isComplete = settlement.map { signed in
                let known = signed.settlement.known
                return known.size > gap.end && known.size <= storedEnd && range(0..<known.size)?.root == known.root
            }
            if isComplete != true { shorten() }
        }
        standing = Standing(
            storedEnd: storedEnd,
            head: head?.size ?? 0,
            pending: pending,
            cut: evidence?.cut,
            settled: settlement?.settlement.known,
            root: { range(0..<$0)?.root ?? .zero }
        )
        if standing.item(of: log) == nil, before != nil { row = nil }
        if standing.item(of: log) != before { self.source = source }
    }

    private mutating func truncate(to size: UInt64) {
        scan.truncate(to: size)
        if let head, head.size > size { self.head = nil }
        if let gap, gap.end > size {
            if let headBefore, headBefore.size <= size { head = headBefore }
            (self.gap, headBefore) = (nil, nil)
        }
        pending = nil
        if let side, side.first > size { self.side = nil }
        stored.truncate(to: size, around: gap)
    }

    // MARK: What is left out

    /// Stores the next chunk of the gap, proven under the gap's root.
    private mutating func fill(_ chunk: VerifiedChunk, under known: KnownRoot) -> Taken {
        guard let gap, gap.start == chunk.start, gap.known == known else { return .unwanted }
        var next = gap.before
        for entry in chunk.entries { next.append(leaf: entry.id.raw) }
        guard next == chunk.tip else { return .unwanted }
        for entry in chunk.entries { stored.fill(entry) }
        self.gap = LogGap(before: next, rest: chunk.right)
        if self.gap == nil { headBefore = nil }
        scan.noteFilled(from: chunk.start)
        return .added
    }

    /// Drops the entries behind the gap.
    mutating func dropWindow(_ source: NodeID?) {
        shorten()
        updateStanding(source)
    }

    private mutating func shorten() {
        guard let gap else { return }
        let proof = proof(before: gap)
        truncate(to: gap.start)
        pending = gap.start > head?.size ?? 0 ? proof : nil
    }
}
