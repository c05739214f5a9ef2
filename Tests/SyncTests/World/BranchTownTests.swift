import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Many nodes with many links: entries go along a tree of them, and what the tree loses comes all the same.
struct BranchTownTests {
    /// How a town pushes: as `Limits.eagerLinksCount` says, or over all links.
    private static let mesh = Int.max

    /// Writes posts, each by another node, and says how many messages with entries that took.
    private static func write(_ posts: Int, in town: Town, by writers: [Int]? = nil) throws -> UInt64 {
        let nodes = town.world.nodes.indices
        let writers = writers ?? Array(nodes)
        let before = nodes.map { town.world.nodes[$0].machine?.spoken ?? SpokenMessages() }
        for post in 0..<posts {
            try town.write("post", on: writers[post % writers.count])
            town.world.run(milliseconds: 500)
        }
        return nodes.reduce(0) { sum, node in
            let spoken = town.world.nodes[node].machine?.spoken.since(before[node])
            return sum + (spoken?.byType.first { $0.type == MessageType.chunks.rawValue }?.count ?? 0)
        }
    }

    /// Waits until all links are there, and all hold the same. To look at so many links takes longer than what happens
    /// on them: it looks only now and then.
    private func settle(_ town: Town, links: (Int) -> Int) -> Bool {
        for _ in 0..<120 {
            town.world.run(milliseconds: 5_000)
            let isWhole = town.stores.indices.allSatisfy { town.world.nodes[$0].machine?.links.count == links($0) }
            if isWhole, town.areEqual() { return true }
        }
        return false
    }

    /// A node with sixty links, of which it dialled sixteen, among sixty that have two to each other.
    private func hub(eagerLinks: Int) throws -> Town {
        let around = 60
        let town = try Town(nodes: around + 1, seed: 44) { $0.latencyMilliseconds = 10...60 }
        for node in 1...around {
            if node <= 16 { town.link(0, node) } else { town.link(node, 0) }
            town.link(node, node % around + 1)
        }
        try town.startAll(eagerLinks: eagerLinks)
        return town
    }

    @Test func `A node with sixty links pushes over a tree`() throws {
        func copies(eagerLinks: Int, growing: Int, posts: Int) throws -> Double {
            let town = try hub(eagerLinks: eagerLinks)
            #expect(settle(town) { $0 == 0 ? 60 : 3 })
            let writers = (0..<6).map { $0 * 10 }
            _ = try Self.write(growing, in: town, by: writers)
            let count = try Self.write(posts, in: town, by: writers)
            town.world.run(milliseconds: 2_000)
            #expect(town.areEqual())
            #expect(town.stores[1].contents.count == growing + posts)
            #expect(town.stores.indices.flatMap(town.violations).isEmpty)
            return Double(count) / Double(posts * 60)
        }
        let tree = try copies(eagerLinks: Limits.eagerLinksCount, growing: 12, posts: 6)
        let mesh = try copies(eagerLinks: Self.mesh, growing: 0, posts: 3)
        #expect(tree < mesh * 3 / 4, "messages with an entry for each node that gets it: \(tree), \(mesh)")
    }

    /// Twelve nodes that all have each other, and have grown a tree; the node with the most branches of it.
    private func grown() throws -> (Town, trunk: Int) {
        let nodes = 12
        let town = try Town(nodes: nodes, seed: 45) { $0.latencyMilliseconds = 10...60 }
        for node in 1..<nodes { for other in 0..<node { town.link(node, other) } }
        try town.startAll(eagerLinks: 4)
        #expect(settle(town) { _ in nodes - 1 })
        _ = try Self.write(2 * nodes, in: town)
        func branches(_ node: Int) -> Int {
            town.world.nodes[node].machine?.links.values.count { $0.branching == .pushed } ?? 0
        }
        let trunk = try #require(town.stores.indices.max { branches($0) < branches($1) })
        #expect(branches(trunk) > 2)
        return (town, trunk)
    }

