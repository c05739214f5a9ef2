import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Forks between nodes: wherever two branches meet they are found, told to all, and healed by a settlement.
struct HealingTests {
    /// A line of nodes, each with a history of its own.
    private func town(
        _ histories: [(branch: Int, size: Int)],
        of writer: (NetworkID) -> ForkedWriter,
        seed: UInt64 = 901
    ) throws -> (Town, ForkedWriter) {
        let town = try Town(nodes: histories.count, seed: seed)
        let writer = writer(town.network)
        for (node, history) in histories.enumerated() where history.size > 0 {
            try town.take(writer.batch(history.branch, history.size), on: node)
        }
        town.linkInLine()
        return (town, writer)
    }

    /// Two histories that differ from `fork` on.
    private func twoBranches(_ first: Int, _ second: Int, at fork: Int) -> (NetworkID) -> ForkedWriter {
        { network in
            var writer = ForkedWriter(seed: 61, network: network)
            writer.branch(first)
            writer.branch(second, from: 0, at: fork)
            return writer
        }
    }

    @Test(arguments: [(3, 6, 1), (6, 3, 1), (4, 4, 2), (1, 1, 0), (40, 700, 20), (700, 699, 698), (600, 300, 7)])
    func `Two nodes find where their branches part`(first: Int, second: Int, fork: Int) throws {
        let (town, writer) = try town([(0, first), (1, second)], of: twoBranches(first, second, at: fork))
        try town.startAll()
        #expect(town.isHealed())
        for node in 0..<2 {
            #expect(town.reports(node).contains(.forked(writer.log, at: UInt64(fork))))
            #expect(town.stores[node].size(writer.log) == UInt64(fork))
        }
    }

    @Test func `A fork that was found is asked for no more`() throws {
        let (town, writer) = try town([(0, 5), (1, 9)], of: twoBranches(5, 9, at: 2))
        try town.startAll()
        #expect(town.isHealed())
        let verified = town.world.nodes.map(\.verifiedEntries)
        town.world.run(milliseconds: 86_400_000)
        #expect(town.world.nodes.map(\.verifiedEntries) == verified)
        #expect(town.isCalm())
        #expect(town.stores[0].size(writer.log) == 2)
    }

    @Test(arguments: [[0, 1, 0], [0, 0, 1], [1, 0, 1], [0, 2, 1]])
    func `Three in a line agree`(branches: [Int]) throws {
        let (town, writer) = try town(
            branches.map { ($0, 8) },
            of: { network in
                var writer = ForkedWriter(seed: 61, network: network)
                writer.branch(8)
                writer.branch(8, from: 0, at: 5)
                writer.branch(8, from: 1, at: 6)
                return writer
            }
        )
        try town.startAll()
        #expect(town.isHealed())
        #expect((0..<3).allSatisfy { town.stores[$0].size(writer.log) == 5 })
    }

    @Test(arguments: [[0, 1, 2], [1, 0, 2], [0, 2, 1]])
    func `Of three branches the earliest difference counts`(branches: [Int]) throws {
        let (town, writer) = try town(
            branches.map { ($0, 9) },
            of: { network in
                var writer = ForkedWriter(seed: 61, network: network)
                writer.branch(9)
                writer.branch(9, from: 0, at: 6)
                writer.branch(9, from: 0, at: 2)
                return writer
            }
        )
        try town.startAll()
        #expect(town.isHealed())
        #expect((0..<3).allSatisfy { town.stores[$0].size(writer.log) == 2 })
    }

