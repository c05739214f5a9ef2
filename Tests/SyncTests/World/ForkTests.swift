import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A writer that signs two histories, as a peer of version 1 shows it: the log is not asked of that peer any more, and
/// nobody who passed it on is to blame.
struct ForkTests {
    @Test func `What an earlier version set aside is asked for again`() throws {
        let town = try Town(nodes: 1, seed: 67)
        let author = Author(seed: 61, network: town.network)
        var batch = TakeBatch()
        batch.setAside = [author.log]
        _ = try town.stores[0].take(batch)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.send(.changes(Changes(logs: [LogSize(log: author.log, size: 9)], number: 1)))
        stranger.run(milliseconds: 300)
        #expect(stranger.wants.map(\.log) == [author.log])
    }

    @Test func `More forks than questions at once are all found`() throws {
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
        // One more may be asked of the own log, and a peer has room for that.
        #expect(questions.count == Limits.prefixesUnanswered - 1)
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
        #expect(logs.allSatisfy { town.reports(0).contains(.branchOfPeer($0, stranger.id)) })
        stranger.run(milliseconds: 1_000)
        #expect(stranger.keepAlives.last?.activity == .quiet)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Hundreds of forks of one size leave the link quiet`() throws {
        let town = try Town(nodes: 2, seed: 70)
        for number in 0..<UInt64(200) {
            var writer = ForkedWriter(seed: 7_000 + number, network: town.network)
            writer.branch(2)
            writer.branch(2, from: 0, at: 1)
            for node in 0..<2 { try town.take(writer.batch(node), on: node) }
        }
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        for node in 0..<2 {
            let machine = try #require(town.world.nodes[node].machine)
            #expect(machine.links.values.allSatisfy { $0.postponed.isEmpty && $0.disputes.isEmpty })
            #expect(machine.standings.forkedCount == 200)
            #expect(machine.questions.isEmpty)
        }
        #expect(town.allViolations.isEmpty)
    }

    @Test func `A store that cannot be read tells no lie`() throws {
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

    @Test func `A fork that is none is a violation`() throws {
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

    @Test func `A prefix that nobody asked for is a violation`() throws {
        let town = try Town(nodes: 1, seed: 65)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        let log = LogID(raw: Author.bytes(1, "log"))
        stranger.send(.prefix(PrefixAnswer(log: log, end: 1, nodes: [.zero])))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `A peer that does not show its prefix is left`() throws {
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

    @Test func `One question for a prefix is asked of the store at a time`() throws {
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
        #expect(town.world.nodes[0].machine?.questions.isEmpty == true)
    }

    @Test func `What the store is asked for one who has gone is forgotten`() throws {
        let town = try Town(nodes: 1, seed: 71) { $0.workMilliseconds = 50...50 }
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.run(milliseconds: 1_000)
        stranger.send(.prefixWanted(PrefixQuestion(log: LogID(raw: Author.bytes(1, "log")), end: 1)))
        stranger.run(milliseconds: 30)
        #expect(town.world.nodes[0].machine?.questions.count == 1)
        town.world.hangUp(stranger.session)
        town.world.run(milliseconds: 10)
        #expect(town.world.nodes[0].machine?.questions.isEmpty == true)
        // The answer that comes now is ignored.
        town.world.run(milliseconds: 1_000)
        #expect(town.violations(0).isEmpty)
    }
}
