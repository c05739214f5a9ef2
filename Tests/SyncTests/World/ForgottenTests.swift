import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Logs that a store does not carry (D3).
struct ForgottenTests {
    private let nobody = NodeID(raw: Author.bytes(1, "nobody"))

    @Test func `Nodes that met the logs in other orders carry the same`() throws {
        let town = try Town(nodes: 2, seed: 401)
        var authors = (0..<UInt64(20)).map { Author(seed: 900, device: $0, network: town.network) }
        var batches = [TakeBatch(), TakeBatch()]
        for place in authors.indices {
            let chunk = authors[place].write("device \(place)", at: 1)
            let source = TakeBatch.SourcedChunk(chunk: chunk, source: nobody)
            if place < 16 { batches[1].chunks.append(source) }
            if place >= 4 { batches[0].chunks.append(source) }
        }
        for node in 0..<2 { _ = try town.stores[node].take(batches[node]) }
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        for node in 0..<2 {
            #expect(town.status(node)?.logs == 16)
            #expect(town.stores[node].size(authors[0].log) == 1 && town.stores[node].size(authors[19].log) == 0)
            #expect(town.status(node)?.wantedLogs == 0)
        }
    }

    /// A node that refuses the log of the other, and the other.
    private func pair(_ seed: UInt64) throws -> (world: World, picky: OddStore, author: Author, writer: LightStore) {
        let world = World(WorldOptions(seed: seed))
        var author = Author(seed: 901, network: world.network)
        let writer = LightStore()
        writer.register(author)
        _ = try writer.append("refused", by: &author, at: 1)
        let picky = OddStore(LightStore())
        picky.refused = [author.log]
        _ = world.add(writer, exchange: .off)
        _ = world.add(picky, peers: [World.target(0)], exchange: .off)
        for node in 0..<2 { try world.start(node) }
        return (world, picky, author, writer)
    }

    @Test func `A log that one refuses keeps nobody busy`() throws {
        var (world, _, author, _) = try pair(402)
        let isQuiet = {
            (0..<2).allSatisfy { node in
                world.nodes[node].machine?.status.sessions.first.map { $0.isQuiet && !$0.isEqual } ?? false
            }
        }
        #expect(world.run(until: isQuiet, withinMilliseconds: 5_000))
        world.run(milliseconds: 5_000)
        #expect(world.nodes[1].verifiedEntries == 1)
        let before = world.wireBytes
        world.run(milliseconds: 3_600_000)
        // After 10 minutes, 30, 70: once each; and 120 words an hour in both directions.
        #expect(world.nodes[1].verifiedEntries <= 4)
        #expect(world.wireBytes - before < 60_000, "\(world.wireBytes - before) bytes")
        #expect(isQuiet())
        // What is pushed of it nobody looks at.
        let verified = world.nodes[1].verifiedEntries
        try world.write("more", on: 0, by: &author)
        world.run(milliseconds: 1_000)
        #expect(world.nodes[1].verifiedEntries <= verified + 1)
        #expect(world.nodes[1].machine?.status.wantedLogs == 0)
    }

    @Test func `Once it is carried it is taken`() throws {
        let (world, picky, author, writer) = try pair(403)
        world.run(milliseconds: 5_000)
        picky.refused = []
        world.run(milliseconds: 1_800_000)
        #expect(world.nodes[1].machine?.frontier.size(of: author.log) == 1)
        #expect(writer.size(author.log) == 1)
    }

    @Test func `What is pushed of a forgotten log is dropped`() throws {
        let world = World(WorldOptions(seed: 404))
        let picky = OddStore(LightStore())
        var author = Author(seed: 902, network: world.network)
        picky.refused = [author.log]
        _ = world.add(picky, exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        stranger.greet()
        let chunks = (0..<5).map { author.write("post \($0)", at: UInt64($0)).unverified }
        stranger.send(.chunks(Chunks(chunks: [chunks[0]], number: 1)))
        stranger.run(milliseconds: 100)
        #expect(world.nodes[0].verifiedEntries == 1)
        for place in 1..<5 {
            stranger.send(.chunks(Chunks(chunks: [chunks[place]], number: UInt64(place) + 1)))
            stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: UInt64(place) + 1)], number: nil)))
        }
        stranger.run(milliseconds: 1_000)
        #expect(world.nodes[0].verifiedEntries == 1)
        #expect(stranger.wants.isEmpty)
        #expect(stranger.keepAlives.contains { $0.activity == .quiet })
    }
}
