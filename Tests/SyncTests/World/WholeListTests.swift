import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// The list of everything that strangers are told is not made for each of them (`protocol/sync.md §4`).
struct WholeListTests {
    private func town(_ logs: Int) throws -> Town {
        let town = try Town(nodes: 1, seed: 1_401)
        var chunks: [VerifiedChunk] = []
        for number in 0..<UInt64(logs) {
            var author = Author(seed: 14_000 + number, network: town.network)
            chunks.append(author.write("post", at: number + 1))
        }
        try town.plant(chunks, on: 0)
        try town.startAll()
        return town
    }

    @Test func whoIsReconciledWithCostsNoList() throws {
        let town = try town(50)
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2, logs: 40))
        #expect(stranger.changes.isEmpty)
        #expect(town.world.nodes[0].machine?.wholeList == nil)
    }

    @Test func manyStrangersAreToldOneList() throws {
        let town = try town(50)
        var numbers: Set<UInt64> = []
        for seed in 0..<5 as Range<UInt64> {
            let stranger = Stranger(town.world, seed: seed + 1, host: "host \(seed)")
            stranger.greet(Stranger.hello(version: 2))
            stranger.run(milliseconds: 300)
            // What has changed since the list was made is told behind it.
            #expect(Set(stranger.changes.flatMap(\.logs).map(\.log)).count == 50 + Int(seed))
            #expect(stranger.changes.last?.number == town.stores[0].lastNumber)
            numbers.insert(town.world.nodes[0].machine?.wholeList?.number ?? 0)
            var author = Author(seed: 15_000 + seed, network: town.network)
            stranger.send(.chunks(Chunks(chunks: [author.write("new", at: seed).unverified])))
            stranger.run(milliseconds: 300)
        }
        #expect(numbers.count == 1)
        #expect(town.violations(0).isEmpty)
    }
}
