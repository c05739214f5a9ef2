import Entries
import Sodium

/// One log of a `LightStore`: entries, every node of the tree, and what heads, evidence and settlement make of it.
struct LightLog {
    let certificate: SignedCertificate
    private(set) var entries: [Entry] = []
    private(set) var tip = LogRange()
    private(set) var head: Head?
    /// The head that reaches beyond what is stored.
    private(set) var pending: PendingHead?
    private(set) var row: FrontierRow?
    private(set) var evidence: ForkEvidence?
    private(set) var settlement: SignedSettlement?
    /// The settled history, while another one is stored: its entries from `sideFirst` on.
    private(set) var side: LogRange?
    private(set) var standing: Standing
    /// False of an own log that has 16 others of its identity before it.
    private(set) var isCarried = true
    private var sideFirst: UInt64 = 0
    private var sideEntries: [Entry] = []
    private var source: NodeID?
    /// Roots of the perfect subtrees, by level.
    private var levels: [[Bytes32]] = [[]]
    /// Entries whose bodies were looked at since they count.
    private var scanned: UInt64 = 0

    init(certificate: SignedCertificate) {
        self.certificate = certificate
        standing = Standing(storedEnd: 0, head: 0, pending: nil, cut: nil, settled: nil) { _ in .zero }
    }

    var log: LogID { certificate.log }
    var candidate: Carriage.Candidate {
        .init(serial: certificate.certificate.serial, log: log, end: settlement == nil ? .open : .settled)
    }
    var storedEnd: UInt64 { UInt64(entries.count) }
    /// Entries that count.
    var size: UInt64 { isCarried ? standing.size : 0 }
    var item: FrontierItem? { isCarried ? standing.item(of: log) : nil }
    var isJudged: Bool { evidence != nil || settlement != nil }

    // MARK: Taking

    enum Taken {
        case added
        /// It does not continue what is here.
        case unfitting
        /// Nobody asked for it.
        case unwanted
    }

    /// Takes entries that follow on what is here.
    mutating func add(_ chunk: VerifiedChunk, from source: NodeID?) -> Taken {
        switch chunk.proof {
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
        guard chunk.start == storedEnd, continues(with: chunk) else { return .unfitting }
        for entry in chunk.entries { put(entry) }
        if let head = chunk.head, chunk.reachesHead { self.head = head }
        pending = chunk.pending
        restand(source)
        return .added
    }

    /// Whether somebody who offers a size may have what is missing here.
    func lacks(_ offered: UInt64) -> Bool {
        if standing.isComplete { return false }
        if settlement != nil { return true }
        return storedEnd < min(offered, standing.ceiling)
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

    /// Takes the first difference between a peer's history and this one; false if it does not fit.
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

    /// Forgets the entries that nothing proves yet.
    mutating func restart() {
        let kept = max(head?.size ?? 0, standing.size)
        guard kept < storedEnd else { return }
        let left = kept > head?.size ?? 0 ? pending : nil
        let right = range(kept..<storedEnd).flatMap { left?.right(after: $0) }
        truncate(to: kept)
        if let left, let right { pending = PendingHead(head: left.head, right: right) }
        restand(source)
    }

    /// Counts nothing of it any more.
    mutating func discount() {
        isCarried = false
        row = nil
        scanned = 0
    }

    mutating func readmit() { isCarried = true }

    /// Drops the bodies that may be erased: the account ended.
    mutating func wipe() {
        for sequence in 0..<storedEnd where entries[Int(sequence)].header.isErasable { withhold(sequence) }
    }

    /// The item that was changed has got its number.
    mutating func number(_ number: UInt64) {
        guard let item else { return }
        row = FrontierRow(
            identity: certificate.certificate.identity,
            item: item,
            time: size > 0 ? entries[Int(size - 1)].header.time : 0,
            number: number,
            source: source
        )
    }

    // MARK: Bodies

    func entry(_ sequence: UInt64) -> Entry? { sequence < storedEnd ? entries[Int(sequence)] : nil }

    /// Bodies that are missing of entries that count and did not at the last call, and where those begin.
    mutating func scanBodies() -> (from: UInt64, wanted: [BodyPlace]) {
        let from = min(scanned, size)
        let found = (from..<size).filter { sequence in
            let entry = entries[Int(sequence)]
            return entry.payload == nil && entry.header.length <= EntryLimits.maximumPayloadBytes
        }
        scanned = size
        return (from, found.map { BodyPlace(log: log, sequence: $0) })
    }

    mutating func withhold(_ sequence: UInt64) {
        guard let entry = entry(sequence) else { return }
        entries[Int(sequence)] = Entry(withheld: entry.header)
    }

    /// Puts a body back; false if it is another one.
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
        // Nothing is missing: the settled history takes the place of the other from the first difference on.
        let same = zip(entries[Int(sideFirst)...], sideEntries).prefix { $0.id == $1.id }.count
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
        standing = Standing(
            storedEnd: storedEnd,
            head: head?.size ?? 0,
            pending: pending,
            cut: evidence?.cut,
            settled: settlement?.settlement.known,
            root: { range(0..<$0)?.root ?? .zero }
        )
        if standing.item(of: log) != before { self.source = source }
    }

    private mutating func truncate(to size: UInt64) {
        let kept = entries.prefix(Int(size))
        entries = []
        levels = [[]]
        tip = LogRange()
        scanned = min(scanned, size)
        if let head, head.size > size { self.head = nil }
        pending = nil
        if sideFirst > size { side = nil }
        for entry in kept { put(entry) }
    }

    func node(_ place: TreePlace) -> Bytes32 { levels[place.level][Int(place.index)] }

    private mutating func put(_ entry: Entry) {
        entries.append(entry)
        tip.append(leaf: entry.id.raw)
        levels[0].append(entry.id.raw)
        var level = 0
        while levels[level].count & 1 == 0 {
            let nodes = levels[level]
            let parent = LogTreeHash.node(nodes[nodes.count - 2], nodes[nodes.count - 1])
            level += 1
            if level == levels.count { levels.append([]) }
            levels[level].append(parent)
        }
    }
}
