internal import Entries
internal import Sodium
internal import Sync

/// What a liar says to whom.
protocol Lie: AnyObject {
    /// How many nodes are called in all.
    var calls: Int { get }
    /// How many of them at first, in one instant.
    var callsAtOnce: Int { get }
    /// How many more it makes to nodes in the moment in which they start: they have most to ask for, and know nobody yet.
    var callsOnStart: Int { get }
    /// What the words that were asked for last are, if they are a lie.
    var falsehood: Falsehood? { get set }
    /// Whom it would rather call than anybody.
    func prefers(_ sites: [Site]) -> Site?
    /// What it says to have of the log that a node writes.
    func claim(_ log: LogID, of site: Site) -> Utterance
    /// Said once a node has said Hello.
    func greeting(_ site: Site) -> [Utterance]
    func answer(_ message: Heard, of site: Site) -> [Utterance]
    /// The first bytes, as they are sent.
    func garbled(_ bytes: [UInt8], _ chance: inout WorldChance) -> [UInt8]
}

extension Lie {
    var callsAtOnce: Int { 1 }
    var callsOnStart: Int { 0 }
    func prefers(_ sites: [Site]) -> Site? { nil }
    func claim(_ log: LogID, of site: Site) -> Utterance { .ownLog(log, size: 0, root: .zero) }
    func garbled(_ bytes: [UInt8], _ chance: inout WorldChance) -> [UInt8] { bytes }

    /// Answers from a store, as an honest node does.
    func serve(_ message: Heard, from store: some HeldStore) -> [Utterance] {
        switch message {
        case .want(let wants):
            var chunks: [UnverifiedChunk] = []
            var lacking: [LogID] = []
            for answer in (try? store.ranges(wants, byteLimit: 200_000)) ?? [] {
                switch answer {
                case .chunk(let chunk): chunks.append(chunk)
                case .lacking(let log): lacking.append(log)
                }
            }
            return [.chunks(chunks, lacking: lacking, number: nil)]
        case .prefixWanted(let log, let end):
            return [.prefix(log, (try? store.prefixProof(of: log, end: end)) ?? nil, end: end)]
        case .nodesWanted(let log, let place):
            return [.nodes(log, place, ((try? store.nodes(of: log, at: place)) ?? nil) ?? [])]
        case .bodiesWanted(let places):
            return [.bodies((try? store.bodies(places, byteLimit: 200_000)) ?? [])]
        case .hello, .chunks, .changes, .goodbye, .other: return []
        }
    }

    /// A post as its payload's bytes.
    func post(_ trial: Trial, _ chance: inout WorldChance) -> [UInt8] {
        let text = Ledger.text(trial.ledger.drawToken(), "hello from nobody")
        return (try? Post(salt: Salt(using: &chance), text: text)).map { Payload.post($0).encode() } ?? []
    }
}

extension Site {
    /// Another node that knows most, as anybody may know who asks.
    var fullest: Site? {
        trial.sites.filter { $0.isRunning && $0.number != number }
            .max { left, right in
                (left.machine?.status.logs ?? 0, left.number) < (right.machine?.status.logs ?? 0, right.number)
            }
    }
}

extension UnverifiedChunk {
    /// Its entries; nil if they do not unpack.
    var decoded: [Entry]? {
        try? EntryCoding.decode(entries[...], count: Int(count), log: log, start: start)
    }

    /// The same with other entries or other bodies.
    func replacing(_ changed: [Entry]) -> UnverifiedChunk {
        var chunk = UnverifiedChunk(
            log: log,
            certificate: certificate,
            start: start,
            count: count,
            size: size,
            proof: proof,
            entries: EntryCoding.encode(changed),
            right: right
        )
        chunk.left = left
        return chunk
    }
}
