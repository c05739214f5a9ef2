internal import Entries
internal import Sync

/// A writer with two histories that begin alike: one half of the network is shown the one, the other half the other.
final class Equivocation: Lie {
    let calls = 24
    private let stores = [LightStore(), LightStore()]
    private let log: LogID

    init(in trial: Trial, seed: UInt64) {
        var chance = WorldChance(seed: seed)
        var author = Author(seed: seed, network: trial.network)
        log = author.log
        trial.ledger.forked.insert(log)
        let payloads = { (count: UInt64, lie: Equivocation) in (0..<count).map { _ in lie.post(trial, &chance) } }
        let common = author.write(payloads(1 + seed % 20, self), at: trial.wall)
        for (place, store) in stores.enumerated() {
            _ = try? store.append(common)
            var branch = author
            let length = 1 + (seed >> 8 + UInt64(place)) % 12
            for part in [length, 1 + length / 2] {
                _ = try? store.append(branch.write(payloads(part, self), at: trial.wall + UInt64(place)))
            }
        }
    }

    func greeting(_ site: Site) -> [Utterance] {
        [.changes([LogSize(log: log, size: stores[site.number % 2].size(log))], number: nil)]
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] { serve(message, from: stores[site.number % 2]) }
}
