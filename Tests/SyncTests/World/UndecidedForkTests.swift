import Entries
import Simulation
import Testing

@testable import Sync

/// Two histories where one's own cannot be compared at once: it waits for the disk, or the difference was left out
/// (`protocol/sync.md` §9).
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

    @Test func `Who differs from what waits for the disk is asked once until that is stored`() throws {
        let town = try Town(nodes: 1, seed: 933)
        var writer = ForkedWriter(seed: 73, network: town.network)
        writer.branch(7)
        writer.branch(200, from: 0, at: 4)
        try town.startAll()
        let first = try stranger(town, seed: 1, holding: writer.batch(0))
        let other = LightStore()
        _ = try other.take(writer.batch(1))
        let second = try stranger(town, seed: 2, holding: writer.batch(1))
        // In many chunks, each a message of its own.
        let serve = second.answer
        second.answer = { message in
            guard case .want(let wants) = message, let want = wants.first else { return serve(message) }
            var messages: [Message] = []
            var from = want.from
            let piece = { RangeWant(log: want.log, from: from, certificate: want.certificate) }
            while case .chunk(let chunk)? = (try? other.ranges([piece()], byteLimit: 500))?.first {
                messages.append(.chunks(Chunks(chunks: [chunk])))
                from = chunk.start + chunk.count
            }
            return messages
        }
        town.stores[0].failingTakes = .max
        offer(7, of: writer.log, by: first)
        run([first, second], milliseconds: 500)
        offer(200, of: writer.log, by: second)
        run([first, second], milliseconds: 15_000)
        #expect(second.wants.count { $0.log == writer.log } == 1)
        #expect(comparisons(second) == 0)
        town.stores[0].failingTakes = 0
        run([first, second], milliseconds: 60_000)
        #expect(town.stores[0].size(writer.log) == 4)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `What another history was pushed of during a comparison is asked for behind it`() throws {
        let town = try Town(nodes: 1, seed: 934)
        var writer = ForkedWriter(seed: 74, network: town.network)
        writer.branch(7)
        _ = try town.stores[0].take(writer.batch(0, 4))
        try town.startAll()
        let stranger = try stranger(town, seed: 1, holding: writer.batch(0))
        let serve = stranger.answer
        var held: [Message] = []
        // It is compared because of a root that it does not have, and owes its answer.
        stranger.answer = { message in
            if case .prefixWanted = message { held += serve(message) } else { return serve(message) }
            return []
        }
        let other = HeldLog(item: LogSize(log: writer.log, size: 4), root: Author.bytes(1, "root"), words: nil)
        stranger.send(.changes(Changes(logs: [other.item], number: 1, held: [other])))
        run([stranger], milliseconds: 500)
        #expect(comparisons(stranger) == 1)
        let chunks = serve(.want([RangeWant(log: writer.log, from: 4, certificate: .known)]))
        stranger.send(frames: chunks.map(\.frame))
        run([stranger], milliseconds: 500)
        #expect(town.stores[0].size(writer.log) == 4)
        stranger.send(frames: held.map(\.frame))
        run([stranger], milliseconds: 2_000)
        #expect(town.stores[0].size(writer.log) == 7)
        #expect(stranger.isOpen && town.violations(0).isEmpty)
    }

    @Test func `Nobody is compared with a window that is let go while the disk is full`() throws {
        let town = try Town(nodes: 1, seed: 935)
        var writer = ForkedWriter(seed: 75, network: town.network)
        let size = 3 * Int(Limits.windowEntries) + 1
        writer.branch(size)
        writer.branch(size + 1, from: 0, at: 5)
        try town.startAll()
        let first = try stranger(town, seed: 1, holding: writer.batch(0))
        let serve = first.answer
        first.answer = { message in
            guard case .want(let wants) = message, wants.contains(where: \.isUntil) else { return serve(message) }
            return [.chunks(Chunks(chunks: [], lackingBefore: wants.map(\.log)))]
        }
        offer(UInt64(size), of: writer.log, by: first)
        run([first], milliseconds: 2_000)
        #expect(town.stores[0].gaps.count == 1)
        town.stores[0].failingTakes = .max
        let second = try stranger(town, seed: 2, holding: writer.batch(1))
        offer(UInt64(size) + 1, of: writer.log, by: second)
        run([first, second], milliseconds: 20_000)
        #expect(comparisons(second) == 1, "what is let go of cannot be compared")
        #expect(second.wants.count { $0.log == writer.log && !$0.isUntil } == 1)
        town.stores[0].failingTakes = 0
        run([first, second], milliseconds: 60_000)
        #expect(town.stores[0].gaps.isEmpty)
        #expect(town.stores[0].size(writer.log) == 5)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `What was let go of is sought though the first that is asked lacks it`() throws {
        let town = try Town(nodes: 1, seed: 936)
        var writer = ForkedWriter(seed: 76, network: town.network)
        let size = 3 * Int(Limits.windowEntries) + 1
        writer.branch(size)
        writer.branch(size + 1, from: 0, at: 5)
        try town.startAll()
        let first = try stranger(town, seed: 1, holding: writer.batch(0))
        let serve = first.answer
        var hasHistory = true
        first.answer = { message in
            guard case .want(let wants) = message else { return serve(message) }
            if wants.contains(where: \.isUntil) {
                return [.chunks(Chunks(chunks: [], lackingBefore: wants.map(\.log)))]
            }
            return hasHistory ? serve(message) : [.chunks(Chunks(chunks: [], lacking: wants.map(\.log)))]
        }
        offer(UInt64(size), of: writer.log, by: first)
        run([first], milliseconds: 2_000)
        #expect(town.stores[0].gaps.count == 1)
        hasHistory = false
        first.forget()
        let second = try stranger(town, seed: 2, holding: writer.batch(1))
        offer(UInt64(size) + 1, of: writer.log, by: second)
        town.stores[0].failingTakes = .max
        run([first, second], milliseconds: 5_000)
        #expect(comparisons(second) == 1)
        town.world.hangUp(second.session)
        town.stores[0].failingTakes = 0
        run([first], milliseconds: 40_000)
        #expect(town.stores[0].gaps.isEmpty && town.stores[0].size(writer.log) == 0)
        #expect(first.wants.contains { $0.log == writer.log && !$0.isUntil })
        #expect(town.stores[0].wantedLogs.map(\.log) == [writer.log])
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
