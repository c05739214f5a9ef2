import Entries
import Sodium

/// One log of a `LightStore`: its entries, every tree node, heads, fork evidence, settlement, and what counts by them.
struct LightLog {
    let certificate: SignedCertificate
    /// By sequence; nil within the gap.
    private(set) var entries: [Entry?] = []
    private(set) var tip = LogRange()
    private(set) var head: Head?
    /// The head that proves the stored entries and reaches beyond them.
    private(set) var pending: PendingHead?
    private(set) var gap: LogGap?
    /// The head that was held before the gap arose.
    private var headBefore: Head?
    private(set) var row: FrontierRow?
    private(set) var evidence: ForkEvidence?
    private(set) var settlement: SignedSettlement?
    /// The settled history while a different one is stored: its compact range; `sideEntries` holds entries from
    /// `sideFirst` on.
    private(set) var side: LogRange?
    /// What counts of the log, by its heads, evidence and settlement (`protocol/log.md §8`).
    private(set) var standing: Standing
    /// False of an own log that is not carried: 16 open logs of its identity come before it, or the account ended
    /// (`protocol/identity.md §6`).
    private(set) var isCarried = true
    private var sideFirst: UInt64 = 0
    private var sideEntries: [Entry] = []
    private var source: NodeID?
    private var tree = LightTree()
    /// Entries that count and were scanned for missing bodies.
    private var scanned: UInt64 = 0
    /// The first entry that filled a gap since the last scan; `UInt64.max`: none.
    private var filled = UInt64.max

    init(certificate: SignedCertificate) {
        self.certificate = certificate
        standing = Standing(storedEnd: 0, head: 0, pending: nil, cut: nil, settled: nil) { _ in .zero }
    }

