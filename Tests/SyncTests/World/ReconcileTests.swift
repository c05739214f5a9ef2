import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Two nodes that know no cursor of each other, and hold nearly the same.
struct ReconcileTests {
    private let nobody = NodeID(raw: Author.bytes(1, "nobody"))

    /// Logs of one entry each, the same in every store that is filled with them.
    private func batch(_ numbers: some Sequence<UInt64>, network: NetworkID) -> TakeBatch {
        var batch = TakeBatch()
        for number in numbers {
            var author = Author(seed: 70_000 + number, network: network)
            let time = 1_600_000_000_000 + (number * 7_919 % 50_000) * 10_000
            batch.chunks.append(
                TakeBatch.SourcedChunk(chunk: author.write("post of \(number)", at: time), source: nobody)
            )
        }
        return batch
    }

    /// A second entry for some of these logs, later than every first.
    private func more(_ numbers: [UInt64], network: NetworkID) -> TakeBatch {
        var batch = TakeBatch()
        for number in numbers {
            var author = Author(seed: 70_000 + number, network: network)
            let time = 1_600_000_000_000 + (number * 7_919 % 50_000) * 10_000
            _ = author.write("post of \(number)", at: time)
            let chunk = author.write("another of \(number)", at: 1_650_000_000_000 + number * 1_000)
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: nobody))
        }
        return batch
    }

    private func pair(seed: UInt64, common: Range<UInt64>, _ change: (inout WorldOptions) -> Void = { _ in }) throws
        -> Town
    {
        let town = try Town(nodes: 2, seed: seed, change)
        let common = batch(common, network: town.network)
        for store in town.stores { _ = try store.take(common) }
        town.link(1, 0)
        return town
    }

    @Test func `Equal strangers find that they are equal`() throws {
        let town = try pair(seed: 31, common: 0..<1_500)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.world.wireBytes < 3_000, "\(town.world.wireBytes) bytes")
    }

    @Test func `Strangers say only what is different`() throws {
        let town = try pair(seed: 32, common: 0..<3_000)
        // Each is ahead in some logs, and has some that the other never saw.
        _ = try town.stores[0].take(more((0..<20).map { $0 * 100 }, network: town.network))
        _ = try town.stores[1].take(more((0..<20).map { $0 * 100 + 1 }, network: town.network))
        _ = try town.stores[0].take(batch(5_000..<5_010, network: town.network))
        _ = try town.stores[1].take(batch(6_000..<6_010, network: town.network))
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 20_000))
        #expect(town.stores[0].contents.count == 3_060)
        // Entries with their proofs take some 20 KB of it; the lists would be 220 KB.
        #expect(town.world.wireBytes < 60_000, "\(town.world.wireBytes) bytes")
        let verified = town.world.nodes.map(\.verifiedEntries)
        #expect(verified == [30, 30])
    }

    @Test func `Cursors count from the end of the reconciliation`() throws {
        let town = try pair(seed: 33, common: 0..<2_000)
        _ = try town.stores[0].take(more([5, 6, 7], network: town.network))
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        town.world.run(milliseconds: 10_000)
        for node in 0..<2 {
            let cursor = town.stores[node].cursor(of: town.world.id(1 - node))
            #expect(cursor?.number == town.stores[1 - node].lastNumber)
        }
        // From now on a session tells what changed, and nothing else.
        for node in 0..<2 { town.world.kill(node) }
        _ = try town.stores[0].take(more([8], network: town.network))
        let before = town.world.wireBytes
        for node in 0..<2 { try town.world.start(node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.world.wireBytes - before < 2_500)
        #expect(town.stores[1].contents.count == 2_004)
    }

    @Test func `No number is told before it is true`() throws {
        let town = try pair(seed: 34, common: 0..<2_000) { $0.latencyMilliseconds = 200...200 }
        _ = try town.stores[0].take(more((0..<50).map { $0 * 30 }, network: town.network))
        try town.startAll()
        // Live entries come while the reconciliation is under way; the node is killed before it ends.
        let isUnderWay = { town.world.nodes[1].machine?.links.values.contains { !$0.asker.isIdle } == true }
        #expect(town.world.run(until: isUnderWay, withinMilliseconds: 10_000))
        try town.write("live", on: 0)
        town.world.run(milliseconds: 500)
        #expect(isUnderWay())
        town.world.kill(1)
        town.world.run(milliseconds: 6_000)
        #expect(town.stores[1].cursor(of: town.world.id(0)) == nil)
        try town.world.start(1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 30_000))
        #expect(town.stores[1].contents.count == 2_051)
    }

    @Test(arguments: [41, 42, 43] as [UInt64])
    func `Heads that change meanwhile are not lost`(seed: UInt64) throws {
        let town = try pair(seed: seed, common: 0..<2_100) { $0.latencyMilliseconds = 20...60 }
        _ = try town.stores[0].take(more((0..<40).map { $0 * 50 }, network: town.network))
        _ = try town.stores[1].take(more((0..<40).map { $0 * 50 + 7 }, network: town.network))
        try town.startAll()
        for number in 0..<60 {
            try town.write("live \(number)", on: number % 2)
            town.world.run(milliseconds: 25)
        }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000), "seed \(seed)")
        #expect(town.stores[0].contents.count == 2_100 + 80 + 60, "seed \(seed)")
    }

    @Test func `Endless traffic does not keep a stranger out`() throws {
        let town = try pair(seed: 44, common: 0..<1_500)
        _ = try town.stores[0].take(more([3, 500, 900], network: town.network))
        try town.startAll()
        // Never quiet: something is written every 50 ms.
        for number in 0..<100 {
            try town.write("live \(number)", on: 0)
            town.world.run(milliseconds: 50)
        }
        #expect(town.stores[1].contents.count >= 1_500 + 3 + 95)
    }

    @Test func `A power cut between two sessions loses nothing`() throws {
        let world = World(WorldOptions(seed: 35))
        let serving = FragileStore()
        let reader = LightStore()
        let common = batch(0..<2_000, network: world.network)
        for store in [serving, reader] as [any WorldStore] { _ = try store.take(common) }
        _ = world.add(serving, exchange: .off)
        _ = world.add(reader, peers: [World.target(0)], exchange: .off)
        let isCalm = {
            Set((0..<2).map { world.nodes[$0].fingerprint }).count == 1
                && world.nodes[1].machine?.status.sessions.first?.isEqual == true
        }
        for node in 0..<2 { try world.start(node) }
        #expect(world.run(until: isCalm, withinMilliseconds: 10_000))
        // What comes now never reaches the serving node's disk; the reader's cursor counts it.
        serving.isFlushed = false
        let writer = Stranger(world, seed: 12)
        writer.greet()
        writer.send(.chunks(Chunks(chunks: more([1, 2, 3], network: world.network).chunks.map(\.chunk.unverified))))
        writer.run(milliseconds: 10_000)
        #expect(reader.contents.count == 2_003)
        #expect(reader.cursor(of: world.id(0))?.number == serving.lastNumber)
        for node in 0..<2 { world.kill(node) }
        serving.losePower()
        #expect(serving.contents.count == 2_000)
        // The numbers that were lost are given again, to other entries.
        _ = try serving.take(more([10, 20, 30, 40, 50], network: world.network))
        let before = world.wireBytes
        for node in 0..<2 { try world.start(node) }
        #expect(world.run(until: isCalm, withinMilliseconds: 10_000))
        #expect(reader.contents.count == 2_008 && serving.contents.count == 2_008)
        #expect(world.wireBytes - before < 16_000, "\(world.wireBytes - before) bytes")
    }

    @Test func `A cursor beyond the end of its run is not known`() throws {
        let town = try pair(seed: 36, common: 0..<2_000)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        town.world.run(milliseconds: 10_000)
        for node in 0..<2 { town.world.kill(node) }
        let run = try #require(town.stores[0].run)
        var lie = TakeBatch()
        let beyond = Cursor(store: run, number: town.stores[0].lastNumber + 50)
        lie.cursors.append(TakeBatch.PeerCursor(peer: town.world.id(0), cursor: beyond))
        _ = try town.stores[1].take(lie)
        _ = try town.stores[0].take(more([10, 20], network: town.network))
        let before = town.world.wireBytes
        for node in 0..<2 { try town.world.start(node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.stores[1].contents.count == 2_002)
        #expect(town.world.wireBytes - before < 8_000, "\(town.world.wireBytes - before) bytes")
    }

    @Test func `What is carried later is found behind the cursor`() throws {
        let world = World(WorldOptions(seed: 39))
        let full = LightStore()
        let picky = OddStore(LightStore())
        _ = try full.take(batch(0..<2_000, network: world.network))
        let outside = batch((0..<20).map { $0 * 90 }, network: world.network).chunks.map(\.chunk.log)
        picky.refused = Set(outside)
        _ = world.add(full, exchange: .off)
        _ = world.add(picky, peers: [World.target(0)], exchange: .off)
        for node in 0..<2 { try world.start(node) }
        world.run(milliseconds: 20_000)
        #expect(world.nodes[1].machine?.frontier.count == 1_980)
        #expect(world.nodes[1].machine?.cursors[world.id(0)]?.number == full.lastNumber)
        // It takes up more than before: the cursor is behind it, and the fingerprints say so.
        world.kill(1)
        picky.refused = []
        let before = world.wireBytes
        try world.start(1)
        let isEqual = { world.nodes[1].machine?.status.sessions.first?.isEqual == true }
        #expect(world.run(until: isEqual, withinMilliseconds: 10_000))
        #expect(world.nodes[1].machine?.frontier.count == 2_000)
        #expect(world.wireBytes - before < 40_000, "\(world.wireBytes - before) bytes")
    }

    @Test func `Of much less nothing is reconciled`() throws {
        let town = try pair(seed: 37, common: 0..<100)
        _ = try town.stores[0].take(batch(10_000..<10_500, network: town.network))
        try town.startAll()
        // 600 to 100: the lists are told, and no id twice.
        let hasReconciled = { town.world.nodes[1].machine?.links.values.contains { !$0.asker.isIdle } == true }
        #expect(!town.world.run(until: hasReconciled, withinMilliseconds: 5_000))
        #expect(town.isCalm())
        #expect(town.stores[1].contents.count == 600)
    }

    @Test func `Two branches of one size are no reason to talk`() throws {
        let town = try pair(seed: 38, common: 0..<500)
        for (node, text) in ["one", "other"].enumerated() {
            var forked = Author(seed: 999, network: town.network)
            var batch = TakeBatch()
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: forked.write(text, at: 5_000), source: nobody))
            _ = try town.stores[node].take(batch)
        }
        try town.startAll()
        town.world.run(milliseconds: 10_000)
        // Each hears of the other's, of the same size; that is compared more and more seldom.
        let early = town.world.wireBytes
        town.world.run(milliseconds: 600_000)
        #expect(town.world.wireBytes - early < 60_000, "\(town.world.wireBytes - early) bytes")
        #expect(town.violations(0).isEmpty && town.violations(1).isEmpty)
    }
}
