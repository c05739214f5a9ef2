import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Whatever nodes carry, and however that changes while they run: in the end each holds what it carries, as far as a
/// way leads there over nodes that carry it too.
struct ScopePropertyTests {
    private static let nodes = 5

    @Test(arguments: 4_000..<4_060)
    func `Any scopes converge`(seed: UInt64) throws {
        let town = try Town(nodes: Self.nodes, seed: seed) {
            $0.chunking = .random(upTo: 900)
            $0.latencyMilliseconds = 1...150
            $0.workMilliseconds = 0...100
        }
        var chance = Chance(seed: seed)
        var links: [[Int]] = []
        for node in 1..<Self.nodes { links.append([node, Int(chance.next() % UInt64(node))]) }
        links.append([0, Self.nodes - 1])
        for link in links { town.link(link[0], link[1]) }
        var scopes: [Int: Scope] = [:]
        for node in 0..<Self.nodes { scopes[node] = draw(node, town, &chance) }
        try town.startAll(carrying: scopes)
        for step in 0..<60 {
            let node = Int(chance.next() % UInt64(Self.nodes))
            switch chance.next() % 10 {
            case 0: town.world.cut(node, (node + 1) % Self.nodes)
            case 1: town.world.heal(node, (node + 1) % Self.nodes)
            case 2:
                town.world.kill(node)
                town.world.run(milliseconds: chance.next() % 50)
                try town.world.start(node)
            case 3, 4:
                let scope = draw(node, town, &chance)
                scopes[node] = scope
                town.world.carry(scope, on: node)
            default: try town.write("step \(step)", on: node)
            }
            town.world.run(milliseconds: chance.next() % 2_000)
        }
        for first in 0..<Self.nodes {
            for second in 0..<Self.nodes { town.world.heal(first, second) }
        }
        let isDone = { town.isInStep() && isComplete(town, scopes, links) }
        let hasConverged = town.world.run(until: isDone, withinMilliseconds: 1_800_000)
        #expect(hasConverged, "seed \(seed): in step \(town.isInStep()), complete \(isComplete(town, scopes, links))")
        #expect((0..<Self.nodes).flatMap(town.violations).isEmpty, "seed \(seed)")
        #expect((0..<Self.nodes).allSatisfy { town.world.nodes[$0].stoppedSigning.isEmpty }, "seed \(seed)")
    }

    private func draw(_ node: Int, _ town: Town, _ chance: inout Chance) -> Scope {
        guard chance.next() % 3 > 0 else { return .everything }
        let others = (0..<Self.nodes).filter { _ in chance.next() % 2 == 0 }
        return .identities(Set((others + [node]).map(town.person)))
    }

    /// Each writer's log is whole wherever it is carried and a way leads.
    private func isComplete(_ town: Town, _ scopes: [Int: Scope], _ links: [[Int]]) -> Bool {
        (0..<Self.nodes).allSatisfy { writer in
            let carriers = Set((0..<Self.nodes).filter { scopes[$0]?.contains(town.person(writer)) == true })
            var reached: Set<Int> = [writer]
            var size = 0
            while reached.count > size {
                size = reached.count
                for link in links where carriers.isSuperset(of: link) {
                    if !reached.isDisjoint(with: link) { reached.formUnion(link) }
                }
            }
            return reached.allSatisfy { town.stores[$0].size(town.authors[writer].log) == town.authors[writer].size }
        }
    }
}
