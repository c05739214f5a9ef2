package import Entries

/// Fresh chunks to push during the current event, packed once for all peers (`protocol/sync.md` §6).
///
/// `NodeMachine+Branches` chooses the links: with few links all of them.
struct Gossip {
    private var fresh: [LogID: [VerifiedChunk]] = [:]
    private var packed: [LogID: [UnverifiedChunk]] = [:]

    var isEmpty: Bool { fresh.isEmpty }

    /// Adds entries that are new in the network, as far as this node knows.
    mutating func put(_ chunk: VerifiedChunk) {
        fresh[chunk.log, default: []].append(chunk)
    }

    /// The chunks that bring a peer from `known` entries of the log to `size`; nil: it has to ask for them.
    mutating func chunks(of log: LogID, from known: UInt64, to size: UInt64) -> [UnverifiedChunk]? {
        guard let chunks = fresh[log], let first = chunks.first, let last = chunks.last,
            first.start == 0 || first.start <= known, last.end == size, chunks.allSatisfy(\.reachesHead)
        else { return nil }
        let all = packed[log] ?? chunks.map(\.packed)
        packed[log] = all
        // A chunk that came in a message of the greatest size would not fit beside a number: the peer asks for it in
        // parts.
        return all.allSatisfy { $0.wireBytes <= Limits.pushedChunkBytes } ? all : nil
    }

    mutating func removeAll() {
        guard !fresh.isEmpty else { return }
        fresh = [:]
        packed = [:]
    }
}

extension VerifiedChunk {
    /// The chunk in wire form. It ends at its head, so that `right` is empty.
    package var packed: UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: start == 0 ? certificate.bytes : nil,
            start: start,
            count: end - start,
            size: size,
            proof: head.map { .head($0.signature) } ?? .known,
            entries: EntryCoding.encode(entries),
            right: []
        )
    }
}
