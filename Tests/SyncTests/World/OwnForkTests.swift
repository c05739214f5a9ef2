import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Forks and settlements of the log that a node writes itself: it signs nothing more.
struct OwnForkTests {
    /// A node that has sent three entries, and a writer with the same keys.
    private func scene(seed: UInt64 = 940) throws -> (Town, Stranger, ForkedWriter) {
        let town = try Town(nodes: 1, seed: seed)
        var writer = ForkedWriter(author: town.authors[0])
        writer.branch(3)
        writer.branch(5, from: 0, at: 2)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        for chunk in writer.branches[0] {
            let append = try town.stores[0].append(chunk)
            town.world.give(0, .appended(append))
        }
        // It was greeted anew: only a Hello asks what a peer holds of the log.
        let again = Stranger(town.world, seed: 79)
        again.greet(Stranger.hello(version: 2))
        again.run(milliseconds: 1_000)
        #expect(town.stores[0].published == 3)
        return (town, again, writer)
    }

    private func isStopped(_ town: Town) -> Bool { town.world.nodes[0].machine?.isSigningStopped ?? false }

    @Test func `A fork that a peer shows is told`() throws {
        let (town, stranger, writer) = try scene()
        let theirs = LightStore()
        _ = try theirs.take(writer.batch(1))
        stranger.serve(theirs)
        stranger.send(.changes(writer.saying(theirs)))
        stranger.run(milliseconds: 2_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.forked(writer.log, at: 2)))
        #expect(town.stores[0].size(writer.log) == 2)
        #expect(town.violations(0).isEmpty)
        #expect(stranger.changes.last?.held.first?.words?.evidence != nil)
    }

    @Test func `Evidence ends the signing`() throws {
        let (town, stranger, writer) = try scene()
        stranger.send(.changes(writer.saying(evidence: writer.evidence(0, 1, at: 2).bytes)))
        stranger.run(milliseconds: 1_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.ownLogEnded(.forked)))
    }

    @Test func `The end of another account is not the own`() throws {
        let (town, _, writer) = try scene(seed: 943)
        let other = ForkedWriter(seed: 12, network: town.network)
        let end = LogStanding(
            log: LogID(endOf: other.end.settlement.identity, in: town.network),
            words: Words(settlement: other.end.bytes, evidence: nil, certificate: nil),
            ceiling: 0,
            isComplete: true,
            side: nil,
            isDiverging: false
        )
        var report = TakeReport.nothing
        report.forgotten = [writer.log]
        report.standings = [end]
        town.world.give(0, .settled(report))
        #expect(town.reports(0).contains(.ownLogEnded(.notCarried)))
    }

    @Test func `A settlement ends the signing`() throws {
        let (town, stranger, writer) = try scene()
        stranger.send(.changes(writer.saying(settlement: writer.settlement(0, 3).bytes)))
        stranger.run(milliseconds: 1_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.ownLogEnded(.settled)))
        #expect(town.stores[0].size(writer.log) == 3)
    }

    /// A node with three entries that never left, of which the person settles some.
    private func settled(at size: Int, seed: UInt64) throws -> (Town, Stranger, ForkedWriter) {
        let town = try Town(nodes: 1, seed: seed)
        var writer = ForkedWriter(author: town.authors[0])
        writer.branch(3)
        for chunk in writer.branches[0] { _ = try town.stores[0].append(chunk) }
        try town.startAll()
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet(Stranger.hello(version: 2))
        try town.take(writer.settling(0, size), on: 0)
        stranger.run(milliseconds: 500)
        return (town, stranger, writer)
    }

    @Test(arguments: [2, 3])
    func `What the root key settled waits for nobody`(size: Int) throws {
        let (town, stranger, writer) = try settled(at: size, seed: 941)
        #expect(town.reports(0).contains(.ownLogEnded(.settled)))
        let told = stranger.changes.flatMap(\.held)
        #expect(told.map(\.item) == [LogSize(log: writer.log, size: UInt64(size))])
        #expect(told.first?.words?.settlement != nil)
        #expect(town.stores[0].published == UInt64(size))
        let want = RangeWant(log: writer.log, from: 0, certificate: .send, branch: .settled)
        stranger.send(.want([want]))
        stranger.run(milliseconds: 500)
        #expect(stranger.chunks.flatMap(\.chunks).map(\.count) == [UInt64(size)])
        // And after a restart.
        town.world.kill(0)
        try town.world.start(0)
        let again = Stranger(town.world, seed: 78, candour: .silent)
        again.greet(Stranger.hello(version: 2))
        again.run(milliseconds: 500)
        #expect(again.changes.flatMap(\.held).map(\.item) == [LogSize(log: writer.log, size: UInt64(size))])
    }

    @Test func `Another settled history frees nothing`() throws {
        let town = try Town(nodes: 1, seed: 942)
        var writer = ForkedWriter(author: town.authors[0])
        writer.branch(3)
        writer.branch(3, from: 0, at: 1)
        for chunk in writer.branches[0] { _ = try town.stores[0].append(chunk) }
        try town.startAll()
        try town.take(writer.settling(1, 3), on: 0)
        town.world.run(milliseconds: 500)
        #expect(town.stores[0].published == 0)
    }

    @Test func `A log that is carried again is signed again`() throws {
        let world = World(WorldOptions(seed: 944))
        let store = LightStore()
        var devices = (0..<UInt64(17)).map { Author(seed: 905, device: $0, network: world.network) }
        store.register(devices[16])
        _ = try store.append("first", by: &devices[16], at: 1)
        _ = world.add(store, exchange: .off)
        try world.start(0)
        var others = TakeBatch()
        others.chunks = (0..<16).map { .init(chunk: devices[$0].write("device", at: 2), source: ForkedWriter.nobody) }
        world.give(0, .settled(try store.take(others)))
        let isStopped = { world.nodes[0].machine?.isSigningStopped }
        #expect(isStopped() == true)
        #expect(world.nodes[0].reports.contains(.ownLogEnded(.notCarried)))
        let stranger = Stranger(world)
        stranger.greet(Stranger.hello(version: 2))
        #expect(stranger.isOpen)
        var writer = ForkedWriter(author: Author(seed: 905, device: 3, network: world.network))
        writer.branch(1)
        var settling = TakeBatch()
        settling.settlements = [
            SettlementArrival(signed: writer.settlement(0, 0), certificate: writer.author.certificate, source: nil)
        ]
        world.give(0, .settled(try store.take(settling)))
        #expect(isStopped() == false)
        // Nobody was asked lately what it holds of the log.
        stranger.run(milliseconds: 200)
        #expect(stranger.goodbye == .replaced)
        #expect(world.nodes[0].machine?.ownLogIsCleared == false)
        let again = Stranger(world, seed: 78)
        again.greet(Stranger.hello(version: 2))
        try world.write("second", on: 0, by: &devices[16])
        again.run(milliseconds: 500)
        #expect(store.published == 2)
        #expect(again.changes.flatMap(\.logs).contains { $0.log == devices[16].log })
    }

    @Test func `The end of the account ends the signing`() throws {
        let (town, stranger, writer) = try scene()
        let log = LogID(endOf: writer.end.settlement.identity, in: town.network)
        stranger.send(.changes(writer.saying(settlement: writer.end.bytes, log: log)))
        stranger.run(milliseconds: 1_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.ownLogEnded(.accountEnded)))
    }
}
