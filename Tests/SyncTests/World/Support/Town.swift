import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A world with light stores and an author on each node.
final class Town {
    let world: World
    let stores: [LightStore]
    var authors: [Author]
    private var targets: [[PeerTarget]]
    private let exchange: NodeConfiguration.PeerExchange

    init(
        nodes: Int,
        seed: UInt64,
        exchange: NodeConfiguration.PeerExchange = .off,
        _ change: (inout WorldOptions) -> Void = { _ in }
    ) throws {
        var options = WorldOptions(seed: seed)
        change(&options)
        let world = World(options)
        self.world = world
        stores = (0..<nodes).map { _ in LightStore() }
        authors = (0..<nodes).map { Author(seed: seed * 1_000 + UInt64($0), network: world.network) }
        targets = Array(repeating: [], count: nodes)
        self.exchange = exchange
        for (store, author) in zip(stores, authors) { store.register(author) }
    }

    var network: NetworkID { world.network }

    /// The first dials the second; before `startAll`.
    func link(_ first: Int, _ second: Int) {
        targets[first].append(World.target(second))
    }

    /// `old`: nodes that speak version 1 of the protocol; `plain`: such as know no optional features.
    func startAll(
        old: Set<Int> = [],
        plain: Set<Int> = [],
        carrying scopes: [Int: Scope] = [:],
        eagerLinks: Int = Limits.eagerLinksCount
    ) throws {
        for node in stores.indices {
            let version: UInt32? = old.contains(node) ? 1 : nil
            let features: Set<UInt32>? = plain.contains(node) ? [] : nil
            _ = world.add(
                stores[node],
                peers: targets[node],
                exchange: exchange,
                version: version,
                features: features,
                identity: person(node),
                eagerLinks: eagerLinks
            )
        }
        for (node, scope) in scopes { world.carry(scope, on: node) }
        for node in stores.indices { try world.start(node) }
    }

    /// Puts entries of others into a store.
    func plant(_ chunks: [VerifiedChunk], on node: Int) throws {
        var batch = TakeBatch()
        batch.chunks = chunks.map { TakeBatch.SourcedChunk(chunk: $0, source: NodeID(raw: .zero)) }
        _ = try stores[node].take(batch)
    }

    /// The author on a node.
    func person(_ node: Int) -> IdentityID { authors[node].certificate.certificate.identity }

    /// The scope of these nodes' authors.
    func people(_ nodes: Int...) -> Scope { .identities(Set(nodes.map(person))) }

    /// Every link says that both ends hold the same of what both carry, and every node has one.
    func isInStep() -> Bool {
        stores.indices.allSatisfy { node in
            let sessions = status(node)?.sessions ?? []
            return !sessions.isEmpty && sessions.allSatisfy { $0.isEqual && $0.isQuiet }
        }
    }

    /// Writes a post, on a running node or before the start.
    func write(_ text: String, on node: Int) throws {
        if world.nodes.indices.contains(node), world.nodes[node].isRunning {
            try world.write(text, on: node, by: &authors[node])
        } else {
            _ = try stores[node].append(text, by: &authors[node], at: world.moment.wallMilliseconds)
        }
    }

    func areEqual() -> Bool {
        let fingerprints = stores.indices.map { world.nodes[$0].fingerprint }
        let counts = stores.map { $0.contents.count }
        return Set(fingerprints).count == 1 && Set(counts).count == 1
    }

    /// All are equal, and every link says so.
    func isCalm() -> Bool {
        areEqual()
            && stores.indices.allSatisfy { node in
                let sessions = status(node)?.sessions ?? []
                return !sessions.isEmpty && sessions.allSatisfy(\.isEqual)
            }
    }

    func reports(_ node: Int) -> [NodeReport] { world.nodes[node].reports }
    func status(_ node: Int) -> NodeStatus? { world.nodes[node].machine?.status }

    func violations(_ node: Int) -> [SyncViolation] {
        reports(node).compactMap { report in
            if case .violation(_, _, let violation, _) = report { violation } else { nil }
        }
    }
}
