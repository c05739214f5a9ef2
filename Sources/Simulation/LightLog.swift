import Entries
import Sodium

/// One log of a `LightStore`: entries, every node of the tree, the head that is held.
struct LightLog {
    let certificate: SignedCertificate
    private(set) var entries: [Entry] = []
    private(set) var tip = LogRange()
    private(set) var head: Head?
    private(set) var row: FrontierRow?
    private(set) var hasNewHead = false
    /// False of an own log that has 16 others of its identity before it.
    private(set) var isCarried = true
    private var source: NodeID?
    /// Roots of the perfect subtrees, by level.
    private var levels: [[Bytes32]] = [[]]
    private var wanted: [BodyPlace] = []

    init(certificate: SignedCertificate) {
        self.certificate = certificate
    }

    /// Takes entries that follow on what is here; false if they do not.
    mutating func add(_ chunk: VerifiedChunk, from source: NodeID?) -> Bool {
        guard chunk.start == UInt64(entries.count) else { return false }
        for entry in chunk.entries {
            if entry.payload == nil, entry.header.length <= EntryLimits.maximumPayloadBytes {
                wanted.append(BodyPlace(log: chunk.log, sequence: UInt64(entries.count)))
            }
            entries.append(entry)
            put(entry.id.raw)
        }
        tip = chunk.tip
        if chunk.reachesHead {
            head = chunk.head ?? head
            hasNewHead = true
            self.source = source
        }
        return true
    }

    var candidate: Carriage.Candidate {
        Carriage.Candidate(serial: certificate.certificate.serial, log: certificate.log, end: .open)
    }

    /// Entries that count.
    var size: UInt64 { isCarried ? head?.size ?? 0 : 0 }

    /// Counts nothing of it any more.
    mutating func discount() {
        isCarried = false
        hasNewHead = false
        row = nil
    }

    /// Forgets the entries beyond the head.
    mutating func restart() {
        let kept = entries.prefix(Int(head?.size ?? 0))
        entries = []
        levels = [[]]
        tip = LogRange()
        for entry in kept {
            entries.append(entry)
            tip.append(leaf: entry.id.raw)
            put(entry.id.raw)
        }
    }

    /// The head that was taken has got its number.
    mutating func settle(_ number: UInt64) {
        guard let head, let last = entries.last else { return }
        hasNewHead = false
        row = FrontierRow(
            identity: certificate.certificate.identity,
            item: FrontierItem(log: head.log, size: head.size, root: head.root),
            time: last.header.time,
            number: number,
            source: source
        )
    }

    func entry(_ sequence: UInt64) -> Entry? {
        sequence < UInt64(entries.count) ? entries[Int(sequence)] : nil
    }

    mutating func takeWanted() -> [BodyPlace] {
        defer { wanted = [] }
        return wanted
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

    /// As much from `want.from` on as fits; nil if there is nothing.
    func chunk(_ want: RangeWant, byteLimit: Int) -> UnverifiedChunk? {
        guard let head, want.from < size else { return nil }
        var writer = ByteWriter()
        var previousTime: UInt64 = 0
        var end = want.from
        while end < head.size, end == want.from || writer.bytes.count < byteLimit {
            EntryCoding.append(entries[Int(end)], after: &previousTime, to: &writer)
            end += 1
        }
        return UnverifiedChunk(
            log: want.log,
            certificate: want.certificate == .send || want.from == 0 ? certificate.bytes : nil,
            start: want.from,
            count: end - want.from,
            size: head.size,
            signature: head.signature,
            entries: writer.bytes,
            right: nodes(covering: end..<head.size)
        )
    }

    func prefixProof(end: UInt64) -> PrefixProof? {
        guard let head, end <= head.size else { return nil }
        return PrefixProof(
            end: end,
            nodes: nodes(covering: 0..<end),
            size: head.size,
            right: nodes(covering: end..<head.size),
            proof: .head(head.signature)
        )
    }

    func descendants(of place: TreePlace) -> [Bytes32]? {
        guard place.level <= 32, place.index < 1 << 32, place.end <= UInt64(entries.count) else { return nil }
        return place.descendants.map { levels[$0.level][Int($0.index)] }
    }

    func nodes(covering range: Range<UInt64>) -> [Bytes32] {
        TreePlace.covering(range).map { levels[$0.level][Int($0.index)] }
    }

    private mutating func put(_ leaf: Bytes32) {
        levels[0].append(leaf)
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
