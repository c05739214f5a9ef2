import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A peer's cursor passes nothing that is not held, or remembered as a want.
struct CursorTests {
    private let nobody = ForkedWriter.nobody

    private func cursor(_ town: Town, _ stranger: Stranger) -> Cursor? {
        town.world.nodes[0].machine?.cursors[stranger.id]
    }

    @Test func `What a file brought in part is not held`() throws {
        let town = try Town(nodes: 1, seed: 940)
        var writer = ForkedWriter(seed: 64, network: town.network)
        writer.branch(10)
        let theirs = LightStore()
        _ = try theirs.take(writer.batch(0, 4))
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.send(.changes(Changes(logs: [LogSize(log: writer.log, size: 4)], number: 7)))
        stranger.run(milliseconds: 100)
        let report = try town.stores[0].take(writer.partial(0, 5))
        town.world.give(0, .imported(ImportReport(report: report, bodies: [], own: nil)))
        stranger.run(milliseconds: 7_000)
        #expect(town.stores[0].size(writer.log) == 0)
        #expect(cursor(town, stranger) == nil)
        // Four are to be had, and ten are not: what was brought of those gives way.
        stranger.send(.chunks(Chunks(lacking: [writer.log])))
        stranger.serve(theirs)
        stranger.send(.changes(Changes(logs: [LogSize(log: writer.log, size: 4)], number: 8)))
        stranger.run(milliseconds: 7_000)
        #expect(town.stores[0].size(writer.log) == 4)
        #expect(cursor(town, stranger)?.number == 8)
        #expect(town.violations(0).isEmpty)
    }

    /// What it changed is taken over behind the transaction that is under way; what it pushed out is gone at once.
    @Test func `What a file brought and pushed out again is not held`() throws {
        let town = try Town(nodes: 1, seed: 1_941) { $0.workMilliseconds = 50...50 }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        var (live, first) = (Author(seed: 8, network: town.network), Author(seed: 9, network: town.network))
        stranger.send(.chunks(Chunks(chunks: [live.write("live", at: 1).unverified], number: 3)))
        // Checked by now, and on its way into the store.
        stranger.run(milliseconds: 70)
        let row = try town.stores[0].append(first.write("pushed out", at: 1)).row
        var brought = TakeReport.nothing
        brought.changes = [row]
        town.world.give(0, .imported(ImportReport(report: brought, bodies: [], own: nil)))
        #expect(town.world.nodes[0].machine?.frontier.log(first.log) == nil, "the transaction is under way")
        var pushedOut = TakeReport.nothing
        pushedOut.forgotten = [first.log]
        town.world.give(0, .imported(ImportReport(report: pushedOut, bodies: [], own: nil)))
        stranger.run(milliseconds: 1_000)
        #expect(town.world.nodes[0].machine?.frontier.log(live.log) != nil)
        #expect(town.world.nodes[0].machine?.frontier.log(first.log) == nil)
    }

