import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// One identity's flood holds up nobody else (D20).
struct FairnessTests {
    private let nobody = NodeID(raw: Author.bytes(1, "nobody"))
    private let now: UInt64 = 1_700_000_000_000

    /// Logs of one identity in a store, each with some entries of 50,000 bytes.
    private func flood(_ store: LightStore, logs: UInt64, entries: Int, network: NetworkID) throws {
        let body = [UInt8](repeating: 120, count: 50_000)
        for device in 0..<logs {
            var author = Author(seed: 500, device: device, network: network)
            var batch = TakeBatch()
            // Its time lies far in the future: that makes it no newer than now.
            let chunk = author.write([[UInt8]](repeating: body, count: entries), at: now * 2)
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: nobody))
            _ = try store.take(batch)
        }
    }

    @Test func aPostIsServedInTheMiddleOfAFlood() throws {
        let town = try Town(nodes: 1, seed: 301)
        // 30 MB of one identity, of which a peer asks for everything at once; then somebody else writes.
        try flood(town.stores[0], logs: 30, entries: 20, network: town.network)
        let author = try #require(town.authors.first)
        try town.write("one post", on: 0)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.answer = { message in
            guard case .chunks = message else { return [] }
            return [.credit(message.frame.creditBytes)]
        }
        stranger.greet()
        let flood = stranger.changes.flatMap(\.logs).filter { $0.log != author.log }
        #expect(flood.count == 30)
        stranger.send(.want(flood.map { RangeWant(log: $0.log, from: 0, certificate: .send) }))
        stranger.run(milliseconds: 20)
        let before = stranger.chunkBytes
        #expect(before > 0)
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        var spent: UInt64?
        for _ in 0..<200 where spent == nil {
            stranger.run(milliseconds: 5)
            let isHere = stranger.chunks.contains { $0.chunks.contains { $0.log == author.log } }
            if isHere { spent = stranger.chunkBytes - before }
        }
        // What was on its way, and one turn of the flood's.
        #expect(try #require(spent) < 4 * UInt64(Limits.readBytes), "\(spent ?? 0) bytes")
    }

    @Test func aPostArrivesInTheMiddleOfOneHugeLog() throws {
        let town = try Town(nodes: 2, seed: 302)
        try flood(town.stores[0], logs: 1, entries: 600, network: town.network)
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: { town.stores[1].entryCount > 10 }, withinMilliseconds: 10_000))
        try town.write("one post", on: 0)
        let before = town.world.wireBytes
        let log = town.authors[0].log
        #expect(town.world.run(until: { town.stores[1].size(log) == 1 }, withinMilliseconds: 60_000))
        let spent = town.world.wireBytes - before
        #expect(spent < Limits.creditWindowBytes + 1_048_576, "\(spent) bytes")
    }

    /// A node that holds the first entry of each of these logs, and a peer that plays with it.
    private func node(_ authors: [Author], _ seed: UInt64) throws -> (Town, Stranger, [Author]) {
        let town = try Town(nodes: 1, seed: seed)
        var batch = TakeBatch()
        var authors = authors
        for place in authors.indices {
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: authors[place].write("x", at: now), source: nobody))
        }
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        return (town, stranger, authors)
    }

    @Test func oneIdentityDoesNotUseUpWhatIsAskedAtOnce() throws {
        let network = try Town(nodes: 1, seed: 303).network
        let flood = (0..<UInt64(1_500)).map { Author(seed: 500, device: $0, network: network) }
        let (_, stranger, authors) = try node(flood + [Author(seed: 501, network: network)], 303)
        stranger.send(.changes(Changes(logs: authors.dropLast().map { LogSize(log: $0.log, size: 9) }, number: 1)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.count == Limits.wantsInFlightPerIdentity)
        let other = try #require(authors.last)
        stranger.send(.changes(Changes(logs: [LogSize(log: other.log, size: 2)], number: 2)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.last?.log == other.log, "it is asked for though nothing was answered")
    }

    @Test func nothingOfAFloodIsForgotten() throws {
        let town = try Town(nodes: 2, seed: 304)
        // Both hold the beginning of a thousand logs of one identity, one holds the rest.
        var batches = [TakeBatch(), TakeBatch()]
        for device in UInt64(0)..<1_000 {
            var author = Author(seed: 500, device: device, network: town.network)
            let first = author.write("x", at: now)
            let second = author.write("y", at: now + 1)
            batches[1].chunks.append(TakeBatch.SourcedChunk(chunk: first, source: nobody))
            for chunk in [first, second] {
                batches[0].chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: nobody))
            }
        }
        for node in 0..<2 { _ = try town.stores[node].take(batches[node]) }
        town.link(1, 0)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[1].entryCount == 2_000)
    }

    @Test func strangersLogsDoNotHoldUpKnownOnes() throws {
        let network = try Town(nodes: 1, seed: 305).network
        let (_, stranger, authors) = try node([Author(seed: 501, network: network)], 305)
        let flood = (0..<UInt64(1_900)).map { LogSize(log: LogID(raw: Author.bytes($0, "log")), size: 9) }
        stranger.send(.changes(Changes(logs: flood, number: 1)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.count == Limits.wantsInFlightPerPeer)
        stranger.send(.changes(Changes(logs: [LogSize(log: authors[0].log, size: 2)], number: 2)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.last?.log == authors[0].log)
    }

    @Test func theFirstListGivesEachIdentityItsTurn() throws {
        let town = try Town(nodes: 1, seed: 306)
        var batch = TakeBatch()
        for device in 0..<UInt64(50) {
            var author = Author(seed: 500, device: device, network: town.network)
            let chunk = author.write("flood", at: now + device * 1_000)
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: nobody))
        }
        var authors = (0..<UInt64(5)).map { Author(seed: 600 + $0, network: town.network) }
        for place in authors.indices {
            let chunk = authors[place].write("old", at: now - UInt64(place) * 1_000_000)
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: nobody))
        }
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let logs = stranger.changes.flatMap(\.logs).map(\.log)
        #expect(logs.count == 55)
        #expect(Array(logs[1..<6]) == authors.map(\.log), "after the newest of the flood, the newest of each")
    }

    @Test func wantsAreServedNewestFirst() throws {
        let town = try Town(nodes: 1, seed: 307)
        var batch = TakeBatch()
        var times: [LogID: UInt64] = [:]
        for number in 0..<UInt64(200) {
            var author = Author(seed: 700 + number, network: town.network)
            let time = now - number * 7_919 % 5_000 * 10_000
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: author.write("x", at: time), source: nobody))
            times[author.log] = time
        }
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(.want(times.keys.sorted().map { RangeWant(log: $0, from: 0, certificate: .send) }))
        stranger.run(milliseconds: 200)
        let served = stranger.chunks.flatMap(\.chunks).compactMap { times[$0.log] }
        #expect(served.count == 200)
        #expect(served == served.sorted(by: >))
    }
}