    var log: LogID { certificate.log }
    var candidate: Carriage.Candidate {
        .init(serial: certificate.certificate.serial, log: log, end: settlement == nil ? .open : .settled)
    }
    var storedEnd: UInt64 { UInt64(entries.count) }
    /// Number of entries that count (`protocol/log.md §8`).
    var size: UInt64 { isCarried ? standing.size : 0 }
    var item: FrontierItem? { isCarried ? standing.item(of: log) : nil }
    /// Whether fork evidence or a settlement is held.
    var isJudged: Bool { evidence != nil || settlement != nil }

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
            if let side { return extend(side, with: chunk, from: source) }
        case .cut(let known):
            if standing.isComplete { return .unwanted }
            guard standing.cut == known else { return .unfitting }
        case .head:
            guard !isJudged || chunk.start < standing.ceiling else { return .unwanted }
        }
        guard continues(with: chunk) else { return .unfitting }
        if let left = chunk.left {
            guard gap == nil, let missing = LogGap(before: tip, rest: left) else { return .unfitting }
            (gap, headBefore) = (missing, head)
            put(left)
        }
        for entry in chunk.entries { put(entry) }
        if let head = chunk.head, chunk.reachesHead { self.head = head }
        pending = chunk.pending
        restand(source)
        return .added
    }

    /// Whether a peer that offers this size may have entries that are missing here.
    func lacks(_ offered: UInt64) -> Bool {
        if standing.isComplete { return false }
        if settlement != nil { return true }
        return size < min(offered, standing.ceiling)
    }

    mutating func take(_ signed: SignedSettlement, from source: NodeID?) -> Bool {
        if let held = settlement?.settlement, !signed.settlement.overrules(held) { return false }
        if settlement?.settlement.known != signed.settlement.known { side = nil }
        settlement = signed
        restand(source)
        return true
    }

    mutating func take(_ evidence: ForkEvidence, from source: NodeID?) -> Bool {
        if let held = self.evidence, !(evidence.cut < held.cut) { return false }
        self.evidence = evidence
        restand(source)
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
            (side, sideFirst, sideEntries) = (prefix, sequence, [])
            return true
        }
        guard let theirs = finding.branch(upTo: evidence) else { return false }
        guard let branch = ownBranch(at: sequence, leaf: own) else {
            guard sequence >= standing.size else { return false }
            truncate(to: sequence)
            restand(source)
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
        restand(source)
    }

    /// Stops carrying the own log: none of its entries counts.
    mutating func discount() {
        isCarried = false
        row = nil
        scanned = 0
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

    func entry(_ sequence: UInt64) -> Entry? { sequence < storedEnd ? entries[Int(sequence)] : nil }

    /// Missing bodies of the entries that began to count, or filled a gap, since the last call; `from` is the first
    /// sequence scanned.
    mutating func scanBodies() -> (from: UInt64, wanted: [BodyPlace]) {
        let from = min(scanned, size, filled)
        filled = .max
        let found = (from..<size).filter { sequence in
            guard let entry = entries[Int(sequence)] else { return false }
            return entry.payload == nil && entry.header.length <= EntryLimits.maximumPayloadBytes
        }
        scanned = size
        return (from, found.map { BodyPlace(log: log, sequence: $0) })
    }

    mutating func withhold(_ sequence: UInt64) {
        guard let entry = entry(sequence) else { return }
        entries[Int(sequence)] = Entry(withheld: entry.header)
    }

    /// Puts a body back; false if the entry is not here or its payload hash differs.
    mutating func restore(_ sequence: UInt64, _ payload: [UInt8]) -> Bool {
        guard let old = entry(sequence)?.header, PayloadHash(of: payload) == old.payloadHash else { return false }
        entries[Int(sequence)] = Entry(
            version: old.version,
            flags: old.flags,
            kind: old.kind,
            log: old.log,
            sequence: sequence,
            time: old.time,
            clock: old.clock,
            payload: payload
        )
        return true
    }

    // MARK: Private

    private func continues(with chunk: VerifiedChunk) -> Bool {
        var next = tip
        if let left = chunk.left, !next.append(left) { return false }
        guard next.bounds.upperBound == chunk.start else { return false }
        for entry in chunk.entries { next.append(leaf: entry.id.raw) }
        return next == chunk.tip
    }

    private mutating func extend(_ side: LogRange, with chunk: VerifiedChunk, from source: NodeID?) -> Taken {
        guard chunk.start == side.bounds.upperBound else { return .unfitting }
        var longer = side
        for entry in chunk.entries { longer.append(leaf: entry.id.raw) }
        guard longer == chunk.tip else { return .unfitting }
        sideEntries += chunk.entries.map { $0.header.isErasable ? Entry(withheld: $0.header) : $0 }
        self.side = longer
        guard chunk.end == standing.settled?.size else { return .added }
        // The settled history is complete: it replaces the stored one from the first difference on.
        let same = zip(entries[Int(sideFirst)...], sideEntries).prefix { $0?.id == $1.id }.count
        truncate(to: sideFirst + UInt64(same))
        for entry in sideEntries[same...] { put(entry) }
        (self.side, sideEntries) = (nil, [])
        restand(source)
        return .added
    }

    private func ownBranch(at sequence: UInt64, leaf: EntryID) -> ForkEvidence.Branch? {
        if let head, head.size > sequence {
            return range(sequence + 1..<head.size).map {
                .init(size: head.size, signature: head.signature, leaf: leaf, right: $0)
            }
        }
        if let evidence, standing.isProvenToCut, sequence < evidence.sequence,
            let right = range(sequence + 1..<evidence.sequence)
        {
            return ForkEvidence.Branch(leaf: leaf, right: right, upTo: evidence)
        }
        return range(sequence + 1..<storedEnd).flatMap { pending?.branch(leaf: leaf, stored: $0) }
    }

    private mutating func restand(_ source: NodeID?) {
        let before = standing.item(of: log)
        if let gap, isJudged, min(evidence?.cut.size ?? .max, settlement?.settlement.size ?? .max) <= gap.end {
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
        let kept = entries.prefix(Int(size))
        entries = []
        tree = LightTree()
        tip = LogRange()
        scanned = min(scanned, size)
        if let head, head.size > size { self.head = nil }
        if let gap, gap.end > size {
            if let headBefore, headBefore.size <= size { head = headBefore }
            (self.gap, headBefore) = (nil, nil)
        }
        pending = nil
        if sideFirst > size { side = nil }
        var next = 0
        while next < kept.count {
            if let gap, UInt64(next) == gap.start {
                put(gap.rest)
                next = Int(gap.end)
            } else if let entry = kept[next] {
                put(entry)
                next += 1
            } else {
                return
            }
        }
    }

    /// A node of the log's tree; nil if it lies in the gap or beyond the stored entries.
    func node(_ place: TreePlace) -> Bytes32? {
        if let known = tree.node(place) { return known }
        guard let gap else { return nil }
        // A chunk that filled part of the gap carried nodes of the rest; parents follow from those.
        if let shown = gap.node(at: place) { return shown }
        guard place.level > 0 else { return nil }
        guard let left = node(place.halves.left), let right = node(place.halves.right) else { return nil }
        return LogTreeHash.node(left, right)
    }

    // MARK: What is left out

    /// Stores the next chunk of the gap, proven under the gap's root.
    private mutating func fill(_ chunk: VerifiedChunk, under known: KnownRoot) -> Taken {
        guard let gap, gap.start == chunk.start, gap.known == known else { return .unwanted }
        var next = gap.before
        for entry in chunk.entries { next.append(leaf: entry.id.raw) }
        guard next == chunk.tip else { return .unwanted }
        for entry in chunk.entries {
            let place = Int(entry.header.sequence)
            entries[place] = entry
            tree.fill(place, with: entry.id.raw)
        }
        self.gap = LogGap(before: next, rest: chunk.right)
        if self.gap == nil { headBefore = nil }
        filled = min(filled, chunk.start)
        return .added
    }

    /// Whether a chunk may replace the entries behind the gap (`protocol/sync.md §5`).
    func fits(inPlace chunk: VerifiedChunk) -> Bool {
        guard let gap, chunk.fits(inPlaceBehind: gap, of: size) else { return false }
        return !standing.isComplete && chunk.end <= standing.ceiling
    }

    /// Drops the entries behind the gap.
    mutating func dropWindow(_ source: NodeID?) {
        shorten()
        restand(source)
    }

    private mutating func shorten() {
        guard let gap else { return }
        let proof: PendingHead? =
            if let head, head.size >= gap.end {
                range(gap.start..<head.size).map { PendingHead(head: head, right: $0) }
            } else {
                pending.flatMap { pending in
                    range(gap.start..<storedEnd).flatMap { pending.right(after: $0) }
                        .map { PendingHead(head: pending.head, right: $0) }
                }
            }
        truncate(to: gap.start)
        pending = gap.start > head?.size ?? 0 ? proof : nil
    }

    /// Appends a gap: its tree nodes without its entries.
    private mutating func put(_ left: LogRange) {
        _ = tip.append(left)
        entries += [Entry?](repeating: nil, count: left.bounds.count)
        tree.append(left)
    }

    private mutating func put(_ entry: Entry) {
        entries.append(entry)
        tip.append(leaf: entry.id.raw)
        tree.append(leaf: entry.id.raw)
    }
}
