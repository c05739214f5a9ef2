internal import Entries
internal import Sodium
internal import Sync

/// Claims about honest people's logs that only the people's own keys can make: a settlement, fork evidence, a
/// certificate.
final class Slander: Lie {
    let calls = 12
    var falsehood: Falsehood?
    /// What it claims, one after the other.
    private enum Claim: CaseIterable {
        case settlement
        case evidence
        case device
    }

    private unowned let trial: Trial
    private var chance: Chance
    /// The liar's own keys, which sign in place of the people's.
    private let author: Author
    private var greetings: Int

    init(in trial: Trial, seed: UInt64) {
        self.trial = trial
        chance = Chance(seed: seed)
        author = Author(seed: seed, network: trial.network)
        greetings = Int(seed % UInt64(Claim.allCases.count))
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] { [] }

    /// One time in four it claims to hold more of the log than its writer; the node waits for the proof in vain.
    func claim(_ log: LogID, of site: Site) -> Utterance {
        guard chance.next() % 4 == 0 else { return .ownLog(log, size: 0, root: .zero) }
        falsehood = .ownLogClaim
        return .ownLog(log, size: 1 + chance.next() % 100, root: Author.bytes(chance.next(), "root"))
    }

    func greeting(_ site: Site) -> [Utterance] {
        guard let rows = try? site.home.state().frontier.filter({ trial.ledger.isHonest($0.log) && $0.size > 0 }),
            !rows.isEmpty
        else { return [] }
        let row = rows[Int(chance.next() % UInt64(rows.count))]
        greetings += 1
        switch Claim.allCases[greetings % Claim.allCases.count] {
        case .settlement:
            falsehood = .forgedSettlement
            return words(of: row, settlement: settlement(of: row, site), evidence: nil, site)
        case .evidence:
            falsehood = .forgedEvidence
            return words(of: row, settlement: nil, evidence: evidence(of: row, site), site)
        case .device:
            falsehood = .usurpedDevice
            return [.chunks([usurped(row)], lacking: [], number: nil)]
        }
    }

    private func words(of row: FrontierRow, settlement: [UInt8]?, evidence: [UInt8]?, _ site: Site) -> [Utterance] {
        let want = RangeWant(log: row.log, from: 0, certificate: .send)
        guard settlement != nil || evidence != nil,
            case .chunk(let chunk)? = try? site.home.ranges([want], byteLimit: 1).first
        else { return [] }
        return [
            .words(
                LogWords(
                    log: row.log,
                    known: KnownRoot(size: row.size, root: row.item.root),
                    words: Words(settlement: settlement, evidence: evidence, certificate: chunk.certificate)
                )
            )
        ]
    }

    /// A settlement at or below the log's size, signed by a foreign root key.
    private func settlement(of row: FrontierRow, _ site: Site) -> [UInt8]? {
        let size = 1 + chance.next() % row.size
        guard let range = prefix(of: row, end: size, site), let root = range.root else { return nil }
        let settlement = Settlement(
            network: trial.network,
            identity: row.identity,
            log: row.log,
            size: size,
            root: root,
            serial: trial.wall
        )
        return settlement.bytes + author.root.sign(settlement.bytes).bytes
    }

    /// Evidence of two entries with one sequence number, signed by a foreign device key.
    private func evidence(of row: FrontierRow, _ site: Site) -> [UInt8]? {
        let sequence = chance.next() % row.size
        guard let prefix = prefix(of: row, end: sequence, site) else { return nil }
        func branch() -> ForkEvidence.Branch {
            let leaf = Author.bytes(chance.next(), "leaf")
            return ForkEvidence.Branch(
                size: sequence + 1,
                signature: author.device.sign(leaf.bytes),
                leaf: EntryID(raw: leaf),
                right: LogRange(at: sequence + 1)
            )
        }
        let branches = ForkEvidence.Branches(first: branch(), second: branch())
        return ForkEvidence(log: row.log, sequence: sequence, prefix: prefix, branches: branches).bytes
    }

    private func prefix(of row: FrontierRow, end: UInt64, _ site: Site) -> LogRange? {
        ((try? site.home.prefixNodes(of: row.log, end: end)) ?? nil).flatMap { LogRange(bounds: 0..<end, nodes: $0) }
    }

    /// The first chunk of a device that the person never had.
    private func usurped(_ row: FrontierRow) -> UnverifiedChunk {
        let certificate = Certificate(
            network: trial.network,
            identity: row.identity,
            device: DeviceID(raw: author.device.publicKey),
            sealingKey: Author.bytes(chance.next(), "sealing"),
            serial: trial.wall
        )
        let entry = Entry(
            flags: EntryHeader.erasableFlag,
            kind: EntryKind.post.rawValue,
            log: certificate.log,
            sequence: 0,
            time: trial.wall,
            clock: trial.wall,
            payload: post(trial, &chance)
        )
        let head = Head(
            signing: certificate.log,
            size: 1,
            root: entry.id.raw,
            network: trial.network,
            with: author.device
        )
        return UnverifiedChunk(
            log: certificate.log,
            certificate: certificate.bytes + author.root.sign(certificate.bytes).bytes,
            start: 0,
            count: 1,
            size: 1,
            signature: head.signature,
            entries: EntryCoding.encode([entry]),
            right: []
        )
    }
}
