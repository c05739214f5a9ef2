import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// One peer brings valid entries as fast as it can, another what somebody writes (`protocol/node.md` §4).
struct LiveFloodTests {
    @Test func `A post overtakes a flood and nothing of the flood is lost`() throws {
        let town = try Town(nodes: 1, seed: 961) { $0.workMilliseconds = 5...5 }
        try town.startAll()
        let strangers = (1...UInt64(3)).map { Stranger(town.world, seed: $0) }
        for stranger in strangers { stranger.greet() }
        let (flood, honest, reader) = (strangers[0], strangers[1], strangers[2])
        var author = Author(seed: 6, network: town.network)
        honest.send(.chunks(Chunks(chunks: [author.write("one", at: 1).unverified])))
        honest.run(milliseconds: 50)
        let others = (0..<UInt64(1_500)).map { number in
            var other = Author(seed: 1_000 + number, network: town.network)
            return other.write("flood", at: 1).unverified
        }
        flood.send(.chunks(Chunks(chunks: others)))
        flood.run(milliseconds: 50)
        honest.send(.chunks(Chunks(chunks: [author.write("two", at: 2).unverified])))
        honest.run(milliseconds: 50)
        let stored = others.count { town.stores[0].size($0.log) == 1 }
        #expect(town.stores[0].size(author.log) == 2)
        #expect(stored > 0 && stored < others.count / 2, "\(stored) of the flood")
        reader.run(milliseconds: 30_000)
        #expect(others.allSatisfy { town.stores[0].size($0.log) == 1 })
        #expect(flood.isOpen)
        // Of that the others are told, by name what came faster than people write.
        let pushed = Set(reader.chunks.flatMap(\.chunks).map(\.log))
        let named = Set(reader.changes.flatMap(\.logs).map(\.log))
        #expect(pushed.union(named).isSuperset(of: others.map(\.log)))
        let flooded = pushed.intersection(others.map(\.log)).count
        #expect(flooded > 0 && flooded < others.count / 2, "\(flooded) pushed")
        #expect(pushed.contains(author.log))
    }
}
