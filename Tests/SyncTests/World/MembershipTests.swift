import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes that all know one and the same come to know each other, and get on without it (`protocol/sync.md` §10).
struct MembershipTests {
    private let nodes = 24

    /// Nodes that are running, by who has a link to whom.
    private func neighbours(in town: Town) -> [NodeID: Set<NodeID>] {
        var all: [NodeID: Set<NodeID>] = [:]
        for node in town.world.nodes where node.isRunning {
            all[node.configuration.node] = Set(node.machine?.links.values.map(\.node) ?? [])
        }
        return all
    }

    private func hangTogether(_ neighbours: [NodeID: Set<NodeID>]) -> Bool {
        guard let first = neighbours.keys.min() else { return true }
        var seen: Set<NodeID> = [first]
        var open = [first]
        while let node = open.popLast() {
            for next in neighbours[node] ?? [] where neighbours[next] != nil && seen.insert(next).inserted {
                open.append(next)
            }
        }
        return seen.count == neighbours.count
    }

    @Test func whoKnowOneComeToKnowOthersAndOutliveHalfOfThem() throws {
        let town = try Town(nodes: nodes, seed: 51, exchange: .on) { $0.latencyMilliseconds = 5...40 }
        for node in 1..<nodes { town.link(node, 0) }
        try town.startAll()
        town.world.run(milliseconds: 300_000)
        var around = neighbours(in: town)
        let counts = around.filter { $0.key != town.world.id(0) }.map(\.value.count).sorted()
        #expect(counts.first ?? 0 >= Limits.wantedSessionsCount - 1)
        // Who has an address that sorts well is no hub.
        #expect(counts.last ?? 0 <= 4 * Limits.wantedSessionsCount)
        around[town.world.id(0)] = nil
        #expect(hangTogether(around))

        town.world.kill(0)
        for node in 1...nodes / 2 { town.world.kill(node) }
        town.world.run(milliseconds: 120_000)
        #expect(hangTogether(neighbours(in: town)))
        try town.write("after the fall", on: nodes - 1)
        town.world.run(milliseconds: 10_000)
        let living = town.stores.indices.filter { town.world.nodes[$0].isRunning }
        #expect(living.count == nodes - nodes / 2 - 1)
        #expect(living.allSatisfy { town.stores[$0].contents.count == 1 })
        #expect(living.flatMap(town.violations).isEmpty)
    }

    @Test func oneLinkIsAskedForAddressesEachHalfHour() throws {
        let town = try Town(nodes: 4, seed: 52, exchange: .on)
        for node in 1..<4 { town.link(node, 0) }
        try town.startAll()
        town.world.run(milliseconds: 60_000)
        func asked() -> UInt64 {
            town.world.nodes[0].machine?.spoken.byType.first { $0.type == MessageType.peersWanted.rawValue }?.count ?? 0
        }
        let before = asked()
        town.world.run(milliseconds: 2 * Limits.peersRenewalMilliseconds)
        #expect(asked() == before + 2)
        #expect(town.violations(0).isEmpty)
    }
}
