import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What is new goes from node to node, once.
struct LiveTests {
    @Test func `A post goes over a line and once over each link`() throws {
        let town = try Town(nodes: 5, seed: 21)
        for node in 1..<5 { town.link(node, node - 1) }
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        for post in 0..<20 {
            try town.write("post \(post)", on: post % 5)
            town.world.run(milliseconds: 200)
        }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        #expect(town.stores[4].contents.count == 20)
        for node in 0..<5 {
            // Twenty posts, four of them its own: the other sixteen came once each.
            #expect(town.world.nodes[node].verifiedEntries == 16, "node \(node)")
        }
    }

    @Test func `A post takes one hop of latency for each link`() throws {
        let town = try Town(nodes: 4, seed: 22) {
            $0.latencyMilliseconds = 10...10
            $0.workMilliseconds = 1...1
        }
        for node in 1..<4 { town.link(node, node - 1) }
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        let start = town.world.now
        try town.write("quick", on: 0)
        #expect(town.world.run(until: { town.stores[3].contents.count == 1 }, withinMilliseconds: 5_000))
        // Three hops of 10 ms, each with a check and a transaction, after the author's own note of what leaves.
        #expect(town.world.now - start <= 3 * (10 + 2) + 1)
    }

    @Test func `Once nothing is new only keep alives pass`() throws {
        let town = try Town(nodes: 3, seed: 23)
        town.link(1, 0)
        town.link(2, 1)
        try town.startAll()
        for node in 0..<3 { try town.write("post", on: node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        town.world.run(milliseconds: 10_000)
        let bytes = town.world.wireBytes
        let takes = town.stores.map(\.takes)
        town.world.run(milliseconds: 600_000)
        // Two links, both directions, twenty times in ten minutes, fewer than 72 bytes each.
        #expect(town.world.wireBytes - bytes <= 2 * 2 * 21 * 72)
        #expect(town.world.wireBytes > bytes)
        #expect(town.stores.map(\.takes) == takes)
        #expect(town.isCalm())
    }

    @Test func `A push that begins too late is asked for`() throws {
        let town = try Town(nodes: 1, seed: 24)
        try town.startAll()
        let source = LightStore()
        var author = Author(seed: 5, network: town.network)
        _ = try source.append(author.write("first", at: 1))
        let second = try source.append(author.write("second", at: 2))
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.serve(source)
        var push = second.chunk.unverified
        push = UnverifiedChunk(
            log: push.log,
            certificate: nil,
            start: push.start,
            count: push.count,
            size: push.size,
            proof: push.proof,
            entries: push.entries,
            right: []
        )
        stranger.send(.chunks(Chunks(chunks: [push], number: 2, lacking: [])))
        stranger.run(milliseconds: 500)
        #expect(stranger.wants == [RangeWant(log: author.log, from: 0, certificate: .send)])
        #expect(town.stores[0].contents.count == 2)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Without credit a push becomes an announcement`() throws {
        let town = try Town(nodes: 1, seed: 25)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(credit: Limits.minimumCreditBytes))
        let log = try #require(town.authors.first?.log)
        // 60,000 bytes each: after 34 of them the credit is spent.
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<40 {
            try town.write(text, on: 0)
            stranger.run(milliseconds: 20)
        }
        #expect(stranger.chunkBytes <= Limits.minimumCreditBytes)
        #expect(stranger.chunks.count == 34)
        #expect(stranger.changes.flatMap(\.logs).contains(LogSize(log: log, size: 40)))
    }

    @Test func `A push too large for one message is named`() throws {
        let town = try Town(nodes: 1, seed: 26)
        try town.startAll()
        let first = Stranger(town.world, seed: 1)
        let second = Stranger(town.world, seed: 2)
        first.greet()
        second.greet()
        let log = Author(seed: 5, network: town.network).log
        func push(last count: Int) -> Frame {
            var author = Author(seed: 5, network: town.network)
            let payloads = [[UInt8]](repeating: [UInt8](repeating: 1, count: 65_000), count: 16)
            let chunk = author.write(payloads + [[UInt8](repeating: 1, count: count)], at: 1)
            return Message.chunks(Chunks(chunks: [chunk.unverified])).frame
        }
        // Without a number, which the message that passes it on would have.
        let most = Limits.maximumMessageBytes - 1
        let frame = push(last: 5_000 + most - push(last: 5_000).body.count)
        #expect(frame.body.count == most)
        first.send(frames: [frame])
        second.run(milliseconds: 500)
        #expect(town.stores[0].size(log) == 17)
        #expect(second.changes.flatMap(\.logs) == [LogSize(log: log, size: 17)])
        #expect(second.chunks.isEmpty)
    }
}
