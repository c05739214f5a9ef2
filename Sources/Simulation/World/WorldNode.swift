package import Entries
package import Sync

/// One node of a `World`: its machine, its store, and the reports that a person would have seen.
package struct WorldNode {
    /// A number for one life of the process, raised at each start and kill: events of an earlier life are dropped.
    typealias Life = Int

    package let place: Int
    package let configuration: NodeConfiguration
    package private(set) var store: any WorldStore
    package var peers: [PeerTarget]
    /// What the node carries; while it runs, `World.carry` changes it.
    package var scope = Scope.everything
    package private(set) var machine: NodeMachine?
    package private(set) var reports: [NodeReport] = []
    /// A report for each time that the node stopped signing because a peer has proven more of the own log than is held.
    package var stoppedSigning: [NodeReport] {
        reports.filter { if case .ownLogIsLonger = $0 { true } else { false } }
    }
    /// Entries handed to the verifier; one that came twice counts twice.
    package private(set) var verifiedEntries: UInt64 = 0
    private(set) var life: Life = 0
    var alarm: UInt64?
    private let performer: WorkPerformer

    init(place: Int, configuration: NodeConfiguration, store: any WorldStore, peers: [PeerTarget]) {
        self.place = place
        self.configuration = configuration
        self.store = store
        self.peers = peers
        performer = WorkPerformer(network: configuration.network)
    }

    package var isRunning: Bool { machine != nil }
    package var fingerprint: Fingerprint? { machine?.status.fingerprint }

    mutating func start(_ state: StoreState, seed: UInt64) {
        life += 1
        alarm = nil
        machine = NodeMachine(configuration: configuration, state: state, peers: peers, scope: scope, seed: seed)
    }

    /// A copy of the node over another store with the same contents.
    func over(_ store: any WorldStore) -> WorldNode {
        var node = self
        node.store = store
        return node
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
            .checkWords, .readBodies, .wake:
            break
        }
    }

    /// Performs an effect that takes time and returns the event that answers it; nil for other effects.
    mutating func work(_ effect: NodeEffect) -> NodeEvent? {
        if case .verify(let batch) = effect {
            verifiedEntries += batch.runs.reduce(0) { $0 + $1.chunks.reduce(0) { $0 + $1.count } }
        }
        return performer.work(effect, over: store)
    }
}
