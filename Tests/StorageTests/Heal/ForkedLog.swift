import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// A log whose writer signed several histories: each begins as another and goes its own way from some entry on.
struct ForkedLog {
    let device: Device
    private(set) var branches: [[Entry]] = []

    var log: LogID { device.log }

    /// Random histories; `ids` is what they speak of, and grows by what they say.
    init(_ device: Device, branches count: Int, _ random: inout SeededRandom, _ ids: inout [EntryID]) throws {
        self.device = device
        for number in 0..<count {
            var entries: [Entry] = []
            if number > 0 {
                let trunk = random.pick(branches)
                entries = Array(trunk.prefix(random.below(trunk.count)))
            }
            for _ in 0...random.below(9) {
                let entry = try entry(UInt64(entries.count), &random, ids)
                entries.append(entry)
                if entry.header.isErasable { ids.append(entry.id) }
            }
            branches.append(entries)
        }
    }

    /// Histories that are given: each keeps so much of an earlier one, and goes on by payloads.
    init(_ device: Device, _ branches: [(of: Int, keep: Int, then: [Payload])]) {
        self.device = device
        for branch in branches {
            var entries = branch.keep > 0 ? Array(self.branches[branch.of].prefix(branch.keep)) : []
            for payload in branch.then {
                entries.append(
                    Self.entry(payload, of: device.log, at: UInt64(entries.count), time: 1_000, clock: 1_000)
                )
            }
            self.branches.append(entries)
        }
    }

    private func entry(_ sequence: UInt64, _ random: inout SeededRandom, _ ids: [EntryID]) throws -> Entry {
        let salt = Salt(using: &random)
        let target = ids.isEmpty || random.chance(9) ? EntryID(raw: random.bytes32()) : random.pick(ids)
        let payload: Payload =
            switch random.below(8) {
            case 0...2: .post(try Post(salt: salt, text: "p\(random.below(99))"))
            case 3: .edit(try Edit(salt: salt, post: target, text: "e\(random.below(99))"))
            case 4, 5: .vote(try Vote(choices: [.init(post: target, value: random.pick(Vote.Value.allCases))]))
            case 6: .profile(try Profile(salt: salt, name: "n\(random.below(9))"))
            default: .delete(try Delete(entries: [target]))
            }
        let time = UInt64(1_000 + random.below(40))
        return Self.entry(payload, of: log, at: sequence, time: time, clock: UInt64(1_000 + random.below(20)))
    }

    private static func entry(
        _ payload: Payload,
        of log: LogID,
        at sequence: UInt64,
        time: UInt64,
        clock: UInt64
    ) -> Entry {
        Entry(
            flags: payload.kind.isErasable ? EntryHeader.erasableFlag : 0,
            kind: payload.kind.rawValue,
            log: log,
            sequence: sequence,
            time: time + sequence,
            clock: clock,
            payload: payload.encode()
        )
    }

    func range(_ branch: Int, _ bounds: Range<Int>) -> LogRange {
        var range = LogRange(at: UInt64(bounds.lowerBound))
        for entry in branches[branch][bounds] { range.append(leaf: entry.id.raw) }
        return range
    }

    func known(_ branch: Int, _ size: Int) -> KnownRoot {
        KnownRoot(size: UInt64(size), root: range(branch, 0..<size).root ?? .zero)
    }

    func head(_ branch: Int, _ size: Int) -> Head {
        let root = range(branch, 0..<size).root ?? .zero
        return Head(signing: log, size: UInt64(size), root: root, network: Device.network, with: device.key)
    }

    /// Entries of a branch as a peer would send them under a head of it, checked over what comes before them.
    func chunk(_ branch: Int, _ bounds: Range<Int>, size: Int, withheld: Set<Int> = []) throws -> VerifiedChunk {
        let sent = branches[branch][bounds].map { entry in
            withheld.contains(Int(entry.header.sequence)) && entry.header.isErasable
                ? Entry(withheld: entry.header) : entry
        }
        let raw = UnverifiedChunk(
            log: log,
            certificate: device.certificate.bytes,
            start: UInt64(bounds.lowerBound),
            count: UInt64(bounds.count),
            size: UInt64(size),
            signature: head(branch, size).signature,
            entries: EntryCoding.encode(sent),
            right: range(branch, bounds.upperBound..<size).nodes
        )
        let prefix = LogPrefix(certificate: nil, range: range(branch, 0..<bounds.lowerBound))
        return try #require(ChunkVerifier(network: Device.network).verify(raw, over: prefix).verified)
    }

    /// The first difference of a branch from what is stored, as a batch of its own.
    func finding(_ branch: Int, at place: Int, of size: Int, proof: ForkFinding.Proof) -> TakeBatch {
        var batch = TakeBatch()
        batch.findings = [
            ForkFinding(
                log: log,
                sequence: UInt64(place),
                leaf: branches[branch][place].id,
                right: range(branch, place + 1..<size),
                proof: proof
            )
        ]
        return batch
    }

    /// The evidence that two branches are two; nil if one begins with the other.
    func evidence(_ first: Int, _ second: Int, sizes: (Int, Int)? = nil) -> ForkEvidence? {
        let sizes = sizes ?? (branches[first].count, branches[second].count)
        let pairs = zip(branches[first].prefix(sizes.0), branches[second].prefix(sizes.1))
        guard let place = pairs.enumerated().first(where: { $0.element.0.id != $0.element.1.id })?.offset else {
            return nil
        }
        let branch = { (branch: Int, size: Int) in
            ForkEvidence.Branch(
                size: UInt64(size),
                signature: head(branch, size).signature,
                leaf: branches[branch][place].id,
                right: range(branch, place + 1..<size)
            )
        }
        return ForkEvidence(
            log: log,
            sequence: UInt64(place),
            prefix: range(first, 0..<place),
            branches: .init(first: branch(first, sizes.0), second: branch(second, sizes.1))
        )
    }
}
