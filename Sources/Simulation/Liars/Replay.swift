internal import Entries
internal import Sodium
internal import Sync

/// Replays entries that the node holds, entries of another network, and bodies that their authors deleted since.
final class Replay: Lie {
    let calls = 16
    let callsOnStart = 16
    var falsehood: Falsehood?
    private static let keptCount = 500
    /// What it sends at first.
    private enum Greeting: CaseIterable {
        /// Entries of another network.
        case foreign
        /// Entries that were sent before.
        case repeated
        /// Entries with deleted bodies put back.
        case revived
        /// Nothing but an announcement: Wants are answered with the deleted bodies put back.
        case announcement
    }

    private unowned let trial: Trial
    private var chance: Chance
    /// Recorded from other nodes at the beginning and at each call.
    private var chunks: [UnverifiedChunk] = []

    init(in trial: Trial, seed: UInt64) {
        self.trial = trial
        chance = Chance(seed: seed)
        for site in trial.sites where site.isRunning { keep(site) }
    }

    /// Records the first chunk of each log of a node, unless `keptCount` chunks are recorded.
    private func keep(_ site: Site) {
        guard chunks.count < Self.keptCount else { return }
        for row in (try? site.home.state().frontier) ?? [] {
            let want = RangeWant(log: row.log, from: 0, certificate: .send)
            guard case .chunk(let chunk)? = try? site.home.ranges([want], byteLimit: 100_000).first else { continue }
            chunks.append(chunk)
        }
    }

    /// The body that an author deleted since; nil if nobody did: a peer that recorded everything from the beginning has
    /// it.
    private func erased(_ id: EntryID) -> [UInt8]? {
        trial.ledger.erased.contains(id) ? trial.ledger.entries[id]?.payload : nil
    }

    /// The node with the fewest logs: it has most to ask for.
    func prefers(_ sites: [Site]) -> Site? {
        sites.map { (held: $0.machine?.status.logs ?? 0, site: $0) }
            .min { ($0.held, $0.site.number) < ($1.held, $1.site.number) }?.site
    }

    func greeting(_ site: Site) -> [Utterance] {
        if let source = site.fullest { keep(source) }
        switch Greeting.allCases[Int(chance.next() % UInt64(Greeting.allCases.count))] {
        case .foreign:
            falsehood = .foreign
            var stranger = Author(seed: chance.next(), network: NetworkID(name: "elsewhere"))
            let chunk = stranger.write([post(trial, &chance)], at: trial.wall).unverified
            return [.chunks([chunk], lacking: [], number: nil)]
        case .repeated:
            guard !chunks.isEmpty else { return [] }
            falsehood = .repeatedEntries
            return [.chunks([refilled(chunks[Int(chance.next() % UInt64(chunks.count))])], lacking: [], number: nil)]
        case .revived:
            guard let chunk = revived(site) else { return [] }
            return [.chunks([chunk], lacking: [], number: nil)]
        case .announcement:
            let own = site.device?.log
            let rows = (try? site.fullest?.home.state().frontier) ?? []
            let logs = rows.filter { $0.log != own && $0.size > 0 }.prefix(1_500)
            return logs.isEmpty ? [] : [.changes(logs.map { LogSize(log: $0.log, size: $0.size) }, number: nil)]
        }
    }

    /// A chunk with deleted bodies put back, of entries new to the node if there are any; nil if no body was deleted.
    private func revived(_ site: Site) -> UnverifiedChunk? {
        guard let source = site.fullest else { return nil }
        let erased = Set(trial.ledger.erased.compactMap { trial.ledger.entries[$0]?.header.log })
        let rows = ((try? source.home.state().frontier) ?? []).filter {
            erased.contains($0.log) && $0.log != site.device?.log && $0.size > 0
        }
        let held = Dictionary(
            ((try? site.home.state().frontier) ?? []).map { ($0.log, $0.size) },
            uniquingKeysWith: { $1 }
        )
        let first = rows.isEmpty ? 0 : Int(chance.next() % UInt64(rows.count))
        let turned = Array(rows[first...] + rows[..<first])
        for (log, from) in turned.map({ ($0.log, held[$0.log] ?? 0) }) + turned.map({ ($0.log, 0) }) {
            let want = RangeWant(log: log, from: from, certificate: .send)
            guard case .chunk(let chunk)? = try? source.home.ranges([want], byteLimit: 100_000).first else { continue }
            let filled = refilled(chunk)
            if falsehood == .erasedBodies { return filled }
        }
        return nil
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] {
        guard let source = site.fullest else { return [] }
        return serve(message, from: source.home).map { words in
            switch words {
            case .chunks(let chunks, let lacking, let number):
                .chunks(chunks.map(refilled), lacking: lacking, number: number)
            case .bodies(let answers): .bodies(answers.map { refilled($0, source) })
            case .hello, .ownLog, .changes, .words, .want, .prefix, .nodes, .bodiesWanted, .credit, .branch: words
            }
        }
    }

    private func refilled(_ chunk: UnverifiedChunk) -> UnverifiedChunk {
        guard let entries = chunk.decoded else { return chunk }
        var isChanged = false
        let filled = entries.map { entry -> Entry in
            guard entry.payload == nil, let body = erased(entry.id) else { return entry }
            isChanged = true
            return Entry(refilling: entry.header, with: body)
        }
        guard isChanged else { return chunk }
        falsehood = .erasedBodies
        return chunk.replacing(filled)
    }

    private func refilled(_ answer: BodyAnswer, _ source: Site) -> BodyAnswer {
        let want = RangeWant(log: answer.place.log, from: answer.place.sequence, certificate: .known)
        guard answer.payload == nil, case .chunk(let chunk)? = try? source.home.ranges([want], byteLimit: 1).first,
            let entry = chunk.decoded?.first, entry.header.sequence == answer.place.sequence,
            let body = erased(entry.id)
        else { return answer }
        falsehood = .erasedBodies
        return BodyAnswer(place: answer.place, payload: body)
    }
}

extension Entry {
    /// An entry with the body that it once had.
    fileprivate init(refilling header: EntryHeader, with body: [UInt8]) {
        self.init(
            flags: header.flags,
            kind: header.kind,
            log: header.log,
            sequence: header.sequence,
            time: header.time,
            clock: header.clock,
            payload: body
        )
    }
}
