import Entries
import Simulation
import Sodium

@testable import Sync

/// A writer that signs several histories of one log, and what they lead to.
struct ForkedWriter {
    let author: Author
    /// Each history: its chunks, one for each head.
    private(set) var branches: [[VerifiedChunk]] = []
    private var states: [[Author]] = []

    var log: LogID { author.log }
    static let nobody = NodeID(raw: Author.bytes(1, "nobody"))

    init(seed: UInt64, network: NetworkID) {
        self.init(author: Author(seed: seed, network: network))
    }

    init(author: Author) {
        self.author = author
    }

    /// Adds a history of `size` entries that is the same as another one below `fork`.
    @discardableResult
    mutating func branch(_ size: Int, from other: Int? = nil, at fork: Int = 0) -> Int {
        var chunks = other.map { Array(branches[$0][..<fork]) } ?? []
        var authors = other.map { Array(states[$0][..<fork]) } ?? []
        var writer = authors.last ?? author
        for entry in chunks.count..<size {
            chunks.append(writer.write("branch \(branches.count) entry \(entry)", at: UInt64(entry + 1)))
            authors.append(writer)
        }
        branches.append(chunks)
        states.append(authors)
        return branches.count - 1
    }

    func range(_ branch: Int, _ size: Int) -> LogRange { size == 0 ? LogRange() : states[branch][size - 1].range }

    /// What a store takes to hold so much of a history.
    func batch(_ branch: Int, _ size: Int? = nil) -> TakeBatch {
        var batch = TakeBatch()
        batch.chunks = branches[branch][..<(size ?? branches[branch].count)].map {
            TakeBatch.SourcedChunk(chunk: $0, source: Self.nobody)
        }
        return batch
    }

    func settlement(_ branch: Int, _ size: Int, serial: UInt64 = 1) -> SignedSettlement {
        SignedSettlement(
            signing: Settlement(
                network: author.certificate.certificate.network,
                identity: author.certificate.certificate.identity,
                log: log,
                size: UInt64(size),
                root: range(branch, size).root ?? .zero,
                serial: serial
            ),
            with: author.root
        )
    }

    /// The first entry in which two histories differ; nil if one begins with the other.
    func firstDifference(_ first: Int, _ second: Int) -> Int? {
        zip(branches[first], branches[second]).enumerated()
            .first { $0.element.0.entries[0].id != $0.element.1.entries[0].id }?.offset
    }

    /// What a store takes to hold so much of a history, all of it under the head of the whole: pending, that is.
    func partial(_ branch: Int, _ size: Int) -> TakeBatch {
        let entries = branches[branch].flatMap(\.entries)
        guard size < entries.count, let head = branches[branch].last?.head else { return batch(branch, size) }
        var right = LogRange(at: UInt64(size))
        for entry in entries[size...] { right.append(leaf: entry.id.raw) }
        let chunk = UnverifiedChunk(
            log: log,
            certificate: author.certificate.bytes,
            start: 0,
            count: UInt64(size),
            size: head.size,
            signature: head.signature,
            entries: EntryCoding.encode(Array(entries[..<size])),
            right: right.nodes
        )
        var batch = TakeBatch()
        let verifier = ChunkVerifier(network: author.certificate.certificate.network)
        if case .verified(let verified) = verifier.verify(chunk, over: .none) {
            batch.chunks = [TakeBatch.SourcedChunk(chunk: verified, source: Self.nobody)]
        }
        return batch
    }

    var end: SignedSettlement {
        SignedSettlement(
            signing: Settlement(
                network: author.certificate.certificate.network,
                identity: author.certificate.certificate.identity,
                log: LogID(raw: .zero),
                size: 0,
                root: .zero,
                serial: 1
            ),
            with: author.root
        )
    }

    /// What a store says of the log.
    func saying(_ store: LightStore, number: UInt64 = 1) -> Changes {
        let item = LogSize(log: log, size: store.size(log))
        let root = (try? store.prefixNodes(of: log, end: item.size)).flatMap { nodes in
            nodes.flatMap { LogRange(bounds: 0..<item.size, nodes: $0)?.root }
        }
        return Changes(logs: [item], number: number, held: [HeldLog(item: item, root: root, words: nil)])
    }

    /// What somebody says who holds nothing of the log but words about it; of an end the name is given.
    func saying(
        settlement: [UInt8]? = nil,
        evidence: [UInt8]? = nil,
        certificate: SignedCertificate? = nil,
        log: LogID? = nil
    ) -> Changes {
        let item = LogSize(log: log ?? self.log, size: 0)
        let words = Words(
            settlement: settlement,
            evidence: evidence,
            certificate: log == nil ? (certificate ?? author.certificate).bytes : nil
        )
        return Changes(logs: [item], number: nil, held: [HeldLog(item: item, root: .zero, words: words)])
    }

    func settling(_ branch: Int, _ size: Int, serial: UInt64 = 1) -> TakeBatch {
        var batch = TakeBatch()
        let signed = settlement(branch, size, serial: serial)
        batch.settlements = [SettlementArrival(signed: signed, certificate: author.certificate, source: nil)]
        return batch
    }

    /// Proof that two histories differ from `cut` on, of all of both.
    func evidence(_ first: Int, _ second: Int, at cut: Int) -> ForkEvidence {
        let branches = [first, second].map { branch in
            let entries = self.branches[branch].flatMap(\.entries)
            var right = LogRange(at: UInt64(cut + 1))
            for entry in entries[(cut + 1)...] { right.append(leaf: entry.id.raw) }
            guard let head = self.branches[branch].last?.head else { preconditionFailure("a history has heads") }
            return ForkEvidence.Branch(
                size: head.size,
                signature: head.signature,
                leaf: entries[cut].id,
                right: right
            )
        }
        return ForkEvidence(
            log: log,
            sequence: UInt64(cut),
            prefix: range(first, cut),
            branches: .init(first: branches[0], second: branches[1])
        )
    }

    func accusing(_ first: Int, _ second: Int, at cut: Int) -> TakeBatch {
        var batch = TakeBatch()
        batch.evidence = [
            EvidenceArrival(
                evidence: evidence(first, second, at: cut),
                certificate: author.certificate,
                source: nil
            )
        ]
        return batch
    }
}

extension Town {
    func take(_ batch: TakeBatch, on node: Int) throws {
        let report = try stores[node].take(batch)
        guard world.nodes.indices.contains(node), world.nodes[node].isRunning else { return }
        world.give(node, .settled(report))
    }

    /// Every pair of neighbours in a line.
    func linkInLine() {
        for node in stores.indices.dropFirst() { link(node - 1, node) }
    }

    var allViolations: [SyncViolation] { stores.indices.flatMap(violations) }

    var fingerprints: [Fingerprint?] { stores.indices.map { world.nodes[$0].fingerprint } }

    func hasAllBodies() -> Bool { stores.allSatisfy { $0.missingBodies == 0 } }

    /// All nodes say the same, every link is quiet and none was closed.
    func isHealed(withinMilliseconds limit: UInt64 = 120_000) -> Bool {
        world.run(until: isCalm, withinMilliseconds: limit) && allViolations.isEmpty
    }
}

extension UnverifiedChunk {
    /// The same under a root that the receiver is said to know.
    var underKnownRoot: UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: certificate,
            start: start,
            count: count,
            size: size,
            proof: .known,
            entries: entries,
            right: right
        )
    }
}
