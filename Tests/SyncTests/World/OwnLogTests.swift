import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A home that was copied or restored from a backup must not fork its log.
struct OwnLogTests {
    private func home(_ seed: UInt64, posts: Int, published: UInt64) throws -> (Town, Author) {
        let town = try Town(nodes: 1, seed: seed)
        for post in 0..<posts { try town.write("post \(post)", on: 0) }
        var batch = TakeBatch()
        batch.published = published
        _ = try town.stores[0].take(batch)
        try town.startAll()
        return (town, town.authors[0])
    }

    @Test func `Nothing unpublished leaves before a peer has answered`() throws {
        let (town, author) = try home(111, posts: 3, published: 2)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        stranger.run(milliseconds: 1_000)
        #expect(stranger.changes.flatMap(\.logs).isEmpty)
        #expect(stranger.chunks.flatMap(\.chunks).isEmpty)
        #expect(town.stores[0].published == 2)
        stranger.send(.ownLog(OwnLogAnswer(log: author.log, size: 0, root: .zero)))
        stranger.run(milliseconds: 1_000)
        #expect(stranger.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 3)])
        #expect(town.stores[0].published == 3)
        #expect(town.world.nodes[0].machine?.ownLogIsCleared == true)
    }

    @Test func `A log that is not carried any more is read once for whoever asks, and not on and on`() throws {
        let town = try Town(nodes: 1, seed: 1_113) { $0.workMilliseconds = 5...5 }
        for post in 0..<3 { try town.write("post \(post)", on: 0) }
        try town.startAll()
        let log = town.authors[0].log
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.run(milliseconds: 1_000)
        var report = TakeReport.nothing
        report.forgotten = [log]
        town.world.give(0, .settled(report))
        let before = try #require(town.world.nodes[0].machine?.questions.drawn)
        stranger.send(
            .prefixWanted(PrefixQuestion(log: log, end: 1)),
            .want([RangeWant(log: log, from: 0, certificate: .send)])
        )
        stranger.run(milliseconds: 500)
        let after = try #require(town.world.nodes[0].machine?.questions.drawn)
        #expect((1...10).contains(after - before), "\(after - before) questions to the store")
        // Whoever asked hears that it is not here: a question that waits would keep the link from coming to rest.
        #expect(stranger.isOpen && stranger.prefixes == [PrefixAnswer(log: log, end: 1, nodes: [])])
        #expect(stranger.chunks.flatMap(\.lacking) == [log])
        #expect(town.status(0)?.sessions.map(\.isQuiet) == [true])
    }

