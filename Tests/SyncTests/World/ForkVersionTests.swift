import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes of version 1 among others: they know of no cure, and nothing breaks for that.
struct ForkVersionTests {
    private func town(old: Set<Int>, seed: UInt64 = 930) throws -> (Town, ForkedWriter) {
        let town = try Town(nodes: 3, seed: seed)
        var writer = ForkedWriter(seed: 61, network: town.network)
        writer.branch(6)
        writer.branch(9, from: 0, at: 3)
        try town.take(writer.batch(0), on: 0)
        try town.take(writer.batch(1), on: 2)
        town.link(0, 1)
        town.link(1, 2)
        if !old.contains(0) { town.link(0, 2) }
        try town.startAll(old: old)
        return (town, writer)
    }

    @Test(arguments: [[1], [0], [2], [0, 1], [0, 1, 2]] as [Set<Int>])
    func `No link is closed and everything else flows`(old: Set<Int>) throws {
        let (town, _) = try town(old: old)
        town.world.run(milliseconds: 60_000)
        for node in 0..<3 { try town.write("from \(node)", on: node) }
        town.world.run(milliseconds: 10_000)
        #expect(town.allViolations.isEmpty)
        for node in 0..<3 {
            #expect((0..<3).allSatisfy { town.stores[node].size(town.authors[$0].log) == 1 })
            #expect(town.status(node)?.sessions.isEmpty == false)
        }
    }

    @Test func `A node in the middle that knows of nothing hinders nobody`() throws {
        let (town, writer) = try town(old: [1])
        #expect(
            town.world.run(
                until: { town.world.nodes[0].fingerprint == town.world.nodes[2].fingerprint },
                withinMilliseconds: 60_000
            )
        )
        #expect([0, 2].allSatisfy { town.stores[$0].size(writer.log) == 3 })
        try town.take(writer.settling(1, 9), on: 0)
        #expect(
            town.world.run(
                until: { [0, 2].allSatisfy { town.stores[$0].size(writer.log) == 9 } },
                withinMilliseconds: 60_000
            )
        )
        #expect(town.allViolations.isEmpty)
    }

    /// What was sent to a node of version 1 before the settled history came was no lie.
    @Test(arguments: [4, 7] as [UInt64])
    func `A settled log is not shown to who cannot tell why`(end: UInt64) throws {
        let town = try Town(nodes: 1, seed: 931)
        var writer = ForkedWriter(seed: 61, network: town.network)
        writer.branch(7)
        writer.branch(7, from: 0, at: 2)
        try town.take(writer.batch(0), on: 0)
        try town.startAll()
        let old = Stranger(town.world)
        old.greet()
        // In force here: another history than was shown, and a shorter one.
        try town.take(writer.settling(0, 3), on: 0)
        try town.take(writer.settling(1, 3, serial: 2), on: 0)
        old.send(.prefixWanted(PrefixQuestion(log: writer.log, end: end)))
        old.run(milliseconds: 500)
        #expect(!old.inbox.contains { if case .prefix = $0 { true } else { false } })
        #expect(old.isOpen)
    }

    @Test func `Of a forked log a peer of version 1 is shown what is here and no more`() throws {
        let town = try Town(nodes: 1, seed: 932)
        var writer = ForkedWriter(seed: 61, network: town.network)
        writer.branch(7)
        writer.branch(7, from: 0, at: 2)
        try town.take(writer.batch(0), on: 0)
        try town.startAll()
        let old = Stranger(town.world)
        old.greet()
        try town.take(writer.accusing(0, 1, at: 2), on: 0)
        old.send(
            .prefixWanted(PrefixQuestion(log: writer.log, end: 2)),
            .prefixWanted(PrefixQuestion(log: writer.log, end: 30))
        )
        old.run(milliseconds: 500)
        let shown = old.inbox.compactMap { if case .prefix(let answer) = $0 { answer.end } else { nil } }
        #expect(shown == [2])
    }
}
