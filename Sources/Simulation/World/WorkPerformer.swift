internal import Entries
internal import Storage
internal import Sync

/// The work of a node's threads, store requests and verification: each ends in one event.
struct WorkPerformer {
    private let network: NetworkID
    private let verifier: ChunkVerifier

    init(network: NetworkID) {
        self.network = network
        verifier = ChunkVerifier(network: network)
    }

    /// Performs an effect and returns the event that answers it; nil for effects that take no time.
    func work(_ effect: NodeEffect, over store: any HeldStore) -> NodeEvent? {
        switch effect {
        case .verify(let batch): verify(batch, store)
        case .take(let id, let batch): take(id, batch, store)
        case .readRanges(let id, let wants, let byteLimit):
            (try? store.ranges(wants, byteLimit: byteLimit)).map { .ranges(id, $0) } ?? .readFailed(id)
        case .readPrefix(let id, let log, let end):
            // An absent prefix is an answer; a failed read is not.
            answer(id) { .prefix(id, try store.prefixNodes(of: log, end: end)) }
        case .readPrefixProof(let id, let log, let end):
            answer(id) { .prefixProof(id, try store.prefixProof(of: log, end: end)) }
        case .readNodes(let id, let log, let place):
            answer(id) { .nodes(id, try store.nodes(of: log, at: place)) }
        case .weighPrefix(let id, let log, let proof):
            answer(id) { .prefixWeighed(id, try weigh(proof, of: log, store)) }
        case .checkWords(let id, let words): .wordsChecked(id, words.map(WordVerifier(network: network).check))
        case .readBodies(let id, let places, let byteLimit):
            (try? store.bodies(places, byteLimit: byteLimit)).map { .bodies(id, $0) } ?? .readFailed(id)
        case .send, .close, .dial, .wake, .report, .learnPeers, .pin: nil
        }
    }

    private func weigh(_ proof: PrefixProof, of log: LogID, _ store: any HeldStore) throws -> PrefixWeight {
        PrefixWeight(
            proof,
            of: log,
            network: network,
            known: try store.prefixes(of: [log])[log],
            ours: try store.prefixNodes(of: log, end: proof.end)
        )
    }

    private func answer(_ id: RequestID, _ question: () throws -> NodeEvent) -> NodeEvent {
        do { return try question() } catch { return .readFailed(id) }
    }

    private func take(_ id: BatchID, _ batch: TakeBatch, _ store: any HeldStore) -> NodeEvent {
        do {
            return .taken(id, try store.take(batch), microseconds: Self.microseconds(batch))
        } catch {
            return .takeFailed(id, Self.failure(error))
        }
    }

    /// A plausible disk time for a batch, in place of virtual time: the node sizes its batches by it.
    private static func microseconds(_ batch: TakeBatch) -> UInt64 {
        let entries = batch.chunks.reduce(0) { $0 + $1.chunk.entries.count }
        return 1_000 + 100 * UInt64(Set(batch.chunks.map(\.chunk.log)).count) + 10 * UInt64(entries)
    }

    private static func failure(_ error: any Error) -> StoreFailure {
        if let error = error as? LightStoreError { return error == .damaged ? .damaged : .passing }
        if case StorageError.damaged? = error as? StorageError { return .damaged }
        return .passing
    }

    private func verify(_ batch: UnverifiedBatch, _ store: any HeldStore) -> NodeEvent {
        let wanted = batch.runs.filter(\.isOverStored).map(\.log)
        let prefixes: [LogID: LogPrefix]
        do { prefixes = try store.prefixes(of: wanted) } catch { return .verifyFailed(batch.id, Self.failure(error)) }
        return .verified(
            batch.id,
            batch.runs.map { verifier.verify($0, over: $0.base(prefixes[$0.log])) }
        )
    }
}
