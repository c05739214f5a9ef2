import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A flood is slowed, and comes through in the end.
struct QuotaWorldTests {
    @Test func `A flood is delayed and arrives`() throws {
        let town = try Town(nodes: 1, seed: 131)
        try town.startAll()
        var author = Author(seed: 8, network: town.network)
        let source = LightStore()
        let body = [UInt8](repeating: 120, count: 60_000)
        // 69 MB: two more than an identity may bring at once.
        for _ in 0..<23 { _ = try source.append(author.write([[UInt8]](repeating: body, count: 50), at: 1)) }
        let stranger = Stranger(town.world)
        stranger.serve(source)
        let serve = stranger.answer
        stranger.answer = { message in
            guard case .want(let wants) = message, wants.contains(where: { $0.from == 0 }) else {
                return serve(message)
            }
            // All of it, message by message, as credit comes back: the simulated store is quick enough.
            return []
        }
        stranger.greet()
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 1_150)], number: 1)))
        stranger.run(milliseconds: 50)
        var from: UInt64 = 0
        while from < 1_150 {
            let want = RangeWant(log: author.log, from: from, certificate: .send)
            guard case .chunk(let chunk) = try source.ranges([want], byteLimit: 500_000).first else { break }
            stranger.send(.chunks(Chunks(chunks: [chunk])))
            from = chunk.start + chunk.count
            stranger.run(milliseconds: 20)
        }
        stranger.run(milliseconds: 100)
        #expect(town.stores[0].size(author.log) == 1_150)
        let start = town.world.now
        _ = try source.append(author.write("one more", at: 2))
        stranger.forget()
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 1_151)], number: 2)))
        stranger.run(milliseconds: 5_000)
        #expect(stranger.wants.isEmpty, "it is not asked for yet")
        #expect(stranger.isOpen)
        while town.stores[0].size(author.log) < 1_151, town.world.now < start + 80_000 {
            stranger.run(milliseconds: 100)
        }
        #expect(town.stores[0].size(author.log) == 1_151)
        #expect(town.world.now - start >= 20_000)
        #expect(town.violations(0).isEmpty)
    }

    /// Who stole a device floods its log: the word of the root key about it waits for none of that.
    @Test func `A settlement waits for no flood`() throws {
        let town = try Town(nodes: 1, seed: 133)
        try town.startAll()
        var writer = ForkedWriter(seed: 9, network: town.network)
        writer.branch(2)
        var author = writer.author
        let source = LightStore()
        for entry in 0..<2 { _ = try source.append(author.write("branch 0 entry \(entry)", at: UInt64(entry + 1))) }
        let body = [UInt8](repeating: 120, count: 60_000)
        for _ in 0..<24 { _ = try source.append(author.write([[UInt8]](repeating: body, count: 50), at: 9)) }
        let thief = Stranger(town.world)
        thief.greet()
        let size = source.size(author.log)
        thief.send(.changes(Changes(logs: [LogSize(log: author.log, size: size)], number: 1)))
        thief.run(milliseconds: 50)
        var from: UInt64 = 0
        while from < size {
            let want = RangeWant(log: author.log, from: from, certificate: .send)
            guard case .chunk(let chunk) = try source.ranges([want], byteLimit: 500_000).first else { break }
            thief.send(.chunks(Chunks(chunks: [chunk])))
            from = chunk.start + chunk.count
            thief.run(milliseconds: 20)
        }
        thief.run(milliseconds: 100)
        #expect(town.stores[0].size(author.log) == size)
        let owner = author.certificate.certificate.identity.raw.prefix64
        let machine = try #require(town.world.nodes[0].machine)
        #expect(machine.quotas.delay(owner, now: town.world.now) ?? 0 > town.world.now + 20_000)
        let honest = Stranger(town.world, seed: 78)
        honest.greet(Stranger.hello(version: 2))
        honest.send(.changes(writer.saying(settlement: writer.settlement(0, 2).bytes)))
        honest.run(milliseconds: 5_000)
        #expect(town.stores[0].size(author.log) == 2)
        #expect(town.violations(0).isEmpty)
    }
}
