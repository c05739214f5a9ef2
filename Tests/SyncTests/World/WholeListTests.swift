import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// The list of everything that strangers are told is not made for each of them (`protocol/node.md` §2).
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

    @Test func `Who is reconciled with costs no list`() throws {
        let town = try town(50)
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2, logs: 40))
        #expect(stranger.changes.isEmpty)
        #expect(town.world.nodes[0].machine?.wholeList == nil)
    }

    /// Strangers come one after another, and between two of them somebody writes.
    private func strangers(_ town: Town, _ body: (_ stranger: Stranger, _ newcomers: [LogID]) throws -> Void) throws {
        var newcomers: [LogID] = []
        for seed in 0..<5 as Range<UInt64> {
            let stranger = Stranger(town.world, seed: seed + 1, host: "host \(seed)")
            stranger.greet(Stranger.hello(version: 2))
            stranger.run(milliseconds: 300)
            #expect(stranger.changes.last?.number == town.stores[0].lastNumber)
            try body(stranger, newcomers)
            var author = Author(seed: 90_000 + seed, network: town.network)
            let chunk = author.write("new", at: 10_000 * (seed + 1))
            newcomers.append(chunk.log)
            stranger.send(.chunks(Chunks(chunks: [chunk.unverified])))
            stranger.run(milliseconds: 300)
        }
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Many strangers are told one long list`() throws {
        let town = try town(Limits.changesPageLogs + 1)
        var numbers: Set<UInt64> = []
        try strangers(town) { stranger, newcomers in
            // What has changed since the list was made is told behind it.
            let told = stranger.changes.flatMap(\.logs).map(\.log)
            #expect(Set(told).count == Limits.changesPageLogs + 1 + newcomers.count)
            #expect(Array(told.suffix(newcomers.count)) == newcomers)
            numbers.insert(town.world.nodes[0].machine?.wholeList?.number ?? 0)
        }
        #expect(numbers.count == 1)
    }

    @Test func `Of a short list each is told the newest first`() throws {
        let town = try town(50)
        try strangers(town) { stranger, newcomers in
            let told = stranger.changes.flatMap(\.logs).map(\.log)
            #expect(Set(told).count == 50 + newcomers.count)
            #expect(Array(told.prefix(newcomers.count)) == newcomers.reversed())
        }
    }
}
