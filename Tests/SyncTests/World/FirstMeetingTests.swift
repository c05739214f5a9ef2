import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// The example of `protocol/sync.md` §15, message by message.
struct FirstMeetingTests {
    @Test func `Two nodes meet as the pages tell it`() throws {
        let town = try Town(nodes: 1, seed: 870)
        for number in 0..<5 {
            var other = Author(seed: 9_870_000 + UInt64(number), network: town.network)
            try town.plant([other.write("post of \(number)", at: 1_700_000_000_000)], on: 0)
        }
        try town.write("a post of N", on: 0)
        try town.startAll()
        let theirs = town.stores[0].present.frontier.map(\.item)
        let (n, other) = (town.authors[0], theirs.filter { $0.log != town.authors[0].log })

        let client = Client(town, seed: 9_870_100)
        let stranger = client.stranger
        stranger.run(milliseconds: 100)
        stranger.send(.hello(Stranger.hello(version: 2, number: 1, ownLog: client.author.log, logs: 1)))
        stranger.run(milliseconds: 100)
        // Before N knows what the other side holds of its own log it shows nothing of that.
        guard case .hello(let hello) = stranger.inbox.first, stranger.inbox.count == 3 else {
            Issue.record("\(stranger.inbox)")
            return
        }
        #expect(hello.ownLog == n.log && hello.logs == 6 && hello.number == 6)
        #expect(stranger.inbox[1] == .ownLog(OwnLogAnswer(log: client.author.log, size: 0, root: .zero)))
        #expect(Set(stranger.changes[0].logs.map(\.log)) == Set(other.map(\.log)) && stranger.changes[0].number == 5)

        stranger.send(.ownLog(OwnLogAnswer(log: n.log, size: 0, root: .zero)))
        stranger.send(.changes(Changes(logs: [LogSize(log: client.author.log, size: 1)], number: 1)))
        stranger.run(milliseconds: 100)
        #expect(stranger.changes.last == Changes(logs: [LogSize(log: n.log, size: 1)], number: 6))
        #expect(stranger.wants == [RangeWant(log: client.author.log, from: 0, certificate: .send)])
        #expect(town.stores[0].size(client.author.log) == 1)

        let named = stranger.changes.flatMap(\.logs)
        stranger.send(.want(named.map { RangeWant(log: $0.log, from: 0, certificate: .send) }))
        stranger.run(milliseconds: 100)
        #expect(try client.take() == 6)
        stranger.run(milliseconds: 1_000)
        let word = try #require(stranger.keepAlives.last)
        #expect(word.activity == .quiet && word.number == 7 && word.count == 7)
        #expect(word.fingerprint == client.fingerprint)

        try town.write("a second one", on: 0)
        stranger.run(milliseconds: 100)
        let pushed = try #require(stranger.chunks.last)
        #expect(pushed.number == 8 && pushed.chunks.map(\.size) == [2] && pushed.chunks.map(\.start) == [1])
        #expect(pushed.chunks.allSatisfy { $0.certificate == nil })
        #expect(try client.take() == 1)
        stranger.run(milliseconds: 1_000)
        #expect(stranger.keepAlives.last?.fingerprint == client.fingerprint)
        #expect(town.violations(0).isEmpty && stranger.isOpen)
        let types = stranger.inbox.map { $0.frame.type }
        #expect(types == [1, 2, 3, 4, 3, 5, 10, 5, 10], "\(types)")
    }

    /// Writes one post, answers Wants, and takes what comes.
    private final class Client {
        let stranger: Stranger
        let author: Author
        private let store = LightStore()
        private let network: NetworkID
        private var taken = 0

        init(_ town: Town, seed: UInt64) {
            var author = Author(seed: seed, network: town.network)
            if let run = StoreID([UInt8](repeating: 9, count: 16)) { _ = try? store.begin(run) }
            _ = try? store.append(author.write("a post of C", at: 1_700_000_000_000))
            self.author = author
            network = town.network
            stranger = Stranger(town.world, candour: .silent)
            stranger.serve(store)
        }

        /// - Returns: how many chunks were new and proven.
        func take() throws -> Int {
            let chunks = stranger.chunks.flatMap(\.chunks).dropFirst(taken)
            taken += chunks.count
            var batch = TakeBatch()
            for chunk in chunks {
                let known = try store.prefixes(of: [chunk.log])[chunk.log] ?? .none
                guard case .verified(let verified) = ChunkVerifier(network: network).verify(chunk, over: known) else {
                    continue
                }
                batch.chunks.append(TakeBatch.SourcedChunk(chunk: verified, source: NodeID(raw: .zero)))
            }
            _ = try store.take(batch)
            return batch.chunks.count
        }

        var fingerprint: Fingerprint {
            var sum = FingerprintSum()
            for row in store.present.frontier { sum.insert(row.item.id) }
            return sum.fingerprint
        }
    }
}
