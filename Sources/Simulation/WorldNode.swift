package import Entries
internal import Storage
package import Sync

/// One node of a `World`: its machine, its store, and what a person would have seen.
package struct WorldNode {
    /// Counts the starts of the process: what belongs to an earlier one is lost.
    typealias Life = Int

    package let place: Int
    package let configuration: NodeConfiguration
    package let store: any WorldStore
    package var peers: [PeerTarget]
    package private(set) var machine: NodeMachine?
    package private(set) var reports: [NodeReport] = []
    /// Each time that signing was stopped.
    package var stoppedSigning: [NodeReport] {
        reports.filter { if case .ownLogIsLonger = $0 { true } else { false } }
    }
    /// Entries that came from peers, each time they came.
    package private(set) var verifiedEntries: UInt64 = 0
    private(set) var life: Life = 0
    var alarm: UInt64?
    private let verifier: ChunkVerifier

    init(place: Int, configuration: NodeConfiguration, store: any WorldStore, peers: [PeerTarget]) {
        self.place = place
        self.configuration = configuration
        self.store = store
        self.peers = peers
        verifier = ChunkVerifier(network: configuration.network)
    }

    package var isRunning: Bool { machine != nil }
    package var fingerprint: Fingerprint? { machine?.status.fingerprint }

    mutating func start(_ state: StoreState, seed: UInt64) {
        life += 1
        alarm = nil
        machine = NodeMachine(configuration: configuration, state: state, peers: peers, seed: seed)
    }

    mutating func kill() {
        life += 1
        machine = nil
    }

    mutating func receive(_ event: NodeEvent, at moment: Moment) -> [NodeEffect] {
        machine?.received(event, at: moment) ?? []
    }

    mutating func remember(_ effect: NodeEffect) {
        switch effect {
        case .report(let report): reports.append(report)
        case .learnPeers(let learned): peers = peers.filter { $0.origin == .listed } + learned
        case .pin(let address, let node):
            peers = peers.map {
                $0.address == address ? PeerTarget(address: address, node: node, origin: $0.origin) : $0
            }
        case .send, .close, .dial, .verify, .take, .readRanges, .readPrefix, .readPrefixProof, .readNodes, .weighPrefix,
            .judge, .readBodies, .wake:
            break
        }
    }

    /// Does what takes time, and tells what came of it.
    mutating func work(_ effect: NodeEffect) -> NodeEvent? {
        switch effect {
        case .verify(let batch): verify(batch)
        case .take(let id, let batch): take(id, batch)
        case .readRanges(let id, let wants, let byteLimit):
            (try? store.ranges(wants, byteLimit: byteLimit)).map { .ranges(id, $0) } ?? .readFailed(id)
        case .readPrefix(let id, let log, let end):
            prefix(id, of: log, end: end)
        case .readPrefixProof(let id, let log, let end):
            answer(id) { .prefixProof(id, try store.prefixProof(of: log, end: end)) }
        case .readNodes(let id, let log, let place):
            answer(id) { .nodes(id, try store.nodes(of: log, at: place)) }
        case .weighPrefix(let id, let log, let proof):
            answer(id) { .prefixWeighed(id, try weigh(proof, of: log)) }
        case .judge(let id, let verdicts):
            .judged(id, verdicts.map(VerdictVerifier(network: configuration.network).judge))
        case .readBodies(let id, let places, let byteLimit):
            (try? store.bodies(places, byteLimit: byteLimit)).map { .bodies(id, $0) } ?? .readFailed(id)
        case .send, .close, .dial, .wake, .report, .learnPeers, .pin: nil
        }
    }

    private func weigh(_ proof: PrefixProof, of log: LogID) throws -> PrefixWeight {
        PrefixWeight(
            proof,
            of: log,
            network: configuration.network,
            known: try store.prefixes(of: [log])[log],
            ours: try store.prefixNodes(of: log, end: proof.end)
        )
    }

    private func answer(_ id: RequestID, _ question: () throws -> NodeEvent) -> NodeEvent {
        do { return try question() } catch { return .readFailed(id) }
    }

    /// What is not here is an answer; what cannot be read is none.
    private func prefix(_ id: RequestID, of log: LogID, end: UInt64) -> NodeEvent {
        do { return .prefix(id, try store.prefixNodes(of: log, end: end)) } catch { return .readFailed(id) }
    }

    private func take(_ id: BatchID, _ batch: TakeBatch) -> NodeEvent {
        do { return .taken(id, try store.take(batch)) } catch { return .takeFailed(id, Self.failure(error)) }
    }

    private static func failure(_ error: any Error) -> StoreFailure {
        if let error = error as? LightStoreError { return error == .damaged ? .damaged : .passing }
        if case StorageError.damaged? = error as? StorageError { return .damaged }
        return .passing
    }

    private mutating func verify(_ batch: UnverifiedBatch) -> NodeEvent {
        verifiedEntries += batch.runs.reduce(0) { $0 + $1.chunks.reduce(0) { $0 + $1.count } }
        let wanted = batch.runs.compactMap { $0.prefix == .store ? $0.log : nil }
        let prefixes: [LogID: LogPrefix]
        do { prefixes = try store.prefixes(of: wanted) } catch { return .verifyFailed(batch.id, Self.failure(error)) }
        return .verified(
            batch.id,
            batch.runs.map { run in
                switch run.prefix {
                case .store: verifier.verify(run, over: prefixes[run.log] ?? .none)
                case .known(let prefix): verifier.verify(run, over: prefix)
                }
            }
        )
    }
}
