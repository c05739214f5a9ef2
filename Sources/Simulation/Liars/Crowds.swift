internal import Entries
internal import Sync

/// An endless writer: each call pushes another 60 valid entries, and announces a size of another log far beyond the
/// entries that it serves.
final class Endless: Lie {
    let calls = 12
    var falsehood: Falsehood?
    private unowned let trial: Trial
    private var chance: Chance
    private var author: Author
    private let store = LightStore()
    /// The other log's only chunk: its first entries under a head over a thousand.
    private let stingy: UnverifiedChunk
    private let stingyLog: LogID

    init(in trial: Trial, seed: UInt64) {
        self.trial = trial
        chance = Chance(seed: seed)
        author = Author(seed: seed, network: trial.network)
        var miser = Author(seed: seed &+ 1, network: trial.network)
        stingyLog = miser.log
        let hoard = LightStore()
        var chance = chance
        let payload =
            (try? Post(salt: Salt(using: &chance), text: "one of a thousand"))
            .map { Payload.post($0).encode() } ?? []
        _ = try? hoard.append(miser.write(Array(repeating: payload, count: 1_000), at: trial.wall))
        let want = RangeWant(log: miser.log, from: 0, certificate: .send)
        if case .chunk(let chunk)? = try? hoard.ranges([want], byteLimit: 4_000).first {
            stingy = chunk
        } else {
            stingy = miser.write([payload], at: trial.wall).unverified
        }
    }

    func greeting(_ site: Site) -> [Utterance] {
        falsehood = .endless
        let lot = author.write((0..<60).map { _ in post(trial, &chance) }, at: trial.wall)
        _ = try? store.append(lot)
        return [
            .chunks([lot.unverified], lacking: [], number: nil),
            .changes([LogSize(log: stingyLog, size: 4_000_000), LogSize(log: author.log, size: lot.end)], number: nil),
        ]
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] {
        guard case .want(let wants) = message else { return serve(message, from: store) }
        let rest = wants.filter { $0.log != stingyLog }
        var words = rest.isEmpty ? [] : serve(.want(rest), from: store)
        if let want = wants.first(where: { $0.log == stingyLog }) {
            let lacking = want.from > 0
            falsehood = .stingy
            words.append(.chunks(lacking ? [] : [stingy], lacking: lacking ? [stingyLog] : [], number: nil))
        }
        return words
    }
}

/// Announces two hundred unknown people with one entry each; on one call in four a thousand logs that do not exist,
/// others each time.
final class Flood: Lie {
    let calls = 8
    var falsehood: Falsehood?
    private let store = LightStore()
    private var sizes: [LogSize] = []
    private var chance: Chance

    init(in trial: Trial, seed: UInt64) {
        chance = Chance(seed: seed)
        for _ in 0..<200 {
            var author = Author(seed: chance.next(), network: trial.network)
            _ = try? store.append(author.write([post(trial, &chance)], at: trial.wall))
            sizes.append(LogSize(log: author.log, size: 1))
        }
    }

    func greeting(_ site: Site) -> [Utterance] {
        guard chance.next() % 4 == 0 else {
            falsehood = .flood
            return [.changes(sizes, number: nil)]
        }
        falsehood = .inventedLogs
        let logs = (0..<1_000).map { _ in LogSize(log: LogID(raw: Author.bytes(chance.next(), "invented")), size: 1) }
        return [.changes(logs, number: nil)]
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] { serve(message, from: store) }
}
