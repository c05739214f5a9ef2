package import Entries

/// What is pushed to every ready peer at once, for as long as one event lasts (`protocol/sync.md §6`).
///
/// Over which links it is pushed is `NodeMachine+Branches`: below a few dozen over all of them.
struct Gossip {
    private var fresh: [LogID: [VerifiedChunk]] = [:]
    private var packed: [LogID: [UnverifiedChunk]] = [:]

    var isEmpty: Bool { fresh.isEmpty }

    /// Entries that are new in the network, as far as this node knows.
    mutating func put(_ chunk: VerifiedChunk) {
        fresh[chunk.log, default: []].append(chunk)
    }

    /// The chunks that bring a peer that holds `known` of the log to `size`; nil: it has to ask.
    mutating func chunks(of log: LogID, from known: UInt64, to size: UInt64) -> [UnverifiedChunk]? {
        guard let chunks = fresh[log], let first = chunks.first, let last = chunks.last,
            first.start == 0 || first.start <= known, last.end == size, chunks.allSatisfy(\.reachesHead)
        else { return nil }
        let all = packed[log] ?? chunks.map(\.packed)
        packed[log] = all
        // One that came in a message of the greatest size would not fit in one with a number: it is asked for in parts.
        return all.allSatisfy { $0.wireBytes <= Limits.pushedChunkBytes } ? all : nil
    }

    mutating func removeAll() {
        guard !fresh.isEmpty else { return }
        fresh = [:]
        packed = [:]
    }
}

extension VerifiedChunk {
    /// The chunk as it goes on the wire; it ends at its head, so that no node stands beside it.
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
