import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What a peer has to show of its history where it is another one, and what comes of lies about it.
struct DisputeTests {
    private let town: Town
    private let stranger: Stranger
    private let writer: ForkedWriter
    private let theirs = LightStore()

    init() throws {
        town = try Town(nodes: 1, seed: 920)
        var writer = ForkedWriter(seed: 61, network: town.network)
        writer.branch(7)
        writer.branch(7, from: 0, at: 4)
        self.writer = writer
        try town.take(writer.batch(0), on: 0)
        _ = try theirs.take(writer.batch(1))
        try town.startAll()
        stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        stranger.serve(theirs)
    }

    /// Says that it has another branch, and answers what it is asked, changed.
    private func dispute(_ change: @escaping (Message) -> Message) {
        let serve = stranger.answer
        stranger.answer = { serve($0).map(change) }
        stranger.send(.changes(writer.saying(theirs)))
        stranger.run(milliseconds: 300)
    }

    @Test func `An honest answer leads to evidence`() throws {
        dispute { $0 }
        #expect(town.violations(0).isEmpty)
        #expect(town.stores[0].size(writer.log) == 4)
        let told = try #require(stranger.changes.last?.held.first)
        let evidence = try #require(ForkEvidence(told.words?.evidence ?? []))
        #expect(evidence.sequence == 4)
        #expect(evidence.isProof(network: town.network, device: writer.author.certificate.certificate.device))
        // Nothing is compared again while that is being stored.
        #expect(stranger.inbox.count { if case .prefixWanted = $0 { true } else { false } } == 1)
    }

    @Test(arguments: ["node", "right", "signature", "size", "count"])
    func `A prefix that is not the writers`(lie: String) throws {
        dispute { message in
            guard case .prefix(let answer) = message else { return message }
            var nodes = answer.nodes
            var right = answer.right
            var signature = answer.signature
            var size = answer.size
            switch lie {
            case "node": nodes[0] = .zero
            case "right": right.append(.zero)
            case "signature": signature = writer.branches[0].first?.head?.signature
            case "size":
                size += 1
                right.append(.zero)
            default: nodes.append(.zero)
            }
            return .prefix(
                PrefixAnswer(
                    log: answer.log,
                    end: answer.end,
                    nodes: nodes,
                    size: size,
                    signature: signature,
                    right: right
                )
            )
        }
        expectViolation(.falseFork, of: stranger, in: town)
        #expect(town.stores[0].size(writer.log) == 7)
    }

    @Test(arguments: ["node", "count"])
    func `Nodes that are not of the tree that was shown`(lie: String) throws {
        dispute { message in
            guard case .nodes(let answer) = message else { return message }
            var hashes = answer.hashes
            if lie == "node" { hashes[0] = .zero } else { hashes.removeLast() }
            return .nodes(NodesAnswer(log: answer.log, place: answer.place, hashes: hashes))
        }
        expectViolation(.falseFork, of: stranger, in: town)
        #expect(town.stores[0].size(writer.log) == 7)
    }

