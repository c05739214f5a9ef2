import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// How a node that was away, or was never there, gets what it lacks.
struct CatchUpTests {
    private let nobody = NodeID(raw: Author.bytes(1, "nobody"))

    /// Puts one log of one entry for each of `count` authors into a store.
    private func fill(_ store: LightStore, _ count: Int, network: NetworkID) throws {
        var batch = TakeBatch()
        for number in 0..<count {
            var author = Author(seed: 50_000 + UInt64(number), network: network)
            let time = 1_600_000_000_000 + UInt64(number * 7_919 % 5_000) * 10_000
            batch.chunks.append(
                TakeBatch.SourcedChunk(
                    chunk: author.write("post of \(number)", at: time),
                    source: nobody
                )
            )
        }
        _ = try store.take(batch)
    }

    @Test func `A returning peer gets only what changed`() throws {
        let town = try Town(nodes: 2, seed: 11)
        try fill(town.stores[0], 500, network: town.network)
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 10_000)
        town.world.kill(1)
        town.world.run(milliseconds: 1_000)
        try town.write("one more", on: 0)
        let before = town.world.wireBytes
        try town.world.start(1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        let spent = town.world.wireBytes - before
        #expect(town.stores[1].contents.count == 501)
        #expect(spent < 2_500, "\(spent) bytes")
        #expect(town.world.nodes[1].verifiedEntries == 501)
    }

    @Test func `Cursors of an earlier run are understood`() throws {
        let town = try Town(nodes: 2, seed: 12)
        try fill(town.stores[0], 500, network: town.network)
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 10_000)
        for node in 0..<2 { town.world.kill(node) }
        try town.write("written while nothing ran", on: 0)
        let before = town.world.wireBytes
        for node in 0..<2 { try town.world.start(node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[1].contents.count == 501)
        let spent = town.world.wireBytes - before
        #expect(spent < 2_500, "\(spent) bytes")
    }

    @Test func `A stranger is told the newest first`() throws {
        let town = try Town(nodes: 1, seed: 13)
        try fill(town.stores[0], 4_500, network: town.network)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let pages = stranger.changes
        #expect(pages.map(\.logs.count) == [2_000, 2_000, 500])
        #expect(pages.map(\.number) == [nil, nil, town.stores[0].lastNumber])
        let wants = pages.flatMap(\.logs).map { RangeWant(log: $0.log, from: 0, certificate: .send) }
        let times = try town.stores[0].ranges(wants, byteLimit: .max).compactMap { answer -> UInt64? in
            guard case .chunk(let chunk) = answer else { return nil }
            return try EntryCoding.decode(chunk.entries[...], count: 1, log: chunk.log, start: 0).first?.header.time
        }
        #expect(times.count == 4_500)
        #expect(times == times.sorted(by: >))
    }

    @Test(arguments: [0, 1])
    func `A comparison finds what cursors lost`(dialler: Int) throws {
        let town = try Town(nodes: 2, seed: 14)
        try fill(town.stores[0], 5_000, network: town.network)
        try fill(town.stores[1], 10, network: town.network)
        var other = Author(seed: 99, network: town.network)
        var batch = TakeBatch()
        batch.chunks.append(
            TakeBatch.SourcedChunk(chunk: other.write("only here", at: 5), source: nobody)
        )
        town.link(dialler, 1 - dialler)
        try town.startAll()
        for node in 0..<2 { town.world.kill(node) }
        _ = try town.stores[1].take(batch)
        // Each believes that it has seen everything of the other.
        for node in 0..<2 {
            let run = try #require(town.stores[1 - node].run)
            var lie = TakeBatch()
            let cursor = Cursor(store: run, number: town.stores[1 - node].lastNumber)
            lie.cursors.append(TakeBatch.PeerCursor(peer: town.world.id(1 - node), cursor: cursor))
            _ = try town.stores[node].take(lie)
        }
        _ = try town.stores[0].begin(try #require(town.stores[0].run))
        _ = try town.stores[1].begin(try #require(town.stores[1].run))
        for node in 0..<2 { try town.world.start(node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 120_000))
        #expect(town.stores[0].contents.count == 5_001)
    }

    @Test func `Long logs flow in many messages`() throws {
        let town = try Town(nodes: 2, seed: 15)
        var author = Author(seed: 4, network: town.network)
        let payloads = (0..<20_000).map { Array("entry number \($0) with some text behind it to fill it up".utf8) }
        _ = try town.stores[0].append(author.write(payloads, at: 1_700_000_000_000))
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[1].contents.count == 20_000)
        #expect(town.world.nodes[1].verifiedEntries == 20_000)
    }

    @Test func `Many writers flow in few messages`() throws {
        let town = try Town(nodes: 2, seed: 18)
        var batch = TakeBatch()
        for number in 0..<1_000 {
            var author = Author(seed: 90_000 + UInt64(number), network: town.network)
            let payloads = (0..<20).map { Array("entry \($0) of \(number), with some text behind it".utf8) }
            batch.chunks.append(
                TakeBatch.SourcedChunk(chunk: author.write(payloads, at: 1_700_000_000_000), source: nobody)
            )
        }
        _ = try town.stores[0].take(batch)
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[1].contents.count == 20_000)
        // About 1.5 MB of entries and proofs: a handful of transactions, not one a writer.
        #expect(town.stores[1].takes < 20)
        let perEntry = Double(town.world.wireBytes) / 20_000
        #expect(perEntry < 90, "\(perEntry) bytes an entry")
    }

    @Test func `A restart in the middle of a long log goes on`() throws {
        let town = try Town(nodes: 2, seed: 16) { $0.workMilliseconds = 20...20 }
        var author = Author(seed: 4, network: town.network)
        let payloads = (0..<30_000).map { Array("entry number \($0) with some text behind it to fill it up".utf8) }
        _ = try town.stores[0].append(author.write(payloads, at: 1_700_000_000_000))
        town.link(1, 0)
        try town.startAll(plain: [0, 1])
        let log = author.log
        let isUnderWay = { town.stores[1].stored(log) > 2_000 }
        #expect(town.world.run(until: isUnderWay, withinMilliseconds: 60_000))
        #expect(town.stores[1].size(log) == 0, "the head is not complete")
        town.world.kill(1)
        let stored = town.stores[1].stored(log)
        try town.world.start(1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[1].size(log) == 30_000)
        #expect(stored > 2_000 && stored < 30_000)
    }

    @Test func `A full disk is tried again`() throws {
        let town = try Town(nodes: 2, seed: 17)
        try town.write("a post", on: 0)
        town.stores[1].failingTakes = 4
        town.link(1, 0)
        try town.startAll()
        town.world.run(milliseconds: 5_000)
        #expect(town.stores[1].contents.isEmpty)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[1].contents.count == 1)
    }
}
