import Entries
import Simulation
import Testing

@testable import Sync

/// Two histories where one's own cannot be compared at once: it waits for the disk, or the difference was left out
/// (`protocol/sync.md §9`).
struct UndecidedForkTests {
    private func stranger(_ town: Town, seed: UInt64, holding batch: TakeBatch) throws -> Stranger {
        let store = LightStore()
        _ = try store.take(batch)
        let stranger = Stranger(town.world, seed: seed, host: "host \(seed)")
        stranger.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        stranger.serve(store)
        return stranger
    }

    private func offer(_ size: UInt64, of log: LogID, by stranger: Stranger) {
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: size)], number: 1)))
    }

    private func run(_ strangers: [Stranger], milliseconds: UInt64) {
        for _ in 0..<milliseconds / 10 {
            for stranger in strangers { stranger.run(milliseconds: 5) }
        }
    }

    private func comparisons(_ stranger: Stranger) -> Int {
        stranger.inbox.count { if case .prefixWanted = $0 { true } else { false } }
    }

    @Test func `What differs from what waits for the disk is compared once that is stored`() throws {
        let town = try Town(nodes: 1, seed: 931)
        var writer = ForkedWriter(seed: 71, network: town.network)
        writer.branch(7)
        writer.branch(9, from: 0, at: 4)
        try town.startAll()
        let first = try stranger(town, seed: 1, holding: writer.batch(0))
        let second = try stranger(town, seed: 2, holding: writer.batch(1))
        town.stores[0].failingTakes = .max
        offer(7, of: writer.log, by: first)
        run([first, second], milliseconds: 500)
        offer(9, of: writer.log, by: second)
        run([first, second], milliseconds: 5_000)
        #expect(town.stores[0].size(writer.log) == 0 && second.wants.contains { $0.log == writer.log })
        #expect(comparisons(second) == 0, "the store has nothing to compare")
        town.stores[0].failingTakes = 0
        run([first, second], milliseconds: 30_000)
        #expect(comparisons(second) > 0)
        #expect(town.stores[0].size(writer.log) == 4)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `A difference at the last entry before a window lets go of the window`() throws {
        let town = try Town(nodes: 1, seed: 932)
        var writer = ForkedWriter(seed: 72, network: town.network)
        let size = 3 * Int(Limits.windowEntries) + 1
        let last = 2 * Int(Limits.windowEntries)
        writer.branch(size)
        // The leaf of the last entry that is left out is a node of the range that stands for all of them.
        writer.branch(size + 1, from: 0, at: last)
        try town.startAll()
        let first = try stranger(town, seed: 1, holding: writer.batch(0))
        let serve = first.answer
        first.answer = { message in
            guard case .want(let wants) = message, wants.contains(where: \.isUntil) else { return serve(message) }
            return [.chunks(Chunks(chunks: [], lackingBefore: wants.map(\.log)))]
        }
        offer(UInt64(size), of: writer.log, by: first)
        run([first], milliseconds: 2_000)
        #expect(town.stores[0].gaps == [GapPlace(log: writer.log, bounds: 0..<UInt64(last) + 1)])
        let second = try stranger(town, seed: 2, holding: writer.batch(1))
        offer(UInt64(size) + 1, of: writer.log, by: second)
        run([first, second], milliseconds: 10_000)
        #expect(town.stores[0].gaps.isEmpty)
        #expect(town.stores[0].size(writer.log) == UInt64(last), "both were compared where nothing is left out")
        #expect(town.violations(0).isEmpty)
    }
}

extension RangeWant {
    fileprivate var isUntil: Bool { if case .until = extent { true } else { false } }
}
