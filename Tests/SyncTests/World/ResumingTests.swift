import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Who comes back after little has changed is brought that, and not told of it first (`protocol/sync.md` §4).
struct ResumingTests {
    /// A running node that was brought three logs of two entries, and then goes on.
    private final class Hub {
        let town: Town
        var authors: [Author]
        private let nobody = NodeID(raw: Author.bytes(1, "nobody"))

        init(seed: UInt64, authors count: Int = 3) throws {
            town = try Town(nodes: 1, seed: seed)
            let network = town.network
            authors = (0..<count).map { Author(seed: seed * 1_000 + 50_000 + UInt64($0), network: network) }
            try town.startAll()
            for _ in 0..<2 { try bring(0..<count) }
        }

        var number: UInt64 { town.stores[0].lastNumber }
        func log(_ author: Int) -> LogID { authors[author].log }

        /// An entry of each of these authors, which no peer brought.
        func bring(_ writers: Range<Int>, text: String = "a post") throws {
            var batch = TakeBatch()
            for writer in writers {
                let chunk = authors[writer].write(text, at: town.world.moment.wallMilliseconds)
                batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: nobody))
            }
            let report = try town.stores[0].take(batch)
            town.world.give(0, .imported(ImportReport(report: report, bodies: [], own: nil)))
            town.world.run(milliseconds: 10)
        }

        /// A peer that held all up to a number.
        func back(at number: UInt64, seed: UInt64 = 77, features: Set<UInt32> = []) throws -> Stranger {
            let store = try #require(town.world.nodes[0].machine?.store)
            let stranger = Stranger(town.world, seed: seed)
            let cursor = Cursor(store: store, number: number, scope: nil)
            stranger.greet(Stranger.hello(version: 2, cursor: cursor, features: features))
            stranger.run(milliseconds: 200)
            return stranger
        }
    }

    @Test func `What is new comes unasked`() throws {
        let hub = try Hub(seed: 1_500)
        let number = hub.number
        for _ in 0..<3 { try hub.bring(1..<3) }
        let stranger = try hub.back(at: number)
        #expect(stranger.changes.isEmpty)
        let chunks = stranger.chunks.flatMap(\.chunks)
        // In the order of the last changes; of each log what came after the cursor, at once.
        #expect(chunks.map(\.log) == [hub.log(1), hub.log(2)])
        #expect(chunks.map(\.start) == [2, 2])
        #expect(chunks.map(\.count) == [3, 3])
        #expect(chunks.allSatisfy { $0.size == 5 && $0.certificate == nil && $0.right.isEmpty })
        #expect(stranger.chunks.compactMap(\.number) == [hub.number])
    }

    @Test func `A log that is new comes with its certificate`() throws {
        let hub = try Hub(seed: 1_501)
        let number = hub.number
        hub.authors.append(Author(seed: 99, network: hub.town.network))
        try hub.bring(3..<4)
        let chunks = try hub.back(at: number).chunks.flatMap(\.chunks)
        #expect(chunks.map(\.start) == [0])
        #expect(chunks.allSatisfy { $0.certificate == hub.authors[3].certificate.bytes })
    }

    /// It comes lot by lot, and the number with the last alone.
    @Test func `Much comes in lots`() throws {
        let count = 2 * Limits.resumedLotLogs + 5
        let hub = try Hub(seed: 1_509, authors: count)
        let number = hub.number
        try hub.bring(0..<count)
        let stranger = try hub.back(at: number)
        #expect(stranger.chunks.map(\.chunks.count) == [Limits.resumedLotLogs, Limits.resumedLotLogs, 5])
        #expect(stranger.chunks.map(\.number) == [nil, nil, hub.number])
        #expect(stranger.chunks.flatMap(\.chunks).map(\.log) == (0..<count).map { hub.log($0) })
        #expect(stranger.changes.isEmpty)
    }

    /// What is brought is bounded over all lots, and what is behind the bound is named.
    @Test func `Many lots bring no more than one`() throws {
        let count = 3 * Limits.resumedLotLogs
        let hub = try Hub(seed: 1_510, authors: count)
        let number = hub.number
        // A lot and a half.
        let text = String(repeating: "x", count: Limits.resumedBytes * 2 / 3 / Limits.resumedLotLogs)
        try hub.bring(0..<count, text: text)
        let stranger = try hub.back(at: number)
        let brought = stranger.chunks.flatMap(\.chunks)
        #expect(brought.count > Limits.resumedLotLogs && brought.count < 2 * Limits.resumedLotLogs)
        #expect(brought.reduce(0) { $0 + $1.entries.count } <= Limits.resumedBytes + 4_096)
        #expect(brought.map(\.log) + stranger.changes.flatMap(\.logs).map(\.log) == (0..<count).map { hub.log($0) })
        #expect(stranger.chunks.compactMap(\.number).isEmpty)
        #expect(stranger.changes.map(\.number) == [hub.number])
    }

    /// A log that grows behind its own lot is brought from there on, in the next.
    @Test func `What grows behind its lot goes on from there`() throws {
        let count = Limits.resumedLotLogs + 5
        let hub = try Hub(seed: 1_511, authors: count)
        let number = hub.number
        try hub.bring(0..<count)
        let store = try #require(hub.town.world.nodes[0].machine?.store)
        let stranger = Stranger(hub.town.world)
        stranger.run(milliseconds: 100)
        stranger.send(
            .hello(Stranger.hello(version: 2, cursor: Cursor(store: store, number: number, scope: nil)))
        )
        #expect(
            hub.town.world.run(
                until: { hub.town.world.nodes[0].machine?.wantsOfResumption == 5 },
                withinMilliseconds: 1_000
            )
        )
        try hub.bring(0..<1)
        stranger.run(milliseconds: 500)
        let first = stranger.chunks.flatMap(\.chunks).filter { $0.log == hub.log(0) }
        #expect(first.map(\.start) == [2, 3])
        #expect(stranger.chunks.compactMap(\.number) == [hub.number])
    }

    /// A peer that wants names alone is not read for.
    @Test func `Who is no branch is told`() throws {
        let count = 2 * Limits.resumedLotLogs
        let hub = try Hub(seed: 1_512, authors: count)
        let number = hub.number
        try hub.bring(0..<count)
        let store = try #require(hub.town.world.nodes[0].machine?.store)
        let stranger = Stranger(hub.town.world)
        stranger.run(milliseconds: 100)
        stranger.send(
            .hello(
                Stranger.hello(
                    version: 2,
                    cursor: Cursor(store: store, number: number, scope: nil),
                    features: [Hello.branches]
                )
            )
        )
        stranger.send(.branch(.named))
        stranger.run(milliseconds: 1_000)
        #expect(stranger.chunks.count <= 1)
        #expect(stranger.chunks.flatMap(\.chunks).count + stranger.changes.flatMap(\.logs).count == count)
        #expect((stranger.changes.compactMap(\.number) + stranger.chunks.compactMap(\.number)) == [hub.number])
    }

    /// With what was named before this process began, or is too much, the list is the usual one.
    @Test func `What is not known or too much is named`() throws {
        let hub = try Hub(seed: 1_502)
        let number = hub.number
        try hub.bring(0..<1)
        let store = try #require(hub.town.world.nodes[0].machine?.store)
        hub.town.world.kill(0)
        try hub.town.world.start(0)
        let stranger = Stranger(hub.town.world)
        let cursor = Cursor(store: store, number: number, scope: nil)
        stranger.greet(Stranger.hello(version: 2, cursor: cursor))
        #expect(stranger.chunks.isEmpty)
        #expect(stranger.changes.map(\.logs) == [[LogSize(log: hub.log(0), size: 3)]])
        #expect(stranger.changes.map(\.number) == [hub.number])

        let many = try Hub(seed: 1_503, authors: Limits.resumedChanges + 1)
        let before = many.number
        try many.bring(0..<Limits.resumedChanges + 1)
        let late = try many.back(at: before)
        #expect(late.chunks.isEmpty)
        #expect(late.changes.flatMap(\.logs).count == Limits.resumedChanges + 1)
        let one = try many.back(at: before + 1, seed: 78)
        #expect(one.chunks.flatMap(\.chunks).count == Limits.resumedChanges)
        #expect(one.changes.isEmpty)
    }

    /// What does not fit into what is brought is named behind it, and the number is told with that.
    @Test func `What does not fit is named`() throws {
        let hub = try Hub(seed: 1_504)
        let number = hub.number
        try hub.bring(0..<3, text: String(repeating: "x", count: Limits.resumedBytes * 2 / 3))
        let stranger = try hub.back(at: number)
        let brought = stranger.chunks.flatMap(\.chunks).map(\.log)
        let named = stranger.changes.flatMap(\.logs).map(\.log)
        #expect(!brought.isEmpty && !named.isEmpty)
        #expect(brought + named == (0..<3).map { hub.log($0) })
        #expect(stranger.chunks.compactMap(\.number) == [])
        #expect(stranger.changes.map(\.number) == [hub.number])
    }

    /// A change that comes while the store reads is told behind, and no number goes ahead of it.
    @Test func `What grows meanwhile is told`() throws {
        let hub = try Hub(seed: 1_505)
        let number = hub.number
        try hub.bring(1..<2)
        let store = try #require(hub.town.world.nodes[0].machine?.store)
        let stranger = Stranger(hub.town.world)
        stranger.run(milliseconds: 100)
        let cursor = Cursor(store: store, number: number, scope: nil)
        stranger.send(.hello(Stranger.hello(version: 2, cursor: cursor)))
        // In the very moment at which the store has been asked.
        #expect(
            hub.town.world.run(
                until: { hub.town.world.nodes[0].machine?.isReadingForResumption == true },
                withinMilliseconds: 1_000
            )
        )
        try hub.bring(1..<3)
        stranger.run(milliseconds: 500)
        let brought = stranger.chunks.flatMap(\.chunks).map { LogSize(log: $0.log, size: $0.size) }
        let sizes = Set(brought + stranger.changes.flatMap(\.logs))
        #expect(sizes == [LogSize(log: hub.log(1), size: 4), LogSize(log: hub.log(2), size: 3)])
        #expect((stranger.changes.compactMap(\.number) + stranger.chunks.compactMap(\.number)).max() == hub.number)
    }

    /// A node, what a peer at number 7 brought it, and the two that are connected now: that peer, which has come back
    /// with this number, and one that watches.
    private struct Return {
        let town: Town
        let entries: [VerifiedChunk]
        let back: Stranger
        let other: Stranger

        init(seed: UInt64, writing count: Int, at number: UInt64) throws {
            let town = try Town(nodes: 1, seed: seed)
            var author = Author(seed: 12, network: town.network)
            entries = (0..<count).map { author.write("\($0)", at: town.world.moment.wallMilliseconds) }
            try town.startAll()
            let first = Stranger(town.world)
            first.greet(Stranger.hello(version: 2, number: 7))
            first.send(.chunks(Chunks(chunks: [entries[0].packed], number: 7)))
            first.run(milliseconds: 7_000)
            #expect(town.world.nodes[0].machine?.cursors[first.id]?.number == 7)
            other = Stranger(town.world, seed: 78)
            other.greet(Stranger.hello(version: 2))
            back = Stranger(town.world)
            back.greet(Stranger.hello(version: 2, number: number))
            other.forget()
            self.town = town
        }

        func push(_ entry: Int, number: UInt64) {
            back.send(.chunks(Chunks(chunks: [entries[entry].packed], number: number)))
        }
    }

    /// What was there before is news to nobody else: it is named to others, who may have it from where it came from.
    @Test func `What comes so is not pushed on`() throws {
        let scene = try Return(seed: 1_506, writing: 4, at: 9)
        let log = scene.entries[0].log
        scene.push(1, number: 8)
        scene.push(2, number: 9)
        scene.other.run(milliseconds: 500)
        #expect(scene.town.stores[0].size(log) == 3)
        #expect(scene.other.chunks.isEmpty)
        #expect(scene.other.changes.flatMap(\.logs).last == LogSize(log: log, size: 3))
        // What comes behind that is.
        scene.push(3, number: 10)
        scene.other.run(milliseconds: 500)
        #expect(scene.other.chunks.flatMap(\.chunks).map(\.start) == [3])
    }

    /// Who has nothing to bring says so by its number alone: what it pushes then is new.
    @Test func `What comes from who was in step is pushed on`() throws {
        let scene = try Return(seed: 1_508, writing: 2, at: 7)
        scene.push(1, number: 8)
        scene.other.run(milliseconds: 500)
        #expect(scene.other.chunks.flatMap(\.chunks).map(\.start) == [1])
    }

    /// Who wrote it is not brought it.
    @Test func `What is their own is not brought back`() throws {
        let town = try Town(nodes: 2, seed: 1_507)
        town.link(1, 0)
        try town.startAll()
        for node in 0..<2 { try town.write("post", on: node) }
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 10_000)
        for post in 0..<3 { try town.write("\(post)", on: 1) }
        town.world.run(milliseconds: 100)
        let checked = town.world.nodes[1].verifiedEntries
        town.world.kill(1)
        try town.world.start(1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.world.nodes[1].verifiedEntries == checked)
        #expect(town.areEqual())
    }
}

extension NodeMachine {
    fileprivate var isReadingForResumption: Bool { wantsOfResumption != nil }

    /// Logs of the lot that the store is asked for.
    fileprivate var wantsOfResumption: Int? {
        for id in order {
            if case .resuming(_, let resuming) = links[id]?.announcer { return resuming.lot }
        }
        return nil
    }
}