    @Test func `A node that dies in the middle of the tree stops nothing`() throws {
        let (town, trunk) = try grown()
        let others = town.stores.indices.filter { $0 != trunk }
        // Its host is gone: no connection ends before it has been silent for long.
        town.world.silence(trunk)
        let held = town.stores[others[0]].contents.count
        var slowest: UInt64 = 0
        for (post, writer) in others.prefix(8).enumerated() {
            let began = town.world.now
            try town.write("post", on: writer)
            let hasCome = { others.allSatisfy { town.stores[$0].contents.count == held + post + 1 } }
            #expect(town.world.run(until: hasCome, withinMilliseconds: 20_000))
            slowest = max(slowest, town.world.now - began)
            town.world.run(milliseconds: 100)
        }
        // Some hops of 60 ms, and of them one or two that are grafted.
        #expect(slowest < 3_000)
        // It comes back, and has missed what was pushed to nobody: the comparison brings it.
        town.world.kill(trunk)
        try town.world.start(trunk)
        #expect(settle(town) { _ in town.stores.count - 1 })
        #expect(town.stores[trunk].contents.count == held + 8)
    }

    @Test func `A mesh pushes each entry about once to each node`() throws {
        func pushes(eagerLinks: Int) throws -> UInt64 {
            let nodes = 8
            let town = try Town(nodes: nodes, seed: 36) { $0.latencyMilliseconds = 10...60 }
            for node in 1..<nodes { for other in 0..<node { town.link(node, other) } }
            try town.startAll(eagerLinks: eagerLinks)
            #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
            _ = try Self.write(24, in: town)
            let count = try Self.write(24, in: town)
            #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
            #expect(town.stores[0].contents.count == 48)
            return count
        }
        // Twenty-four posts to seven others each.
        let needed: UInt64 = 24 * 7
        #expect(try pushes(eagerLinks: 2) < needed * 5 / 4)
        #expect(try pushes(eagerLinks: Limits.eagerLinksCount) > needed * 3)
    }

    @Test(arguments: 5_000..<5_006)
    func `A tree ends where a mesh of pushes ends`(seed: UInt64) throws {
        let nodes = 6
        func run(eagerLinks: Int) throws -> (Fingerprint?, Int) {
            let town = try Town(nodes: nodes, seed: seed) { $0.latencyMilliseconds = 1...150 }
            for node in 1..<nodes { for other in 0..<node { town.link(node, other) } }
            try town.startAll(plain: [Int(seed) % nodes], eagerLinks: eagerLinks)
            var chance = Chance(seed: seed)
            town.world.run(milliseconds: 5_000)
            for step in 0..<40 {
                let node = Int(chance.next() % UInt64(nodes))
                let other = (node + 1 + Int(chance.next() % UInt64(nodes - 1))) % nodes
                switch chance.next() % 8 {
                case 0: town.world.cut(node, other)
                case 1: town.world.heal(node, other)
                case 2:
                    town.world.kill(node)
                    town.world.run(milliseconds: 20)
                    try town.world.start(node)
                default: try town.write("step \(step)", on: node)
                }
                town.world.run(milliseconds: chance.next() % 2_000)
            }
            for first in 0..<nodes { for second in 0..<nodes { town.world.heal(first, second) } }
            #expect(town.world.run(until: town.isCalm, withinMilliseconds: 1_800_000), "seed \(seed), \(eagerLinks)")
            #expect((0..<nodes).flatMap(town.violations).isEmpty, "seed \(seed), \(eagerLinks)")
            return (town.world.nodes[0].fingerprint, town.stores[0].contents.count)
        }
        let tree = try run(eagerLinks: 1)
        let mesh = try run(eagerLinks: Limits.eagerLinksCount)
        #expect(tree == mesh, "seed \(seed)")
        #expect(tree.1 > 10, "seed \(seed)")
    }
}
