internal import Entries
internal import Sodium
internal import Sync

/// Entries that their writer never signed, and proofs that do not verify.
final class Forgery: Lie {
    let calls = 12
    var falsehood: Falsehood?
    private let fault: Fault
    private unowned let trial: Trial
    private var chance: Chance
    /// The liar's own keys, which sign in place of the writer's.
    private let author: Author
    /// The entry that was forged last.
    private var last: Entry?
    private var callsBegun = 0
    private var greetings = 0

    init(_ fault: Fault, in trial: Trial, seed: UInt64) {
        self.fault = fault
        self.trial = trial
        chance = Chance(seed: seed)
        author = Author(seed: seed, network: trial.network)
    }

    func garbled(_ bytes: [UInt8], _ chance: inout Chance) -> [UInt8] {
        callsBegun += 1
        // Not the fourth call, which repeats the third with its key, to test whether the node remembers it.
        guard fault == .proof, callsBegun % 4 == 2 else { return bytes }
        return (0..<bytes.count * 3).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
    }

    /// Answers PrefixWanted with the honest prefix and the forged entry behind it, or with random nodes.
    func answer(_ message: Heard, of site: Site) -> [Utterance] {
        guard case .prefixWanted(let log, let end) = message, let last, last.header.log == log,
            last.header.sequence == end,
            let nodes = try? site.home.prefixNodes(of: log, end: end)
        else { return [] }
        if fault == .proof { falsehood = .wrongPrefix }
        return [
            .prefix(
                log,
                PrefixProof(
                    end: end,
                    nodes: fault == .proof ? nodes.map { _ in Author.bytes(chance.next(), "node") } : nodes,
                    size: end + 1,
                    right: [last.id.raw],
                    proof: .head(author.device.sign(last.id.bytes))
                ),
                end: end
            )
        ]
    }

    func greeting(_ site: Site) -> [Utterance] {
        let chunk: UnverifiedChunk?
        greetings += 1
        if fault == .forgery {
            falsehood = .forgedEntry
            chunk = forged(site)
        } else if greetings % 3 == 0 {
            // The lie follows in the answer to PrefixWanted.
            chunk = forged(site)
        } else {
            chunk = unproven()
        }
        guard let chunk else {
            falsehood = nil
            return []
        }
        return [.chunks([chunk], lacking: [], number: nil)]
    }

    /// A forged next entry of an honest person's log.
    private func forged(_ site: Site) -> UnverifiedChunk? {
        guard let rows = try? site.home.state().frontier.filter({ trial.ledger.isHonest($0.log) && $0.size > 0 }),
            !rows.isEmpty
        else { return nil }
        let row = rows[Int(chance.next() % UInt64(rows.count))]
        guard let nodes = try? site.home.prefixNodes(of: row.log, end: row.size),
            var range = LogRange(bounds: 0..<row.size, nodes: nodes)
        else { return nil }
        let entry = Entry(
            flags: EntryHeader.erasableFlag,
            kind: EntryKind.post.rawValue,
            log: row.log,
            sequence: row.size,
            time: trial.wall,
            clock: trial.wall,
            payload: post(trial, &chance)
        )
        last = entry
        range.append(leaf: entry.id.raw)
        let head = Head(
            signing: row.log,
            size: row.size + 1,
            root: range.root ?? .zero,
            network: trial.network,
            with: author.device
        )
        return chunk(of: row.log, nil, [entry], from: row.size, size: row.size + 1, head.signature, [])
    }

    /// The first entries of an unknown log, with tree nodes that do not belong there.
    private func unproven() -> UnverifiedChunk {
        var author = Author(seed: chance.next(), network: trial.network)
        let whole = author.write((0..<8).map { _ in post(trial, &chance) }, at: trial.wall)
        let kept = Array(whole.entries.prefix(3))
        let nodes = TreePlace.covering(3..<8).map { _ in Author.bytes(chance.next(), "node") }
        let isShort = greetings % 3 == 1
        falsehood = isShort ? .shortProof : .wrongProof
        return chunk(
            of: author.log,
            author.certificate.bytes,
            kept,
            from: 0,
            size: 8,
            whole.head?.signature ?? author.device.sign([]),
            isShort ? Array(nodes.dropLast()) : nodes
        )
    }

    private func chunk(
        of log: LogID,
        _ certificate: [UInt8]?,
        _ entries: [Entry],
        from start: UInt64,
        size: UInt64,
        _ signature: Signature,
        _ right: [Bytes32]
    ) -> UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: certificate,
            start: start,
            count: UInt64(entries.count),
            size: size,
            signature: signature,
            entries: EntryCoding.encode(entries),
            right: right
        )
    }
}
