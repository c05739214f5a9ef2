internal import Entries
internal import Sodium
internal import Sync

/// A writer that forks its log: one part of the network gets one branch, another part the other, and a third only the
/// common prefix; where there are two islands, one of them is that third part. Every other writer of this kind also
/// signs two settlements of the log with one serial, and an older one.
final class Equivocation: Lie {
    let calls = 24
    /// So that no branch is everywhere before the other is shown: a node has no reason to look at a shorter one.
    let callsAtOnce = 3
    var falsehood: Falsehood?
    private let stores = [LightStore(), LightStore(), LightStore()]
    private let islands: [Int]
    private let log: LogID
    private var settlements: [LogWords] = []
    private var greetings = 0
    private var preferences = 0

    init(in trial: Trial, seed: UInt64, turn: Int) {
        var chance = Chance(seed: seed)
        var author = Author(seed: seed, network: trial.network)
        log = author.log
        islands = trial.islands
        trial.ledger.forked.insert(log)
        let payloads = { (count: UInt64, lie: Equivocation) in (0..<count).map { _ in lie.post(trial, &chance) } }
        let common = author.write(payloads(1 + seed % 20, self), at: trial.wall)
        var ends = [common.end: common.tip.root ?? .zero]
        for (place, store) in stores.enumerated() {
            _ = try? store.append(common)
            guard place < 2 else { continue }
            var branch = author
            let length = 1 + (seed >> 8 + UInt64(place)) % 12
            for part in [length, 1 + length / 2] {
                let chunk = branch.write(payloads(part, self), at: trial.wall + UInt64(place))
                _ = try? store.append(chunk)
                ends[chunk.end] = chunk.tip.root ?? .zero
            }
        }
        guard turn % 2 == 0 else { return }
        let places = ends.sorted { $0.key < $1.key }
        // The last settlement is older than both.
        settlements = (places.prefix(2) + places.suffix(1)).enumerated().map { place, end in
            let (size, root) = end
            let settlement = Settlement(
                network: trial.network,
                identity: author.certificate.certificate.identity,
                log: log,
                size: size,
                root: root,
                serial: place < 2 ? trial.wall : trial.wall - 1
            )
            return LogWords(
                log: log,
                known: KnownRoot(size: size, root: root),
                words: Words(
                    settlement: SignedSettlement(signing: settlement, with: author.root).bytes,
                    evidence: nil,
                    certificate: author.certificate.bytes
                )
            )
        }
    }

    /// The first calls go to different nodes, so that each is shown another history.
    func prefers(_ sites: [Site]) -> Site? {
        defer { preferences += 1 }
        return preferences < callsAtOnce ? sites[preferences % sites.count] : nil
    }

    func greeting(_ site: Site) -> [Utterance] {
        greetings += 1
        falsehood = .twoHistories
        let store = history(for: site)
        var words = [Utterance.changes([LogSize(log: log, size: store.size(log))], number: nil)]
        // By then both parts of the network hold entries of the log.
        guard greetings > calls / 2 else { return words }
        if greetings % 2 == 0 {
            falsehood = .headBeyondCut
            let want = RangeWant(log: log, from: 0, certificate: .send)
            words = serve(.want([want]), from: store) + words
        }
        guard !settlements.isEmpty else { return words }
        let place = (site.number + greetings / 3) % settlements.count
        falsehood = place < 2 ? .twoSettlements : .olderSettlement
        return words + [.words(settlements[place])]
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] {
        serve(message, from: history(for: site))
    }

    private func history(for site: Site) -> LightStore {
        if islands.isEmpty { return stores[site.number % stores.count] }
        return islands[site.number] == 1 ? stores[2] : stores[site.number % 2]
    }
}