    /// A push that starts where an answer is due is taken for that, though it was not asked for, and its number speaks
    /// of it. While its writer's quota is spent, nothing of it is stored.
    @Test func `A push in the place of an answer is waited for`() throws {
        let world = World(WorldOptions(seed: 944))
        let light = LightStore()
        let store = OddStore(light)
        var author = Author(seed: 9, network: world.network)
        var device = Author(seed: 9, device: 1, network: world.network)
        _ = try light.append(author.write("held", at: 1))
        var batch = TakeBatch()
        batch.wants = [LogSize(log: author.log, size: 2)]
        _ = try light.take(batch)
        _ = world.add(store, exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.run(milliseconds: 100)
        // A want from before the start; this peer said nothing of the log.
        #expect(stranger.wants.map(\.from) == [1])
        let identity = author.certificate.certificate.identity
        let entries = 140 * 1_048_576 / Limits.recountQuotaBytes
        store.recounts = [TakeReport.Recount(identity: identity, entries: entries)]
        stranger.send(.chunks(Chunks(chunks: [device.write("of another device", at: 1).unverified])))
        stranger.run(milliseconds: 100)
        #expect(light.size(device.log) == 1)
        let post = Array("two more".utf8)
        stranger.send(.chunks(Chunks(chunks: [author.write([post, post], at: 1).unverified], number: 7)))
        stranger.run(milliseconds: 8_000)
        #expect(light.size(author.log) == 1)
        #expect(world.nodes[0].machine?.cursors[stranger.id] == nil)
    }

    @Test func `What a file brought whole is held`() throws {
        let town = try Town(nodes: 1, seed: 941)
        var writer = ForkedWriter(seed: 64, network: town.network)
        writer.branch(10)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.send(.changes(Changes(logs: [LogSize(log: writer.log, size: 4)], number: 7)))
        stranger.run(milliseconds: 100)
        let report = try town.stores[0].take(writer.batch(0, 10))
        town.world.give(0, .imported(ImportReport(report: report, bodies: [], own: nil)))
        stranger.send(.chunks(Chunks(lacking: [writer.log])))
        stranger.run(milliseconds: 7_000)
        #expect(cursor(town, stranger)?.number == 7)
    }

    /// The settled history is another than the one that is stored: until it is here, nobody's cursor passes its words.
    @Test(arguments: [6, 9])
    func `A settled history that is fetched yet is not held`(size: Int) throws {
        let town = try Town(nodes: 1, seed: 942)
        var writer = ForkedWriter(seed: 64, network: town.network)
        writer.branch(7)
        writer.branch(9, from: 0, at: 4)
        try town.take(writer.batch(0), on: 0)
        let theirs = LightStore()
        _ = try theirs.take(writer.batch(1, size))
        _ = try theirs.take(writer.settling(1, size))
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.serve(theirs)
        let serve = stranger.answer
        var isServing = false
        stranger.answer = { message in
            if case .want = message, !isServing { return [] }
            return serve(message)
        }
        let item = LogSize(log: writer.log, size: UInt64(size))
        let words = Words(
            settlement: writer.settlement(1, size).bytes,
            evidence: nil,
            certificate: writer.author.certificate.bytes
        )
        let held = HeldLog(item: item, root: writer.range(1, size).root, words: words)
        stranger.send(.changes(Changes(logs: [item], number: 7, held: [held])))
        stranger.run(milliseconds: 8_000)
        #expect(town.stores[0].size(writer.log) < UInt64(size) || size == 6)
        #expect(cursor(town, stranger) == nil)
        isServing = true
        let again = Stranger(town.world, seed: 78)
        again.greet(Stranger.hello(version: 2))
        again.serve(theirs)
        again.send(.changes(Changes(logs: [item], number: 7, held: [held])))
        again.run(milliseconds: 40_000)
        #expect(town.stores[0].size(writer.log) == UInt64(size))
        #expect(town.violations(0).isEmpty)
    }

    /// The same where nothing else is stored: the cursor follows when the history has come.
    @Test func `A settled history that is new is held once it is here`() throws {
        let town = try Town(nodes: 1, seed: 943)
        var writer = ForkedWriter(seed: 64, network: town.network)
        writer.branch(9)
        let theirs = LightStore()
        _ = try theirs.take(writer.batch(0))
        _ = try theirs.take(writer.settling(0, 9))
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.serve(theirs)
        let item = LogSize(log: writer.log, size: 9)
        let words = Words(
            settlement: writer.settlement(0, 9).bytes,
            evidence: nil,
            certificate: writer.author.certificate.bytes
        )
        let held = HeldLog(item: item, root: writer.range(0, 9).root, words: words)
        stranger.send(.changes(Changes(logs: [item], number: 7, held: [held])))
        stranger.run(milliseconds: 8_000)
        #expect(town.stores[0].size(writer.log) == 9)
        #expect(cursor(town, stranger)?.number == 7)
    }
}
