internal import Entries
internal import Sodium
internal import Sync

/// The behaviour of one kind of liar.
protocol Lie: AnyObject {
    /// Calls in all.
    var calls: Int { get }
    /// Calls at the beginning, in one instant.
    var callsAtOnce: Int { get }
    /// Further calls, to nodes at the moment they start: these have most to ask for, and know no other peer yet.
    var callsOnStart: Int { get }
    /// The lie in the messages that were returned last; nil: there is none.
    var falsehood: Falsehood? { get set }
    /// The node to call next; nil: a random one.
    func prefers(_ sites: [Site]) -> Site?
    /// The OwnLog message about the log that a node writes.
    func claim(_ log: LogID, of site: Site) -> Utterance
    /// The messages after the node's Hello.
    func greeting(_ site: Site) -> [Utterance]
    func answer(_ message: Heard, of site: Site) -> [Utterance]
    /// The first bytes of the handshake, possibly changed.
    func garbled(_ bytes: [UInt8], _ chance: inout Chance) -> [UInt8]
}

extension Lie {
    var callsAtOnce: Int { 1 }
    var callsOnStart: Int { 0 }
    func prefers(_ sites: [Site]) -> Site? { nil }
    func claim(_ log: LogID, of site: Site) -> Utterance { .ownLog(log, size: 0, root: .zero) }
    func garbled(_ bytes: [UInt8], _ chance: inout Chance) -> [UInt8] { bytes }

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

    /// The encoded payload of a post.
    func post(_ trial: Trial, _ chance: inout Chance) -> [UInt8] {
        let text = Ledger.text(trial.ledger.drawToken(), "hello from nobody")
        return (try? Post(salt: Salt(using: &chance), text: text)).map { Payload.post($0).encode() } ?? []
    }
}

extension Site {
    /// The running node, other than this one, that has the most logs; any peer may read from it.
    var fullest: Site? {
        trial.sites.filter { $0.isRunning && $0.number != number }
            .max { left, right in
                (left.machine?.status.logs ?? 0, left.number) < (right.machine?.status.logs ?? 0, right.number)
            }
    }
}

extension UnverifiedChunk {
    /// The decoded entries; nil if they are malformed.
    var decoded: [Entry]? {
        try? EntryCoding.decode(entries[...], count: Int(count), log: log, start: start)
    }

    /// A copy with other entries or other bodies.
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
