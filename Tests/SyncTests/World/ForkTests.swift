import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A writer that signs two histories: the log is set aside, and nobody who passed it on is to blame.
struct ForkTests {
    /// Two stores that hold branches of one log which differ from entry 1 on.
    private func branches(_ town: Town, _ first: Int, _ second: Int) throws -> (Author, Author) {
        var one = Author(seed: 61, network: town.network)
        let root = one.write("the same", at: 1)
        var other = one
        let source = NodeID(raw: Author.bytes(1, "nobody"))
        for (node, count) in [(0, first), (1, second)] {
            var batch = TakeBatch()
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: root, source: source))
            for entry in 0..<count {
                let chunk = node == 0 ? one.write("left \(entry)", at: 2) : other.write("right \(entry)", at: 2)
                batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: source))
            }
            _ = try town.stores[node].take(batch)
        }
        return (one, other)
    }

    @Test(arguments: [0, 1])
    func theLogIsSetAsideAndTheLinkStays(dialler: Int) throws {
        let town = try Town(nodes: 2, seed: 62)
        let (one, _) = try branches(town, 2, 5)
        town.link(dialler, 1 - dialler)
        try town.startAll()
        town.world.run(milliseconds: 5_000)
        #expect(town.stores[0].isSetAside(one.log))
        #expect(town.reports(0).contains(.forkSetAside(one.log)))
        #expect(town.stores[0].size(one.log) == 3, "what was held stays")
        #expect((0..<2).flatMap(town.violations).isEmpty)
        try town.write("something else", on: 1)
        let hasArrived = { town.stores[0].contents.count == 4 }
        #expect(town.world.run(until: hasArrived, withinMilliseconds: 1_000))
        #expect(town.status(0)?.sessions.count == 1)
    }

    @Test func bothSidesSetItAsideOnceEachHasSeenTheOther() throws {
        let town = try Town(nodes: 2, seed: 63)
        var (one, other) = try branches(town, 2, 5)
        town.link(0, 1)
        try town.startAll()
        town.world.run(milliseconds: 5_000)
        #expect(!town.stores[1].isSetAside(one.log), "the shorter branch was never offered to it")
        town.world.kill(0)
        var batch = TakeBatch()
        for entry in 0..<6 {
            batch.chunks.append(
                TakeBatch.SourcedChunk(
                    chunk: one.write("left again \(entry)", at: 3),
                    source: NodeID(raw: Author.bytes(1, "nobody"))
                )
            )
        }
        _ = try town.stores[0].take(batch)
        try town.world.start(0)
        town.world.run(milliseconds: 60_000)
        #expect(town.stores[1].isSetAside(one.log))
        #expect((0..<2).flatMap(town.violations).isEmpty)
        let verified = town.world.nodes.map(\.verifiedEntries)
        batch = TakeBatch()
        batch.chunks.append(
            TakeBatch.SourcedChunk(
                chunk: other.write("right again", at: 9),
                source: NodeID(raw: Author.bytes(1, "nobody"))
            )
        )
        town.world.run(milliseconds: 3_600_000)
        #expect(town.world.nodes.map(\.verifiedEntries) == verified, "nobody asks for it any more")
        #expect(town.status(0)?.sessions.count == 1)
    }

    @Test func ofALogThatWasSetAsideNothingIsAskedForOrLookedAt() throws {
        let town = try Town(nodes: 1, seed: 67)
        var author = Author(seed: 61, network: town.network)
        var batch = TakeBatch()
        batch.setAside = [author.log]
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 9)], number: 1)))
        let chunk = author.write("unwelcome", at: 1).unverified
        stranger.send(.chunks(Chunks(chunks: [chunk], number: 2)))
        stranger.run(milliseconds: 300)
        #expect(stranger.wants.isEmpty)
        #expect(town.world.nodes[0].verifiedEntries == 0)
        #expect(stranger.isOpen)
    }

    @Test func moreForksThanQuestionsAtOnceAreAllFound() throws {
        let town = try Town(nodes: 1, seed: 68)
        let source = LightStore()
        let nobody = NodeID(raw: Author.bytes(1, "nobody"))
        var logs: [LogID] = []
        for number in 0..<UInt64(100) {
            var one = Author(seed: 800 + number, network: town.network)
            var other = one
            var batch = TakeBatch()
            batch.chunks = [TakeBatch.SourcedChunk(chunk: one.write("left", at: 1), source: nobody)]
            _ = try town.stores[0].take(batch)
            batch.chunks = ["right", "and more"].map {
                TakeBatch.SourcedChunk(chunk: other.write($0, at: 1), source: nobody)
            }
            _ = try source.take(batch)
            logs.append(one.log)
        }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.serve(source)
        var questions: [PrefixQuestion] = []
        let serve = stranger.answer
        stranger.answer = { message in
            guard case .prefixWanted(let question) = message else { return serve(message) }
            questions.append(question)
            return []
        }
        stranger.send(.changes(Changes(logs: logs.map { LogSize(log: $0, size: 2) }, number: 1)))
        stranger.run(milliseconds: 1_000)
        #expect(questions.count == Limits.prefixesUnanswered)
        let wants = stranger.wants.count
        #expect(wants <= 100 + Limits.prefixesUnanswered)
        var answered = 0
        while answered < questions.count {
            let question = questions[answered]
            let nodes = try #require(try source.prefixNodes(of: question.log, end: question.end))
            stranger.send(.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: nodes)))
            answered += 1
            stranger.run(milliseconds: 50)
        }
        #expect(answered == 100)
        #expect(logs.allSatisfy(town.stores[0].isSetAside))
        stranger.run(milliseconds: 1_000)
        #expect(stranger.keepAlives.last?.activity == .quiet)
        #expect(town.violations(0).isEmpty)
    }

    @Test func aStoreThatCannotBeReadTellsNoLie() throws {
        let world = World(WorldOptions(seed: 69))
        let inner = LightStore()
        var author = Author(seed: 61, network: world.network)
        var batch = TakeBatch()
        let source = NodeID(raw: Author.bytes(1, "nobody"))
        batch.chunks = [TakeBatch.SourcedChunk(chunk: author.write("here", at: 1), source: source)]
        _ = try inner.take(batch)
        let store = OddStore(inner)
        _ = world.add(store, exchange: .off)
        try world.start(0)
        let stranger = Stranger(world)
        stranger.greet()
        store.isReadable = false
        stranger.send(.prefixWanted(PrefixQuestion(log: author.log, end: 1)))
        stranger.run(milliseconds: 1_000)
        let prefixes = stranger.inbox.filter { if case .prefix = $0 { true } else { false } }
        #expect(prefixes.isEmpty)
        #expect(stranger.isOpen)
    }

    @Test func aForkThatIsNoneIsAViolation() throws {
        let town = try Town(nodes: 1, seed: 64)
        try town.startAll()
        var author = Author(seed: 61, network: town.network)
        let first = author.write("true", at: 1)
        let second = author.write("and true", at: 2)
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.answer = { message in
            guard case .prefixWanted(let question) = message else { return [] }
            return [.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: [.zero]))]
        }
        stranger.send(.chunks(Chunks(chunks: [first.unverified], number: 1)))
        let packed = second.unverified
        let forged = packed.entries.flipping(packed.entries.count - 1)
        stranger.send(.chunks(Chunks(chunks: [packed.with(entries: forged)], number: 2)))
        expectViolation(.falseFork, of: stranger, in: town)
        #expect(town.stores[0].size(author.log) == 1)
        #expect(!town.stores[0].isSetAside(author.log))
    }

    @Test func aPrefixThatNobodyAskedForIsAViolation() throws {
        let town = try Town(nodes: 1, seed: 65)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let log = LogID(raw: Author.bytes(1, "log"))
        stranger.send(.prefix(PrefixAnswer(log: log, end: 1, nodes: [.zero])))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func aPeerThatDoesNotShowItsPrefixIsLeft() throws {
        let town = try Town(nodes: 1, seed: 66)
        try town.startAll()
        var author = Author(seed: 61, network: town.network)
        let first = author.write("true", at: 1)
        let second = author.write("and true", at: 2).unverified
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(.chunks(Chunks(chunks: [first.unverified], number: 1)))
        let forged = second.entries.flipping(second.entries.count - 1)
        stranger.send(.chunks(Chunks(chunks: [second.with(entries: forged)], number: 2)))
        stranger.run(milliseconds: Limits.progressDeadlineMilliseconds + 1_000)
        #expect(!stranger.isOpen)
        #expect(town.stores[0].size(author.log) == 1)
    }

    @Test func oneQuestionForAPrefixIsAskedOfTheStoreAtATime() throws {
        let town = try Town(nodes: 1, seed: 69) {
            $0.workMilliseconds = 50...50
            $0.trace = .on
        }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let log = LogID(raw: Author.bytes(1, "log"))
        for end in 1...UInt64(10) { stranger.send(.prefixWanted(PrefixQuestion(log: log, end: end))) }
        stranger.run(milliseconds: 40)
        #expect(town.world.trace.count { $0.contains("readPrefix") } == 1)
        stranger.run(milliseconds: 1_000)
        let ends = stranger.inbox.compactMap { if case .prefix(let answer) = $0 { answer.end } else { nil } }
        #expect(ends == Array(1...10))
    }
}