    @Test(arguments: [4, 7])
    func `A fork below a fork lowers the cut`(size: Int) throws {
        let (town, writer) = try town(
            [(0, 9), (1, 9), (2, size)],
            of: { network in
                var writer = ForkedWriter(seed: 61, network: network)
                writer.branch(9)
                writer.branch(9, from: 0, at: 6)
                writer.branch(9, from: 0, at: 2)
                return writer
            }
        )
        try town.startAll()
        town.world.kill(2)
        #expect(
            town.world.run(
                until: { town.world.nodes[0].fingerprint == town.world.nodes[1].fingerprint },
                withinMilliseconds: 10_000
            )
        )
        #expect(town.stores[0].size(writer.log) == 6)
        try town.world.start(2)
        #expect(town.isHealed())
        #expect((0..<3).allSatisfy { town.stores[$0].size(writer.log) == 2 })
    }

    @Test func `Evidence that only some have reaches all`() throws {
        let (town, writer) = try town([(0, 7), (0, 7), (0, 3), (0, 0)], of: twoBranches(7, 9, at: 4))
        try town.take(writer.accusing(0, 1, at: 4), on: 0)
        try town.startAll()
        #expect(town.isHealed())
        #expect((0..<4).allSatisfy { town.stores[$0].size(writer.log) == 4 })
    }

    @Test func `Evidence about branches that nobody here holds cuts too`() throws {
        let (town, writer) = try town(
            [(2, 8), (2, 8)],
            of: { network in
                var writer = ForkedWriter(seed: 61, network: network)
                writer.branch(9)
                writer.branch(9, from: 0, at: 6)
                writer.branch(8, from: 0, at: 3)
                return writer
            }
        )
        try town.take(writer.accusing(0, 1, at: 6), on: 0)
        try town.startAll()
        #expect(town.isHealed())
        #expect((0..<2).allSatisfy { town.stores[$0].size(writer.log) == 6 })
    }

    // MARK: Settlements

    enum Moment: CaseIterable {
        case before
        case between
        case after
    }

    @Test(arguments: Moment.allCases, [0, 1])
    func `A settlement heals`(moment: Moment, branch: Int) throws {
        let (town, writer) = try town([(0, 7), (1, 9), (0, 0)], of: twoBranches(7, 9, at: 4))
        let size = [7, 9][branch]
        if moment == .before { try town.take(writer.settling(branch, size), on: 0) }
        try town.startAll()
        if moment == .between {
            town.world.run(milliseconds: 60)
            try town.take(writer.settling(branch, size), on: 1)
        } else if moment == .after {
            #expect(town.isHealed())
            try town.take(writer.settling(branch, size), on: 2)
        }
        #expect(town.isHealed())
        #expect(town.world.run(until: town.hasAllBodies, withinMilliseconds: 10_000))
        for node in 0..<3 {
            #expect(town.stores[node].size(writer.log) == UInt64(size), "node \(node)")
            #expect(
                town.stores[node].payload(BodyPlace(log: writer.log, sequence: 4))
                    == writer.branches[branch][4].entries[0].payload
            )
        }
    }

    @Test(arguments: [0, 1, 2])
    func `Of two settlements the later is in force everywhere`(node: Int) throws {
        let (town, writer) = try town([(0, 7), (0, 7), (1, 9)], of: twoBranches(7, 9, at: 4))
        try town.take(writer.settling(0, 6, serial: 1), on: 0)
        try town.take(writer.settling(0, 7, serial: 2), on: node)
        try town.startAll()
        #expect(town.isHealed())
        #expect((0..<3).allSatisfy { town.stores[$0].size(writer.log) == 7 })
    }

    @Test func `A settlement of more than exists is waited for`() throws {
        let (town, writer) = try town([(0, 7), (0, 3)], of: twoBranches(9, 9, at: 4))
        try town.take(writer.settling(0, 9), on: 1)
        try town.startAll()
        #expect(town.isHealed())
        #expect((0..<2).allSatisfy { town.stores[$0].size(writer.log) == 7 })
        var rest = writer.batch(0)
        rest.chunks.removeFirst(7)
        try town.take(rest, on: 0)
        #expect(town.isHealed())
        #expect((0..<2).allSatisfy { town.stores[$0].size(writer.log) == 9 })
    }

    @Test func `An account that ended is forgotten by all`() throws {
        let (town, writer) = try town([(0, 7), (1, 9), (0, 0)], of: twoBranches(7, 9, at: 4))
        try town.startAll()
        #expect(town.isHealed())
        var batch = TakeBatch()
        batch.settlements = [SettlementArrival(signed: writer.end, certificate: nil, source: nil)]
        try town.take(batch, on: 2)
        #expect(town.isHealed())
        #expect((0..<3).allSatisfy { town.stores[$0].size(writer.log) == 0 })
        #expect((0..<3).allSatisfy { town.status($0)?.logs == 1 }, "the end is an item")
    }
}
