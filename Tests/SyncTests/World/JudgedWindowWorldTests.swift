import Entries
import Simulation
import Testing

@testable import Sync

/// The newest entries first, of logs that forked or that a root key settled (`protocol/sync.md` §5).
struct JudgedWindowWorldTests {
    private let size: UInt64 = 3_000
    private var gap: Range<UInt64> { 0..<size - Limits.windowEntries }

    private func wants(_ town: Town, _ node: Int) -> UInt64 {
        town.world.nodes[node].machine?.spoken.byType.first { $0.type == MessageType.want.rawValue }?.count ?? 0
    }

    /// What a fork or a settlement leaves of a log is had with a gap as any other.
    @Test(arguments: ["fork", "settlement", "fork of what follows", "settlement of another branch"], [0, 200])
    func `Of a log that is judged the end is had from who has no more`(words: String, held: Int) throws {
        let town = try Town(nodes: 4, seed: 841)
        var writer = ForkedWriter(seed: 9_841_001, network: town.network)
        writer.branch(Int(size))
        writer.branch(2_501, from: 0, at: 2_500)
        _ = try town.stores[0].take(writer.batch(0))
        if held > 0 { for node in 1...3 { _ = try town.stores[node].take(writer.batch(0, held)) } }
        for store in town.stores { _ = town.world.add(WithholdingStore(store), exchange: .off) }
        for node in 0..<4 { try town.world.start(node) }
        town.world.connect(1, 0)
        #expect(town.world.run(until: { town.stores[1].size(writer.log) == size }, withinMilliseconds: 60_000))
        town.world.kill(0)
        for node in 1...3 {
            if words != "settlement" { try town.take(writer.accusing(0, 1, at: 2_500), on: node) }
            switch words {
            case "fork": break
            case "settlement of another branch": try town.take(writer.settling(1, 2_501), on: node)
            default: try town.take(writer.settling(0, 2_400), on: node)
            }
        }
        let end: UInt64 = ["settlement", "fork of what follows"].contains(words) ? 2_400 : 2_500
        let gap = UInt64(held)..<self.gap.upperBound
        #expect(town.stores[1].size(writer.log) == end && town.stores[1].gaps.map(\.bounds) == [gap])
        town.world.connect(2, 1)
        town.world.connect(3, 2)
        let isOne = { Set((1...3).map { town.world.nodes[$0].fingerprint }).count == 1 }
        #expect(town.world.run(until: isOne, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 4 * 3_600_000)
        #expect((1...3).allSatisfy { town.stores[$0].size(writer.log) == end })
        #expect((1...3).allSatisfy { town.stores[$0].gaps.map(\.bounds) == [gap] })
        #expect((1...3).allSatisfy { town.violations($0).isEmpty })
        #expect((2...3).allSatisfy { wants(town, $0) < 60 }, "\((1...3).map { wants(town, $0) })")
    }

    /// A cut lies in what comes to be left out, of which its sender may know as much by then, and not name the log
    /// anew.
    @Test func `Who left out too much is asked for all of it`() throws {
        let town = try Town(nodes: 2, seed: 846)
        var writer = ForkedWriter(seed: 9_846_001, network: town.network)
        writer.branch(Int(size))
        writer.branch(501, from: 0, at: 500)
        _ = try town.stores[1].take(writer.batch(0))
        _ = town.world.add(town.stores[0], exchange: .off)
        try town.world.start(0)
        let peer = Stranger(town.world, to: 0)
        peer.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        peer.send(.changes(Changes(logs: [LogSize(log: writer.log, size: size)], number: 1)))
        peer.run(milliseconds: 200)
        #expect(peer.wants.map(\.extent) == [.newest(Limits.windowEntries)])
        guard case .chunk(let window)? = try town.stores[1].ranges(peer.wants, byteLimit: 1 << 20).first else {
            Issue.record("no window")
            return
        }
        try town.take(writer.accusing(0, 1, at: 500), on: 0)
        peer.forget()
        peer.send(.chunks(Chunks(chunks: [window])))
        peer.run(milliseconds: 2_000)
        #expect(peer.wants.map(\.extent) == [.all] && peer.wants.map(\.from) == [0])
        peer.forget()
        peer.serve(town.stores[1])
        peer.answer(.want([RangeWant(log: writer.log, from: 0, certificate: .send)])).forEach { peer.send($0) }
        peer.run(milliseconds: 2_000)
        #expect(town.stores[0].size(writer.log) == 500 && town.violations(0).isEmpty)
    }

    /// What is left out may be what nobody could tell from nodes: all of it is asked for.
    @Test(arguments: ["beyond a cut", "beside another history"])
    func `A settled history is had in whole`(place: String) throws {
        let town = try Town(nodes: 2, seed: 845)
        var writer = ForkedWriter(seed: 9_845_001, network: town.network)
        writer.branch(Int(size))
        writer.branch(501, from: 0, at: 500)
        _ = try town.stores[0].take(writer.batch(0))
        for store in town.stores { _ = town.world.add(store, exchange: .off) }
        for node in 0...1 { try town.world.start(node) }
        for node in 0...1 {
            if place == "beyond a cut" { try town.take(writer.accusing(0, 1, at: 500), on: node) }
            try town.take(writer.settling(0, 2_800), on: node)
        }
        if place != "beyond a cut" { try town.take(writer.batch(1), on: 1) }
        town.world.connect(1, 0)
        let isOne = { town.world.nodes[0].fingerprint == town.world.nodes[1].fingerprint }
        #expect(town.world.run(until: isOne, withinMilliseconds: 30_000))
        #expect(town.stores[1].size(writer.log) == 2_800 && town.stores[1].gaps.isEmpty)
        #expect((0...1).allSatisfy { town.violations($0).isEmpty } && wants(town, 1) < 10, "\(wants(town, 1))")
    }
}
