import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Pushes that lead nowhere: they cost no room, and keep nobody from what others have (`protocol/sync.md` §5).
struct PushFloodTests {
    private let town: Town
    private let source = LightStore()
    private let pushes: [UnverifiedChunk]
    private let log: LogID
    private static let held: UInt64 = 3

    /// One node that holds three of ten entries of a log, and what one pushes of each entry of it.
    init() throws {
        town = try Town(nodes: 1, seed: 960) { $0.workMilliseconds = 50...50 }
        var author = Author(seed: 6, network: town.network)
        log = author.log
        var pushes: [UnverifiedChunk] = []
        for post in 0..<UInt64(10) {
            let chunk = author.write("post \(post)", at: post)
            _ = try source.append(chunk)
            if post < Self.held { try town.plant([chunk], on: 0) }
            pushes.append(chunk.unverified)
        }
        self.pushes = pushes
        try town.startAll()
    }

    private func offer(_ log: LogID, _ size: UInt64 = 10, number: UInt64 = 1) -> Message {
        .changes(Changes(logs: [LogSize(log: log, size: size)], number: number))
    }

    @Test func `A log waits once for each who offers it, however often it is wished for`() throws {
        let many = 1_024
        let unknown = LogID(raw: Author.bytes(1, "unknown"))
        let strangers = [1, 2].map { Stranger(town.world, seed: $0) }
        for (place, stranger) in strangers.enumerated() {
            stranger.greet()
            // As many as are asked for at once, so that nothing is taken out of what waits.
            let invented = (0..<many).map {
                LogSize(log: LogID(raw: Author.bytes(UInt64(place * many + $0), "invented")), size: 9)
            }
            stranger.send(.changes(Changes(logs: invented, number: 1)))
            stranger.run(milliseconds: 50)
            stranger.send(offer(unknown, 6, number: 2))
            stranger.run(milliseconds: 50)
            #expect(stranger.wants.count == many)
        }
        let push = pushes[5].with(log: unknown, certificate: .some(nil))
        for _ in 0..<20 {
            strangers[0].send(.chunks(Chunks(chunks: Array(repeating: push, count: 500))))
            strangers[0].run(milliseconds: 100)
        }
        strangers[0].run(milliseconds: 1_000)
        let machine = try #require(town.world.nodes[0].machine)
        #expect(strangers[0].isOpen && strangers[1].isOpen)
        let waiting = strangers.map { stranger in machine.links.values.first { $0.node == stranger.id }?.asking.count }
        #expect(waiting == [1, 1])
    }

    @Test func `What begins beyond what is here keeps the log from nobody`() throws {
        let flood = Stranger(town.world, seed: 1)
        let honest = Stranger(town.world, seed: 2)
        flood.greet()
        honest.greet()
        honest.serve(source)
        // It has nothing, and says so.
        flood.serve(LightStore())
        for round in 0..<200 {
            flood.send(.chunks(Chunks(chunks: [pushes[Int(Self.held) + 1]])))
            flood.run(milliseconds: 5)
            if round == 40 { honest.send(offer(log)) }
            honest.run(milliseconds: 5)
        }
        #expect(flood.isOpen)
        #expect(honest.wants.count == 1)
        #expect(town.stores[0].size(log) == 10)
    }

    @Test func `What begins where something on its way will end is taken`() throws {
        let peer = Stranger(town.world)
        peer.greet()
        peer.send(.chunks(Chunks(chunks: Array(pushes[3..<6]))))
        peer.run(milliseconds: 20)
        peer.send(.chunks(Chunks(chunks: Array(pushes[6...]))))
        peer.run(milliseconds: 500)
        #expect(peer.wants.isEmpty)
        #expect(town.stores[0].size(log) == 10)
    }

    @Test(arguments: ["another history", "a lie", "no certificate"])
    func `Who pushes something false and hangs up makes nobody forget what others have`(_ kind: String) throws {
        var stranger = Author(seed: 8, network: town.network)
        let others = LightStore()
        let first = try others.append(stranger.write("of nobody known", at: 1)).chunk.unverified
        let (push, store) =
            switch kind {
            case "another history":
                (pushes[3].with(entries: pushes[3].entries.flipping(pushes[3].entries.count - 1)), source)
            case "a lie": (first.with(entries: first.entries.flipping(first.entries.count - 1)), others)
            default: (first.with(certificate: .some(nil)), others)
            }
        let liar = Stranger(town.world, seed: 1)
        let honest = Stranger(town.world, seed: 2)
        liar.greet(Stranger.hello(version: 2))
        honest.greet()
        honest.serve(store)
        liar.send(.chunks(Chunks(chunks: [push])))
        liar.run(milliseconds: 20)
        honest.send(offer(push.log, store.size(push.log)))
        honest.run(milliseconds: 15)
        #expect(honest.wants.isEmpty, "it is being checked")
        town.world.hangUp(liar.session)
        honest.run(milliseconds: 1_000)
        #expect(honest.wants.count == 1)
        #expect(town.stores[0].size(push.log) == store.size(push.log))
        // Another history is nobody's fault.
        let again = Stranger(town.world, seed: 1)
        again.greet()
        #expect(again.isOpen == (kind == "another history"))
    }
}
