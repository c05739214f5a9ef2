import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Random forks among random nodes, with evidence and settlements that come when they come: in the end all say the
/// same, and no link was closed for it.
struct ForkPropertyTests {
    private struct Scene {
        var chance: Chance
        let town: Town
        var writer: ForkedWriter

        mutating func below(_ limit: Int) -> Int { limit <= 0 ? 0 : Int(chance.next() % UInt64(limit)) }

        init(seed: UInt64) throws {
            var chance = Chance(seed: seed)
            let nodes = 2 + Int(chance.next() % 4)
            town = try Town(nodes: nodes, seed: 5_000 + seed) {
                $0.latencyMilliseconds = 1...40
                $0.workMilliseconds = 1...20
            }
            writer = ForkedWriter(seed: 70, network: town.network)
            self.chance = chance
            for number in 0...below(4) {
                let other = number == 0 ? nil : below(number)
                let fork = other.map { below(writer.branches[$0].count) } ?? 0
                writer.branch(fork + 1 + below(12), from: other, at: fork)
            }
            for node in 1..<nodes { town.link(node, below(node)) }
            if nodes > 2, below(2) == 0 { town.link(0, nodes - 1) }
        }

        /// What some node might hold when it starts.
        mutating func holdings(of node: Int) throws {
            let branch = below(writer.branches.count)
            let size = below(writer.branches[branch].count + 1)
            guard size > 0 else { return }
            if below(4) == 0 {
                try town.take(writer.partial(branch, size), on: node)
            } else {
                try town.take(writer.batch(branch, size), on: node)
            }
        }

        /// Something that a person or a fork brings about, on some node.
        mutating func happening(serial: UInt64) throws {
            let node = below(town.stores.count)
            let branch = below(writer.branches.count)
            switch below(3) {
            case 0:
                let size = below(writer.branches[branch].count + 1)
                try town.take(writer.settling(branch, size, serial: serial), on: node)
            case 1:
                let other = below(writer.branches.count)
                guard let cut = writer.firstDifference(branch, other) else { return }
                try town.take(writer.accusing(branch, other, at: cut), on: node)
            default:
                town.world.run(milliseconds: UInt64(below(400)))
            }
        }
    }

    @Test(arguments: 0..<8)
    func `Nodes agree in the end`(part: UInt64) throws {
        for seed in part * 50..<(part + 1) * 50 {
            var scene = try Scene(seed: seed)
            let town = scene.town
            for node in town.stores.indices { try scene.holdings(of: node) }
            for serial in 0..<UInt64(scene.below(3)) { try scene.happening(serial: serial) }
            try town.startAll()
            for serial in 0..<UInt64(scene.below(5)) {
                town.world.run(milliseconds: UInt64(scene.below(300)))
                try scene.happening(serial: serial)
            }
            let isHealed = town.isHealed(withinMilliseconds: 900_000)
            let sizes = town.stores.map { $0.size(scene.writer.log) }
            #expect(isHealed, "seed \(seed): \(sizes) \(town.allViolations) \(town.fingerprints)")
        }
    }
}
