import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes that hear of each other come to hold the same.
struct ConvergenceTests {
    @Test func `Two nodes converge`() throws {
        let town = try Town(nodes: 2, seed: 1)
        try town.write("from the first", on: 0)
        try town.write("from the second", on: 1)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.areEqual, withinMilliseconds: 10_000))
        #expect(town.stores[0].contents.count == 2)
        #expect(town.stores[0].contents == town.stores[1].contents)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.reports(0).contains(.caughtUp(town.world.id(1))))
    }

    @Test func `What is written after an hour in step leaves the moment before`() throws {
        let town = try Town(nodes: 2, seed: 4) { $0.latencyMilliseconds = 50...50 }
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        town.world.run(milliseconds: 3_600_000)
        let before = town.world.now
        try town.write("a post", on: 0)
        #expect(town.world.run(until: { town.status(0)?.sessions.first?.isEqual == false }, withinMilliseconds: 1_000))
        #expect(town.world.run(until: { town.status(1)?.sessions.first?.isEqual == false }, withinMilliseconds: 1_000))
        for node in 0...1 { #expect(try #require(town.status(node)?.sessions.first?.equalAt) >= before) }
    }

    @Test func `Three in a line converge across a split`() throws {
        let town = try Town(nodes: 3, seed: 2)
        town.link(0, 1)
        town.link(2, 1)
        try town.startAll()
        for node in 0..<3 { try town.write("before \(node)", on: node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        #expect(town.stores[0].contents.count == 3)
        town.world.cut(1, 2)
        town.world.run(milliseconds: 1_000)
        for node in 0..<3 {
            for post in 0..<5 { try town.write("apart \(node) \(post)", on: node) }
        }
        town.world.run(milliseconds: 60_000)
        #expect(town.stores[0].contents.count == 13)
        #expect(town.stores[2].contents.count == 8)
        town.world.heal(1, 2)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 600_000))
        #expect(town.stores[2].contents.count == 18)
        #expect(town.stores[0].contents == town.stores[2].contents)
    }

    @Test func `One byte at a time is enough`() throws {
        let town = try Town(nodes: 2, seed: 3) { $0.chunking = .pieces(of: 1) }
        for post in 0..<20 { try town.write("post \(post)", on: 0) }
        try town.write("another", on: 1)
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        #expect(town.stores[1].contents.count == 21)
    }

    @Test(arguments: 100..<130)
    func `Any order of events converges`(seed: UInt64) throws {
        let town = try Town(nodes: 4, seed: seed) {
            $0.chunking = .random(upTo: 900)
            $0.latencyMilliseconds = 1...200
            $0.workMilliseconds = 0...150
        }
        var chance = Chance(seed: seed)
        for node in 1..<4 { town.link(node, Int(chance.next() % UInt64(node))) }
        town.link(0, 3)
        try town.startAll()
        for step in 0..<60 {
            let node = Int(chance.next() % 4)
            switch chance.next() % 8 {
            case 0: town.world.cut(node, (node + 1) % 4)
            case 1: town.world.heal(node, (node + 1) % 4)
            case 2:
                town.world.kill(node)
                town.world.run(milliseconds: chance.next() % 50)
                try town.world.start(node)
            default: try town.write("step \(step)", on: node)
            }
            town.world.run(milliseconds: chance.next() % 300)
        }
        for first in 0..<4 {
            for second in 0..<4 { town.world.heal(first, second) }
        }
        let hasConverged = town.world.run(until: town.isCalm, withinMilliseconds: 1_200_000)
        #expect(hasConverged, "seed \(seed): \(town.stores.map(\.entryCount))")
        #expect(Set(town.stores.map(\.contents)).count == 1, "seed \(seed)")
        #expect((0..<4).flatMap(town.violations).isEmpty, "seed \(seed)")
        #expect((0..<4).allSatisfy { town.world.nodes[$0].stoppedSigning.isEmpty }, "seed \(seed)")
    }

    @Test func `The same seed gives the same trace`() throws {
        func trace() throws -> [String] {
            let town = try Town(nodes: 3, seed: 5) {
                $0.chunking = .random(upTo: 700)
                $0.latencyMilliseconds = 1...40
                $0.workMilliseconds = 0...20
                $0.trace = .on
            }
            town.link(0, 1)
            town.link(1, 2)
            town.link(2, 0)
            try town.startAll()
            for post in 0..<10 {
                try town.write("post \(post)", on: post % 3)
                town.world.run(milliseconds: 50)
            }
            town.world.cut(0, 1)
            town.world.run(milliseconds: 90_000)
            return town.world.trace
        }
        let first = try trace()
        #expect(first.count > 300)
        #expect(try trace() == first)
    }
}
