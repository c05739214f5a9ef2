import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Logs of which nothing is known but that somebody offered them (`protocol/sync.md` §5).
struct StrangeLogTests {
    private let strange = LogID(raw: Author.bytes(9, "strange"))

    @Test func `What is not held and was taken back is not wanted`() throws {
        let town = try Town(nodes: 1, seed: 71)
        try town.startAll()
        let peer = Stranger(town.world)
        peer.greet()
        peer.serve(LightStore())
        peer.send(.changes(Changes(logs: [LogSize(log: strange, size: 3)], number: 7)))
        peer.run(milliseconds: 6_000)
        #expect(peer.wants.map(\.log) == [strange])
        #expect(town.stores[0].wantedLogs.isEmpty)
        #expect(town.status(0)?.wantedLogs == 0)
        #expect(town.stores[0].cursor(of: peer.id)?.number == 7, "nothing waits for it")
        #expect(peer.keepAlives.contains { $0.activity == .quiet })
        peer.run(milliseconds: 60_000)
        #expect(peer.wants.count == 1, "nobody is asked again")
        // It is asked for when it is named anew.
        peer.send(.changes(Changes(logs: [LogSize(log: strange, size: 4)], number: 8)))
        peer.run(milliseconds: 500)
        #expect(peer.wants.count == 2)
    }

    @Test func `What one took back is asked of another that offers it`() throws {
        let town = try Town(nodes: 1, seed: 72)
        try town.startAll()
        let source = LightStore()
        var author = Author(seed: 6, network: town.network)
        for post in 0..<3 { _ = try source.append(author.write("post \(post)", at: UInt64(post))) }
        let peers = [1, 2].map { Stranger(town.world, seed: $0) }
        for peer in peers { peer.greet() }
        for peer in peers {
            // The one that is asked first offers more, and has nothing.
            let size: UInt64 = peer === peers[0] ? 5 : 3
            peer.send(.changes(Changes(logs: [LogSize(log: author.log, size: size)], number: 1)))
            peer.run(milliseconds: 20)
        }
        peers[1].serve(source)
        peers[0].send(.chunks(Chunks(lacking: [author.log])))
        for _ in 0..<10 { for peer in peers { peer.run(milliseconds: 50) } }
        #expect(peers.map(\.wants.count) == [1, 1])
        #expect(town.stores[0].size(author.log) == 3)
        #expect(town.stores[0].wantedLogs.isEmpty)
        #expect(town.status(0)?.wantedLogs == 0)
    }

    /// So it is of a log that was emptied: cursors have passed it, and nobody names it anew.
    @Test func `A want of it that an earlier process noted is asked of everybody in turn`() throws {
        let town = try Town(nodes: 1, seed: 73)
        let source = LightStore()
        var author = Author(seed: 6, network: town.network)
        for post in 0..<3 { _ = try source.append(author.write("post \(post)", at: UInt64(post))) }
        var batch = TakeBatch()
        batch.wants = [LogSize(log: author.log, size: 3)]
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let empty = Stranger(town.world, seed: 1)
        empty.serve(LightStore())
        empty.greet()
        empty.run(milliseconds: 500)
        #expect(empty.wants.map(\.log) == [author.log])
        #expect(town.stores[0].wantedLogs == batch.wants)
        let holder = Stranger(town.world, seed: 2)
        holder.serve(source)
        holder.greet()
        for _ in 0..<100 { for peer in [empty, holder] { peer.run(milliseconds: 50) } }
        #expect(town.stores[0].size(author.log) == 3)
        #expect(town.stores[0].wantedLogs.isEmpty)
        #expect(town.status(0)?.wantedLogs == 0)
    }

    @Test(arguments: UInt64(0)..<20)
    func `A device that comes late to the end of its account leaves no want behind`(seed: UInt64) throws {
        let town = try Town(nodes: 3, seed: 7_400 + seed) { $0.workMilliseconds = 0...(10 * seed) }
        // The late device is in the middle, so that one node may hear of its log and another of the end before it does.
        town.link(1, 0)
        town.link(1, 2)
        for node in 0..<3 { try town.write("mine", on: node) }
        let writer = ForkedWriter(seed: 50, network: town.network)
        var late = Author(seed: 50, device: 1, network: town.network)
        town.stores[1].register(late)
        for post in 0..<3 { _ = try town.stores[1].append("too late \(post)", by: &late, at: UInt64(post)) }
        var end = TakeBatch()
        end.settlements = [SettlementArrival(signed: writer.end, certificate: nil, source: nil)]
        _ = try town.stores[0].take(end)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        for node in 0..<3 {
            #expect(town.status(node)?.wantedLogs == 0)
            #expect(town.stores[node].wantedLogs.isEmpty)
            #expect(town.stores[node].size(late.log) == 0)
        }
        #expect(town.reports(1).contains(.ownLogEnded(.accountEnded)))
        // Nor after a restart.
        for node in 0..<3 { town.world.kill(node) }
        for node in 0..<3 { try town.world.start(node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        for node in 0..<3 { #expect(town.status(node)?.wantedLogs == 0) }
    }
}
