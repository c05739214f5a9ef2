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

    @Test func `A post is served in the middle of a flood`() throws {
        let town = try Town(nodes: 1, seed: 301)
        // 32 MB of one identity, of which a peer asks for everything at once; then somebody else writes.
        try flood(town.stores[0], logs: 16, entries: 40, network: town.network)
        let author = try #require(town.authors.first)
        try town.write("one post", on: 0)
        try town.startAll()
        let stranger = Stranger(town.world)
        var came: UInt64 = 0
        var cameBefore: UInt64?
        stranger.answer = { message in
            guard case .chunks(let chunks) = message else { return [] }
            if chunks.chunks.contains(where: { $0.log == author.log }), cameBefore == nil { cameBefore = came }
            came += message.frame.creditBytes
            return [.credit(message.frame.creditBytes)]
        }
        stranger.greet()
        let flood = stranger.changes.flatMap(\.logs).filter { $0.log != author.log }
        #expect(flood.count == 16)
        stranger.send(.want(flood.map { RangeWant(log: $0.log, from: 0, certificate: .send) }))
        stranger.run(milliseconds: 20)
        let asked = came
        #expect(asked > 0)
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        stranger.run(milliseconds: 200)
        // What was on its way, and one turn of the flood's.
        let spent = try #require(cameBefore) - asked
        #expect(spent < Limits.creditWindowBytes + 2 * UInt64(Limits.readBytes), "\(spent) bytes")
    }

    @Test func `A post arrives in the middle of one huge log`() throws {
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

    /// A node that holds one entry of each of these logs, as far as its machine is told, and a peer that plays with it.
    private func node(_ rows: [FrontierRow], _ seed: UInt64) throws -> (World, Stranger) {
        let world = World(WorldOptions(seed: seed))
        _ = world.add(OddStore(LightStore(), rows: rows), exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        stranger.greet()
        return (world, stranger)
    }

    private func row(_ identity: UInt64, _ number: UInt64) -> FrontierRow {
        let log = LogID(raw: Author.bytes(number, "log"))
        return FrontierRow(
            identity: IdentityID(raw: Author.bytes(identity, "identity")),
            item: FrontierItem(log: log, size: 1, root: Author.bytes(number, "root")),
            time: now,
            number: number,
            source: nil
        )
    }

    @Test func `One identity does not use up what is asked at once`() throws {
        let rows = (1...UInt64(1_500)).map { row(1, $0) } + [row(2, 1_501)]
        let (_, stranger) = try node(rows, 303)
        stranger.send(.changes(Changes(logs: rows.dropLast().map { LogSize(log: $0.log, size: 9) }, number: 1)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.count == Limits.wantsInFlightPerIdentity)
        stranger.send(.changes(Changes(logs: [LogSize(log: rows[1_500].log, size: 2)], number: 2)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.last?.log == rows[1_500].log, "it is asked for though nothing was answered")
        // As the flood's logs are answered for, the next of them are asked for, to the last.
        stranger.answer = { message in
            if case .want(let wants) = message { [.chunks(Chunks(lacking: wants.map(\.log)))] } else { [] }
        }
        stranger.send(.chunks(Chunks(lacking: stranger.wants.map(\.log))))
        stranger.run(milliseconds: 500)
        #expect(Set(stranger.wants.map(\.log)).count == 1_501)
    }

    @Test func `Strangers logs do not hold up known ones`() throws {
        let row = row(1, 1)
        let (_, stranger) = try node([row], 305)
        let flood = (0..<UInt64(1_900)).map { LogSize(log: LogID(raw: Author.bytes($0, "flood")), size: 9) }
        stranger.send(.changes(Changes(logs: flood, number: 1)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.count == Limits.wantsInFlightPerPeer)
        stranger.send(.changes(Changes(logs: [LogSize(log: row.log, size: 2)], number: 2)))
        stranger.run(milliseconds: 100)
        #expect(stranger.wants.last?.log == row.log)
    }

    @Test func `The first list gives each identity its turn`() throws {
        let town = try Town(nodes: 1, seed: 306)
        var batch = TakeBatch()
        for device in 0..<UInt64(16) {
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
        #expect(logs.count == 21)
        #expect(Array(logs[1..<6]) == authors.map(\.log), "after the newest of the flood, the newest of each")
    }

    @Test func `Wants are served newest first`() throws {
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
