import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What an earlier process noted as wanted, and nobody has (`protocol/sync.md` §5).
struct PatientWantTests {
    /// A node with so much of one history of a log, of which it noted once that more, or another, is wanted.
    private func meet(_ held: TakeBatch, wanting size: UInt64, of log: LogID, in town: Town) throws -> Stranger {
        var batch = held
        batch.wants = [LogSize(log: log, size: size)]
        _ = try town.stores[0].take(batch)
        #expect(town.stores[0].wantedLogs == batch.wants)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.serve(LightStore())
        stranger.greet(Stranger.hello(version: 2))
        return stranger
    }

    /// It is asked for as much as may be, and answers one thing now and then: its turns are others'.
    @Test func `Who is asked for as much as may be holds up no want`() throws {
        let town = try Town(nodes: 1, seed: 3_403)
        var writer = ForkedWriter(seed: 65, network: town.network)
        writer.branch(9)
        let wanted = writer.log
        var batch = writer.partial(0, 5)
        batch.wants = [LogSize(log: wanted, size: 9)]
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let slow = Stranger(town.world, seed: 78)
        slow.serve(LightStore())
        slow.greet(Stranger.hello(version: 2))
        slow.answer = { _ in [] }
        let invented = (0..<Limits.wantsInFlightPerPeer + 50).map {
            LogSize(log: LogID(raw: Author.bytes(UInt64($0), "no log")), size: 1)
        }
        slow.send(.changes(Changes(logs: invented, number: 1)))
        slow.run(milliseconds: 1_000)
        #expect(slow.wants.map(\.log).contains(wanted))
        let other = Stranger(town.world, seed: 79)
        other.serve(LightStore())
        other.greet(Stranger.hello(version: 2))
        for log in invented.prefix(40) {
            slow.send(.chunks(Chunks(chunks: [], lacking: [log.log])))
            slow.run(milliseconds: 15_000)
            other.run(milliseconds: 5)
        }
        #expect(slow.isOpen)
        #expect(other.wants.count { $0.log == wanted } > 2)
    }

    @Test func `Whoever comes and goes is not remembered for what it lacked`() throws {
        let town = try Town(nodes: 1, seed: 3_404)
        var writer = ForkedWriter(seed: 66, network: town.network)
        writer.branch(5)
        _ = try town.stores[0].take(writer.batch(0))
        try town.startAll()
        for seed in 0..<20 as Range<UInt64> {
            let stranger = Stranger(town.world, seed: 200 + seed, host: "host \(seed)")
            stranger.serve(LightStore())
            stranger.greet(Stranger.hello(version: 2))
            stranger.send(.changes(Changes(logs: [LogSize(log: writer.log, size: 9)], number: 1)))
            stranger.run(milliseconds: 500)
            town.world.hangUp(stranger.session)
            town.world.run(milliseconds: 50)
        }
        let machine = try #require(town.world.nodes[0].machine)
        #expect(machine.requests.want(writer.log)?.patience?.failed.count == 0)
    }

    @Test func `Nothing is sought behind the settled end`() throws {
        let town = try Town(nodes: 1, seed: 3_405)
        var writer = ForkedWriter(seed: 67, network: town.network)
        writer.branch(9)
        let stranger = try meet(writer.batch(0, 7), wanting: 9, of: writer.log, in: town)
        stranger.send(.changes(writer.saying(settlement: writer.settlement(0, 7).bytes)))
        stranger.run(milliseconds: 1_000)
        stranger.forget()
        // Something else that is asked for again and again.
        stranger.send(.changes(Changes(logs: [LogSize(log: LogID(raw: Author.bytes(7, "log")), size: 1)], number: 1)))
        stranger.run(milliseconds: 50_000)
        #expect(stranger.isOpen)
        #expect(stranger.wants.allSatisfy { $0.log != writer.log })
    }

    @Test func `The settled history is not sought behind another`() throws {
        let town = try Town(nodes: 1, seed: 3_401)
        var writer = ForkedWriter(seed: 63, network: town.network)
        writer.branch(7)
        writer.branch(9, from: 0, at: 4)
        var batch = writer.batch(0)
        batch.settlements = [
            SettlementArrival(signed: writer.settlement(1, 7), certificate: writer.author.certificate, source: nil)
        ]
        let stranger = try meet(batch, wanting: 7, of: writer.log, in: town)
        // Something else that is asked for again and again.
        stranger.send(.changes(Changes(logs: [LogSize(log: LogID(raw: Author.bytes(7, "log")), size: 1)], number: 1)))
        stranger.run(milliseconds: 50_000)
        #expect(stranger.isOpen)
        #expect(stranger.wants.allSatisfy { $0.log != writer.log })
        #expect(town.violations(0).isEmpty)
    }

    @Test func `What has no head is asked for more and more seldom`() throws {
        let town = try Town(nodes: 1, seed: 3_402)
        var writer = ForkedWriter(seed: 64, network: town.network)
        writer.branch(9)
        // All five that were offered once are stored, under a head of nine that is not complete.
        let stranger = try meet(writer.partial(0, 5), wanting: 5, of: writer.log, in: town)
        for number in 1...40 as ClosedRange<UInt64> {
            let other = LogSize(log: LogID(raw: Author.bytes(number, "log")), size: 1)
            stranger.send(.changes(Changes(logs: [other], number: number)))
            stranger.run(milliseconds: 5_000)
        }
        let asked = stranger.wants.count { $0.log == writer.log }
        #expect((2...9).contains(asked), "asked \(asked) times within 200 s")
        #expect(town.violations(0).isEmpty)
    }
}