    @Test func `What leaves is noted first`() throws {
        let (town, author) = try home(112, posts: 1, published: 0)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        town.stores[0].failingTakes = 3
        stranger.send(.ownLog(OwnLogAnswer(log: author.log, size: 0, root: .zero)))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.changes.flatMap(\.logs).isEmpty, "the store could not note it")
        stranger.run(milliseconds: 10_000)
        #expect(stranger.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 1)])
    }

    @Test func `A claim that comes while the store notes what leaves holds it back`() throws {
        let town = try Town(nodes: 1, seed: 1_114) { $0.workMilliseconds = 50...50 }
        for post in 0..<3 { try town.write("post \(post)", on: 0) }
        try town.startAll()
        let log = town.authors[0].log
        let (agreeing, claiming) = (
            Stranger(town.world, seed: 1, host: "a", candour: .silent),
            Stranger(town.world, seed: 2, host: "b", candour: .silent)
        )
        agreeing.greet()
        claiming.greet()
        agreeing.send(.ownLog(OwnLogAnswer(log: log, size: 0, root: .zero)))
        agreeing.run(milliseconds: 30)
        claiming.send(.ownLog(OwnLogAnswer(log: log, size: 9, root: Author.bytes(9, "root"))))
        agreeing.run(milliseconds: 2_000)
        #expect(town.stores[0].published == 3, "it was on its way into the store")
        #expect(agreeing.changes.isEmpty && agreeing.chunks.isEmpty)
        agreeing.run(milliseconds: UInt64(Limits.ownLogClaimMilliseconds) + 5_000)
        #expect(agreeing.changes.flatMap(\.logs) == [LogSize(log: log, size: 3)], "nobody proved anything")
    }

    @Test func `A new post is pushed once it is noted`() throws {
        let (town, author) = try home(113, posts: 1, published: 0)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.send(.ownLog(OwnLogAnswer(log: author.log, size: 0, root: .zero)))
        stranger.run(milliseconds: 100)
        try town.write("live", on: 0)
        stranger.run(milliseconds: 100)
        #expect(stranger.chunks.flatMap(\.chunks).map(\.start) == [1])
        #expect(town.stores[0].published == 2)
    }

    @Test func `A peer that proves a longer log stops signing`() throws {
        let (town, author) = try home(114, posts: 2, published: 2)
        // The original went on writing after the copy was made.
        let source = LightStore()
        var original = Author(seed: 111_000, network: town.network)
        original = author
        var copy = Author(seed: 114_000, network: town.network)
        #expect(copy.log == author.log)
        for post in 0..<2 {
            _ = try source.append(copy.write("post \(post)", at: town.world.options.wallMilliseconds + 1))
        }
        _ = original.write("unused", at: 1)
        _ = try source.append(copy.write("written by the original", at: 5))
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.serve(source)
        stranger.send(.ownLog(OwnLogAnswer(log: author.log, size: 3, root: .zero)))
        stranger.run(milliseconds: 1_000)
        #expect(town.world.nodes[0].stoppedSigning == [.ownLogIsLonger(stranger.id, held: 2, shown: 3)])
        #expect(town.stores[0].signing == .stopped)
        #expect(town.stores[0].size(author.log) == 3, "its entries are taken like anybody's")
    }

    @Test func `A peer that only says so stops nothing`() throws {
        let (town, author) = try home(115, posts: 3, published: 2)
        let liar = Stranger(town.world, candour: .silent)
        liar.greet()
        liar.serve(LightStore())
        liar.send(.ownLog(OwnLogAnswer(log: author.log, size: 1_000, root: .zero)))
        liar.run(milliseconds: 1_000)
        #expect(town.world.nodes[0].stoppedSigning.isEmpty)
        let honest = Stranger(town.world, seed: 78, candour: .silent)
        honest.greet()
        honest.send(.ownLog(OwnLogAnswer(log: author.log, size: 0, root: .zero)))
        honest.run(milliseconds: 1_000)
        #expect(honest.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 3)])
    }

    @Test func `A cursor does not pass what the home lacks of its own log`() throws {
        let (town, author) = try home(1_116, posts: 2, published: 2)
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.serve(LightStore())
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 9)], number: 7)))
        stranger.run(milliseconds: 2 * Limits.cursorSaveMilliseconds)
        #expect(stranger.wants.contains { $0.log == author.log })
        #expect(town.stores[0].cursor(of: stranger.id) == nil)
        #expect(stranger.isOpen)
    }

    @Test func `A cursor does not pass the own log where the home is back at its beginning`() throws {
        let (town, author) = try home(1_117, posts: 0, published: 0)
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.serve(LightStore())
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 9)], number: 7)))
        stranger.run(milliseconds: 2 * Limits.cursorSaveMilliseconds)
        #expect(stranger.wants.contains { $0.log == author.log })
        #expect(town.stores[0].cursor(of: stranger.id) == nil)
        #expect(stranger.isOpen)
    }

    /// Whoever fetches the log meanwhile would else get a signature that may not leave, or nothing.
    @Test func `What the store has and the node was not told of is not shown, nor keeps what may leave back`() throws {
        let town = try Town(nodes: 1, seed: 1_118) { $0.workMilliseconds = 5...5 }
        for post in 0..<3 { try town.write("post \(post)", on: 0) }
        try town.startAll()
        let log = town.authors[0].log
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet(Stranger.hello(version: 2))
        stranger.send(.ownLog(OwnLogAnswer(log: log, size: 0, root: .zero)))
        stranger.run(milliseconds: 1_000)
        let secret = try town.stores[0].append("secret", by: &town.authors[0], at: town.world.moment.wallMilliseconds)
        stranger.send(.bodiesWanted([BodyPlace(log: log, sequence: 3)]))
        stranger.send(.want([RangeWant(log: log, from: 0, certificate: .send)]))
        stranger.run(milliseconds: 500)
        stranger.send(.prefixWanted(PrefixQuestion(log: log, end: 3)))
        stranger.run(milliseconds: 500)
        #expect(stranger.chunks.isEmpty && stranger.prefixes.isEmpty)
        #expect(stranger.bodies.map(\.payload) == [nil])
        town.world.give(0, .published(secret))
        stranger.run(milliseconds: 500)
        #expect(stranger.chunks.flatMap(\.chunks).contains { $0.start == 0 && $0.size == 4 })
        #expect(stranger.chunks.flatMap(\.lacking).isEmpty)
        #expect(stranger.prefixes.count == 1 && stranger.prefixes.allSatisfy { !$0.nodes.isEmpty })
        #expect(town.violations(0).isEmpty)
    }

    @Test func `An answer is given once`() throws {
        let (town, author) = try home(121, posts: 1, published: 1)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        let answer = Message.ownLog(OwnLogAnswer(log: author.log, size: 0, root: .zero))
        stranger.send(answer, answer)
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `An answer about another log`() throws {
        let (town, _) = try home(122, posts: 1, published: 1)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.send(.ownLog(OwnLogAnswer(log: LogID(raw: .zero), size: 0, root: .zero)))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `What the store has noted leaves at once`() throws {
        let (town, author) = try home(123, posts: 1, published: 1)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.send(.ownLog(OwnLogAnswer(log: author.log, size: 0, root: .zero)))
        stranger.run(milliseconds: 100)
        #expect(town.world.nodes[0].machine?.ownLogIsCleared == true)
        let takes = town.stores[0].takes
        let append = try town.stores[0].append("live", by: &town.authors[0], at: 5)
        town.world.give(0, .published(append))
        stranger.run(milliseconds: 100)
        #expect(stranger.chunks.flatMap(\.chunks).map(\.start) == [1])
        #expect(town.stores[0].takes == takes)
    }

    @Test func `What a file took away has left`() throws {
        let (town, author) = try home(125, posts: 3, published: 2)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.run(milliseconds: 500)
        #expect(stranger.changes.flatMap(\.logs).isEmpty)
        town.world.give(0, .released(3))
        stranger.run(milliseconds: 500)
        #expect(stranger.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 3)])
    }

    @Test func `The same branch above what was published is fine`() throws {
        let (town, author) = try home(118, posts: 4, published: 2)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        let nodes = try #require(try town.stores[0].prefixNodes(of: author.log, end: 3))
        let root = try #require(LogRange(bounds: 0..<3, nodes: nodes)?.root)
        stranger.send(.ownLog(OwnLogAnswer(log: author.log, size: 3, root: root)))
        stranger.run(milliseconds: 500)
        #expect(town.world.nodes[0].stoppedSigning.isEmpty)
        #expect(stranger.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 4)])
    }

    @Test func `A peer that does not answer is left`() throws {
        let (town, _) = try home(119, posts: 1, published: 0)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        stranger.run(milliseconds: Limits.progressDeadlineMilliseconds + 500)
        #expect(!stranger.isOpen)
    }

    @Test func `The answer tells what is held`() throws {
        let town = try Town(nodes: 1, seed: 120)
        var author = Author(seed: 8, network: town.network)
        let chunk = author.write("theirs", at: 1)
        var batch = TakeBatch()
        batch.chunks.append(
            TakeBatch.SourcedChunk(chunk: chunk, source: NodeID(raw: Author.bytes(1, "nobody")))
        )
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet(Stranger.hello(ownLog: author.log))
        let answers = stranger.inbox.compactMap { message -> OwnLogAnswer? in
            if case .ownLog(let answer) = message { answer } else { nil }
        }
        #expect(answers == [OwnLogAnswer(log: author.log, size: 1, root: try #require(chunk.head).root)])
    }

    @Test func `What may not leave is not sent on request either`() throws {
        let (town, author) = try home(124, posts: 3, published: 2)
        let copy = Stranger(town.world, candour: .silent)
        copy.greet(Stranger.hello(ownLog: author.log))
        let places = (0..<3).map { BodyPlace(log: author.log, sequence: $0) }
        copy.send(.bodiesWanted(places))
        for end in [2, 3] as [UInt64] { copy.send(.prefixWanted(PrefixQuestion(log: author.log, end: end))) }
        copy.run(milliseconds: 500)
        let two = try town.stores[0].prefixNodes(of: author.log, end: 2) ?? []
        let root = LogRange(bounds: 0..<2, nodes: two)?.root
        #expect(copy.inbox.contains(.ownLog(OwnLogAnswer(log: author.log, size: 2, root: root ?? .zero))))
        #expect(copy.inbox.contains(.prefix(PrefixAnswer(log: author.log, end: 2, nodes: two))))
        #expect(copy.inbox.contains(.prefix(PrefixAnswer(log: author.log, end: 3, nodes: []))))
        let bodies = copy.inbox.flatMap { if case .bodies(let answers) = $0 { answers } else { [] as [BodyAnswer] } }
        #expect(bodies.map(\.place) == places)
        #expect(bodies.map { $0.payload == nil } == [false, false, true])
    }
}