    @Test func `A prefix of another end`() throws {
        dispute { message in
            guard case .prefix(let answer) = message else { return message }
            return .prefix(PrefixAnswer(log: answer.log, end: answer.end - 1, nodes: []))
        }
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `Nodes of another place`() throws {
        dispute { message in
            guard case .nodes(let answer) = message else { return message }
            let place = TreePlace(level: answer.place.level, index: answer.place.index + 1)
            return .nodes(NodesAnswer(log: answer.log, place: place, hashes: answer.hashes))
        }
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `Nodes that nobody asked for`() throws {
        let place = TreePlace(level: 1, index: 0)
        stranger.send(.nodes(NodesAnswer(log: writer.log, place: place, hashes: [.zero, .zero])))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    /// Says that each of these logs has another history, and shows nothing of it.
    private func claim(_ logs: [LogID], size: UInt64 = 1, times: Int = 1) {
        stranger.answer = { message in
            guard case .prefixWanted(let question) = message else { return [] }
            return [.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: []))]
        }
        for _ in 0..<times {
            for log in logs {
                let item = LogSize(log: log, size: size)
                let claim = HeldLog(item: item, root: Author.bytes(1, "other"), words: nil)
                stranger.send(.changes(Changes(logs: [item], number: nil, held: [claim])))
            }
            stranger.run(milliseconds: 100)
        }
    }

    private func short(_ count: Int) throws -> [LogID] {
        try (0..<UInt64(count)).map { number in
            var author = Author(seed: 800 + number, network: town.network)
            var batch = TakeBatch()
            let chunk = author.write("left", at: 1)
            batch.chunks = [TakeBatch.SourcedChunk(chunk: chunk, source: ForkedWriter.nobody)]
            try town.take(batch, on: 0)
            return author.log
        }
    }

    @Test func `What is not here any more is no lie`() throws {
        claim(try short(60))
        stranger.run(milliseconds: 500)
        #expect(town.violations(0).isEmpty)
        #expect(stranger.isOpen)
    }

    @Test func `What a peer cannot show does not count as done`() throws {
        var writer = writer
        let branch = writer.branch(9, from: 0, at: 4)
        let longer = LightStore()
        _ = try longer.take(writer.batch(branch))
        stranger.serve(longer)
        let serve = stranger.answer
        var questions = 0
        stranger.answer = { message in
            guard case .prefixWanted(let question) = message else { return serve(message) }
            questions += 1
            return [.prefix(PrefixAnswer(log: question.log, end: question.end, nodes: []))]
        }
        stranger.send(.changes(Changes(logs: [LogSize(log: writer.log, size: 9)], number: 5)))
        stranger.run(milliseconds: 500)
        #expect(questions == 1)
        // Nothing else is under way, and the peer says no more.
        stranger.run(milliseconds: 2 * Limits.cursorSaveMilliseconds)
        #expect(town.stores[0].size(writer.log) == 7)
        #expect(stranger.isOpen)
        #expect(town.stores[0].cursor(of: stranger.id) == nil)
    }

    @Test func `A log is compared in vain a few times until there is news of it`() throws {
        claim([writer.log], size: 7, times: 20)
        let asked = { [stranger] in stranger.inbox.count { if case .prefixWanted = $0 { true } else { false } } }
        #expect(asked() == Limits.disputesPerLogCount)
        // Something becomes known of the log: it may be worth while again.
        try town.take(writer.settling(0, 6), on: 0)
        try town.take(writer.accusing(0, 1, at: 4), on: 0)
        stranger.run(milliseconds: 100)
        #expect(town.violations(0).isEmpty && stranger.isOpen)
    }

    /// Roots that are in force here and there for a moment: each is of a settlement that the other has not heard of.
    @Test func `Roots that are not known here blame nobody`() throws {
        let logs = try short(40)
        stranger.answer = { message in
            guard case .prefixWanted(let question) = message else { return [] }
            let node = Author.bytes(question.end, "leaf")
            return [
                .prefix(
                    PrefixAnswer(
                        log: question.log,
                        end: question.end,
                        nodes: [node],
                        size: question.end,
                        signature: nil,
                        right: []
                    )
                )
            ]
        }
        for log in logs {
            let item = LogSize(log: log, size: 1)
            let claim = HeldLog(item: item, root: Author.bytes(1, "other"), words: nil)
            stranger.send(.changes(Changes(logs: [item], number: nil, held: [claim])))
        }
        stranger.run(milliseconds: 1_000)
        #expect(stranger.inbox.contains { if case .prefixWanted = $0 { true } else { false } })
        #expect(town.violations(0).isEmpty)
        #expect(stranger.isOpen)
    }

    /// Somebody else's words about a log are false: what a peer has said of it meanwhile is looked at again.
    @Test func `A branch is looked at when the words about the log were false`() throws {
        let liar = Stranger(town.world, seed: 79)
        liar.greet(Stranger.hello(version: 2))
        var words = writer.settlement(0, 3).bytes
        words[207] ^= 1
        liar.send(.changes(writer.saying(settlement: words)))
        stranger.send(.changes(writer.saying(theirs)))
        stranger.run(milliseconds: 1_000)
        #expect(town.violations(0) == [.badSettlement])
        #expect(stranger.isOpen)
        #expect(town.stores[0].size(writer.log) == 4, "the branch was compared")
    }

    @Test func `Questions are answered`() throws {
        stranger.answer = { _ in [] }
        stranger.send(
            .prefixWanted(PrefixQuestion(log: writer.log, end: 3)),
            .prefixWanted(PrefixQuestion(log: writer.log, end: 8)),
            .nodesWanted(NodesQuestion(log: writer.log, place: TreePlace(level: 2, index: 0))),
            .nodesWanted(NodesQuestion(log: writer.log, place: TreePlace(level: 2, index: 1)))
        )
        stranger.run(milliseconds: 300)
        let prefixes = stranger.inbox.compactMap { if case .prefix(let answer) = $0 { answer } else { nil } }
        #expect(prefixes.count == 2)
        let proof = try #require(prefixes[0].selfContained)
        let known = LogPrefix(certificate: writer.author.certificate, range: LogRange())
        let device = writer.author.certificate.certificate.device
        let verdict = proof.judge(log: writer.log, network: town.network, device: device, known: known)
        #expect(proof.prefix == writer.range(0, 3))
        guard case .proven(.head(7, _)) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(prefixes[1] == PrefixAnswer(log: writer.log, end: 8, nodes: []))
        let nodes = stranger.inbox.compactMap { if case .nodes(let answer) = $0 { answer.hashes } else { nil } }
        #expect(nodes == [writer.branches[0][..<4].map(\.entries[0].id.raw), []])
    }

    @Test func `More questions than are answered at once`() throws {
        let question = NodesQuestion(log: writer.log, place: TreePlace(level: 2, index: 0))
        stranger.send(frames: Array(repeating: Message.nodesWanted(question).frame, count: 70))
        expectViolation(.tooManyQuestions, of: stranger, in: town)
    }

    @Test func `A wrong body is first taken for another branch`() throws {
        var author = Author(seed: 64, network: town.network)
        let chunk = author.write("a body", at: 1)
        let withheld = chunk.unverified.with(
            entries: EntryCoding.encode(chunk.entries.map { Entry(withheld: $0.header) })
        )
        let store = LightStore()
        var batch = TakeBatch()
        batch.chunks = [TakeBatch.SourcedChunk(chunk: chunk, source: ForkedWriter.nobody)]
        _ = try store.take(batch)
        stranger.serve(store)
        let serve = stranger.answer
        stranger.answer = { message in
            guard case .bodiesWanted(let places) = message else { return serve(message) }
            return [.bodies(places.map { BodyAnswer(place: $0, payload: Array("another".utf8)) })]
        }
        stranger.send(.chunks(Chunks(chunks: [withheld], number: 1)))
        stranger.run(milliseconds: 90_000)
        #expect(stranger.inbox.contains(.prefixWanted(PrefixQuestion(log: author.log, end: 1))))
        #expect(town.violations(0).isEmpty)
    }
}
