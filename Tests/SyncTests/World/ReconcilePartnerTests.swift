import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Partners that reconcile badly: each costs a bounded amount, and a violation where no honest one does so.
struct ReconcilePartnerTests {
    /// A node that holds so many logs, and a stranger of version 2 that says it holds as many.
    private func meet(logs: Int, seed: UInt64, version: UInt32 = 2) throws -> (Town, Stranger) {
        let town = try filled(logs: logs, seed: seed)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: version, logs: UInt64(logs)))
        return (town, stranger)
    }

    private func filled(logs: Int, seed: UInt64) throws -> Town {
        let town = try Town(nodes: 1, seed: seed)
        var batch = TakeBatch()
        for number in 0..<logs {
            var author = Author(seed: 30_000 + UInt64(number), network: town.network)
            let chunk = author.write("post \(number)", at: 1_600_000_000_000 + UInt64(number) * 5_000)
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: NodeID(raw: .zero)))
        }
        _ = try town.stores[0].take(batch)
        return town
    }

    /// The same, dialled by the node, so that the stranger answers.
    private func dialled(logs: Int, seed: UInt64) throws -> (Town, Stranger) {
        let town = try filled(logs: logs, seed: seed)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        stranger.greet(Stranger.hello(version: 2, logs: UInt64(logs)))
        return (town, stranger)
    }

    private let everything = [0x61, 0, 0, 2, 0] as [UInt8]

    private func answers(_ stranger: Stranger) -> [Reconcile] {
        stranger.inbox.compactMap { if case .reconcile(let message) = $0 { message } else { nil } }
    }

    private func itemsCame(_ stranger: Stranger) -> [Items] {
        stranger.inbox.compactMap { if case .items(let items) = $0 { items } else { nil } }
    }

    private func ids(_ message: [UInt8]) -> [Bytes32] {
        let ranges = (try? NegentropyReader.ranges(message)) ?? []
        return ranges.flatMap { range -> [Bytes32] in
            if case .ids(let ids) = range.content { ids } else { [] }
        }
    }

    @Test func `A stranger may ask and is answered`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 51)
        // No list, but the wish to be reconciled.
        #expect(stranger.changes.isEmpty)
        #expect(answers(stranger) == [.begin])
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        let answer = try #require(answers(stranger).last)
        #expect(answer.stage == 1 && answer.round == 1)
        let listed = ids(answer.message)
        #expect(listed.count == 40)
        stranger.send(.itemsWanted(ItemsQuestion(stage: 1, ids: Array(listed.prefix(5)))))
        stranger.run(milliseconds: 100)
        let items = try #require(itemsCame(stranger).last)
        #expect(items.end == .last && items.logs.count == 5)
        let hashes = items.logs.map { FrontierItem(log: $0.item.log, size: $0.item.size, root: $0.root ?? .zero).id }
        #expect(hashes == Array(listed.prefix(5)))
        stranger.send(.items(Items(stage: 1, logs: [], end: .last)))
        stranger.run(milliseconds: 1_000)
        // The whole was compared: from now on its numbers are told.
        #expect(stranger.keepAlives.last?.activity == .quiet)
        #expect(stranger.keepAlives.last?.number == town.stores[0].lastNumber)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `A peer of version one is told the list`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 52, version: 1)
        #expect(stranger.changes.map(\.logs.count) == [40])
        #expect(answers(stranger).isEmpty)
        // The new types mean nothing to either: they are ignored, whatever they say.
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: [0x62])))
        stranger.send(frames: [Frame(type: MessageType.items.rawValue, body: [0x0A, 10, 1])])
        stranger.run(milliseconds: 200)
        #expect(stranger.isOpen && town.violations(0).isEmpty)
        #expect(answers(stranger).isEmpty)
    }

    @Test func `A stage that skips the beginning does not count as the whole`() throws {
        let (_, stranger) = try meet(logs: 40, seed: 53)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: [0x61, 1, 1, 1, 0, 0, 0, 2, 0])))
        stranger.run(milliseconds: 100)
        stranger.send(.items(Items(stage: 1, logs: [], end: .last)))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.keepAlives.allSatisfy { $0.activity == .busy })
    }

    /// Nothing at all; a list up to a bound that is not the end; a skip between two lists.
    @Test(arguments: [[0x61], [0x61, 6, 0, 2, 0], [0x61, 6, 0, 2, 0, 2, 0, 0, 0, 0, 2, 0]] as [[UInt8]])
    func `A stage that leaves something out does not count as the whole`(message: [UInt8]) throws {
        let (town, stranger) = try meet(logs: 40, seed: 86)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: message)))
        stranger.run(milliseconds: 100)
        #expect(answers(stranger).last?.round == 1)
        stranger.send(.items(Items(stage: 1, logs: [], end: .last)))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.keepAlives.allSatisfy { $0.activity == .busy })
        #expect(stranger.isOpen && town.violations(0).isEmpty)
    }

    @Test func `A stage that is given up does not count as the whole`() throws {
        let (_, stranger) = try meet(logs: 40, seed: 54)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        stranger.send(.items(Items(stage: 1, logs: [], end: .givenUp)))
        stranger.run(milliseconds: 2_000)
        #expect(stranger.keepAlives.allSatisfy { $0.activity == .busy })
    }

    // MARK: Violations of who asks

    @Test(
        arguments: [
            [], [0x62, 0, 0, 0], [0x61, 0], [0x61, 0, 0, 7], [0x61, 6, 0, 0, 1, 0, 0], [0x61, 0, 0, 2, 5],
        ] as [[UInt8]]
    )
    func `A question is a negentropy message`(message: [UInt8]) throws {
        let (town, stranger) = try meet(logs: 40, seed: 55)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: message)))
        expectViolation(.malformedReconciliation, of: stranger, in: town)
    }

    @Test(arguments: [[(0, 0)], [(0, 1)], [(1, 0)], [(1, 2)], [(1, 1), (1, 1)], [(1, 1), (1, 3)], [(1, 1), (2, 1)]])
    func `Rounds follow each other`(rounds: [(UInt32, UInt32)]) throws {
        let (town, stranger) = try meet(logs: 40, seed: 56)
        for (stage, round) in rounds {
            stranger.send(.reconcile(Reconcile(stage: stage, round: round, message: everything)))
            stranger.run(milliseconds: 100)
        }
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `A stage is not begun twice`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 57)
        for _ in 0..<2 {
            stranger.send(.reconcile(Reconcile(stage: 3, round: 1, message: everything)))
            stranger.run(milliseconds: 100)
            stranger.send(.items(Items(stage: 3, logs: [], end: .last)))
        }
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `A question waits for its answer`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 58)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        stranger.send(
            .reconcile(Reconcile(stage: 1, round: 2, message: everything)),
            .reconcile(Reconcile(stage: 1, round: 3, message: everything))
        )
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `Rounds end`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 59)
        for round in 1...Limits.reconciliationRounds {
            stranger.send(.reconcile(Reconcile(stage: 1, round: round, message: everything)))
            stranger.run(milliseconds: 20)
        }
        #expect(town.violations(0).isEmpty)
        let last = Limits.reconciliationRounds + 1
        stranger.send(.reconcile(Reconcile(stage: 1, round: last, message: everything)))
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `Only what was listed is explained`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 60)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        let listed = ids(try #require(answers(stranger).last).message)
        stranger.send(.itemsWanted(ItemsQuestion(stage: 1, ids: [listed[0]])))
        stranger.run(milliseconds: 100)
        #expect(stranger.isOpen)
        stranger.send(.itemsWanted(ItemsQuestion(stage: 1, ids: [listed[0]])))
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test(arguments: [0, 2] as [UInt32])
    func `Items are of the stage`(stage: UInt32) throws {
        let (town, stranger) = try meet(logs: 40, seed: 61)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        let listed = ids(try #require(answers(stranger).last).message)
        stranger.send(.itemsWanted(ItemsQuestion(stage: stage, ids: [listed[0]])))
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test(arguments: [0, 1, 2])
    func `What nobody asked for is not said`(situation: Int) throws {
        let (town, stranger) = try meet(logs: 40, seed: 62)
        if situation > 0 {
            stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
            stranger.run(milliseconds: 100)
        }
        if situation > 1 { stranger.send(.items(Items(stage: 1, logs: [], end: .last))) }
        stranger.send(.items(Items(stage: situation == 1 ? 2 : 1, logs: [], end: .last)))
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `A stage ends behind its last answer`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 84)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        stranger.send(
            .reconcile(Reconcile(stage: 1, round: 2, message: everything)),
            .items(Items(stage: 1, logs: [], end: .last))
        )
        expectViolation(.unaskedAnswer, of: stranger, in: town)
    }

    @Test func `Who stops in the middle is dropped`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 63)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        for _ in 0..<6 {
            stranger.run(milliseconds: 20_000)
            stranger.send(.credit(1))
        }
        stranger.run(milliseconds: 1_000)
        #expect(!stranger.isOpen)
        #expect(town.violations(0).isEmpty)
        #expect(town.reports(0).contains { if case .lost(_, _, .noProgress) = $0 { true } else { false } })
    }

    @Test func `Nobody asks for nothing`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 71)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        stranger.send(.itemsWanted(ItemsQuestion(stage: 1, ids: [])))
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `Pages of items are not empty`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 72)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        stranger.send(.items(Items(stage: 1, logs: [], end: .more)))
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `A stage has so many items`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 73)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 100)
        let author = Author(seed: 30_000, network: town.network)
        let held = HeldLog(item: LogSize(log: author.log, size: 1), root: nil)
        let page = [HeldLog](repeating: held, count: Limits.itemsPerMessage)
        for _ in 0..<Limits.reconciliationFindings / page.count {
            stranger.send(.items(Items(stage: 1, logs: page, end: .more)))
        }
        stranger.run(milliseconds: 100)
        #expect(stranger.isOpen)
        stranger.send(.items(Items(stage: 1, logs: [held], end: .last)))
        expectViolation(.impossibleReconciliation, of: stranger, in: town)
    }

    @Test func `A snapshot is kept for ten minutes`() throws {
        let (town, stranger) = try meet(logs: 40, seed: 74)
        // As slowly as may be, and with a word in between.
        for round in 1...12 as ClosedRange<UInt32> where stranger.isOpen {
            stranger.send(.reconcile(Reconcile(stage: 1, round: round, message: everything)))
            for _ in 0..<2 {
                stranger.run(milliseconds: 29_000)
                stranger.send(.credit(1))
            }
            #expect(stranger.isOpen == (round <= 10), "round \(round)")
        }
        #expect(!stranger.isOpen)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Who asks for much waits`() throws {
        let (town, stranger) = try meet(logs: 4_200, seed: 75)
        var asked = Reconcile(stage: 1, round: 1, message: everything)
        stranger.answer = { [everything] message in
            guard case .reconcile(let answer) = message, answer.stage == 1, answer.round < 100 else { return [] }
            asked = Reconcile(stage: 1, round: answer.round + 1, message: everything)
            return [.reconcile(asked)]
        }
        stranger.send(.reconcile(asked))
        for _ in 0..<30 where asked.round < 100 { stranger.run(milliseconds: 100) }
        stranger.run(milliseconds: 100)
        #expect(asked.round == 100)
        let after = town.world.now
        stranger.send(
            .items(Items(stage: 1, logs: [], end: .last)),
            .reconcile(Reconcile(stage: 2, round: 1, message: everything))
        )
        stranger.run(milliseconds: 2_000)
        #expect(!answers(stranger).contains { $0.stage == 2 })
        stranger.run(milliseconds: 10_000)
        #expect(answers(stranger).contains { $0.stage == 2 }, "\(town.world.now - after)")
        #expect(town.violations(0).isEmpty)
    }

    // MARK: Violations of who answers

    @Test func `A peer of version one gets pages`() throws {
        let town = try filled(logs: 40, seed: 76)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        stranger.greet()
        stranger.run(milliseconds: 1_000)
        let other = KeepAlive(
            fingerprint: FingerprintSum().fingerprint,
            count: 0,
            number: 0,
            activity: .quiet,
            request: .nothing
        )
        stranger.send(.keepAlive(other))
        stranger.run(milliseconds: 1_000)
        #expect(stranger.inbox.contains { if case .compare(let page) = $0 { page.logs.count == 40 } else { false } })
        #expect(answers(stranger).isEmpty)
    }

    @Test func `A peer invites once`() throws {
        try expectDialledViolation(.impossibleReconciliation, seed: 77, .reconcile(.begin), .reconcile(.begin))
    }

    @Test func `Items answer what was asked`() throws {
        let impossible = SyncViolation.impossibleReconciliation
        let listing = Message.reconcile(
            Reconcile(stage: 1, round: 1, message: [0x61, 0, 0, 2, 1] + Author.bytes(5, "id").bytes)
        )
        let held = HeldLog(item: LogSize(log: LogID(raw: Author.bytes(6, "log")), size: 1), root: nil)
        let items = { (logs: [HeldLog], end: Items.End) in Message.items(Items(stage: 1, logs: logs, end: end)) }
        let (town, stranger) = try dialled(logs: 40, seed: 78)
        stranger.send(listing)
        stranger.run(milliseconds: 100)
        let asked = stranger.inbox.compactMap { if case .itemsWanted(let question) = $0 { question } else { nil } }
        #expect(asked == [ItemsQuestion(stage: 1, ids: [Author.bytes(5, "id")])])
        stranger.send(items([held], .more), items([], .last))
        stranger.run(milliseconds: 100)
        // What this side has ends the stage: all forty, since nothing of them was listed.
        #expect(itemsCame(stranger).map(\.logs.count) == [40])
        #expect(itemsCame(stranger).map(\.end) == [.last])
        #expect(town.violations(0).isEmpty)
        try expectDialledViolation(impossible, seed: 85, listing, listing)
        try expectDialledViolation(impossible, seed: 79, listing, items([held, held], .last))
        try expectDialledViolation(impossible, seed: 80, listing, items([held], .more), items([held], .last))
        try expectDialledViolation(impossible, seed: 81, listing, items([], .more))
        try expectDialledViolation(impossible, seed: 82, listing, items([held], .givenUp))
        try expectDialledViolation(.unaskedAnswer, seed: 83, listing, items([held], .last), items([], .last))
    }

    @Test(arguments: [false, true])
    func `Only what the other side is ahead in now is left out`(isAhead: Bool) throws {
        let (town, stranger) = try dialled(logs: 40, seed: 88)
        let log = try #require(town.stores[0].present.frontier.first?.log)
        let more = LogSize(log: log, size: 9)
        // It had more once, and may have dropped it.
        stranger.send(.changes(Changes(logs: [more], number: nil)))
        stranger.run(milliseconds: 100)
        let id = isAhead ? Author.bytes(5, "id").bytes : []
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: [0x61, 0, 0, 2, isAhead ? 1 : 0] + id)))
        stranger.run(milliseconds: 100)
        if isAhead {
            stranger.send(.items(Items(stage: 1, logs: [HeldLog(item: more, root: nil)], end: .last)))
            stranger.run(milliseconds: 100)
        }
        let told = itemsCame(stranger).flatMap(\.logs).map(\.log)
        #expect(told.count == (isAhead ? 39 : 40) && told.contains(log) != isAhead)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `The dialler begins`() throws {
        let (town, stranger) = try dialled(logs: 40, seed: 64)
        let question = try #require(answers(stranger).last)
        #expect(question.stage == 1 && question.round == 1)
        #expect(question.message.first == 0x61)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `The first answer of a stage may take a minute and a half`() throws {
        let (town, stranger) = try dialled(logs: 40, seed: 87)
        // Not a byte comes meanwhile.
        stranger.run(milliseconds: 85_000)
        #expect(stranger.isOpen)
        stranger.send(.credit(1))
        stranger.run(milliseconds: 40_000)
        #expect(!stranger.isOpen)
        #expect(town.violations(0).isEmpty)
        #expect(town.reports(0).contains { if case .lost(_, _, .noProgress) = $0 { true } else { false } })
    }

    private func expectDialledViolation(
        _ violation: SyncViolation,
        seed: UInt64,
        _ messages: Message...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (town, stranger) = try dialled(logs: 40, seed: seed)
        for message in messages {
            stranger.send(message)
            stranger.run(milliseconds: 100)
        }
        #expect(town.violations(0) == [violation], sourceLocation: sourceLocation)
        #expect(!stranger.isOpen, sourceLocation: sourceLocation)
    }

    @Test func `An answer fits the question`() throws {
        let impossible = SyncViolation.impossibleReconciliation
        let answer = { (stage: UInt32, round: UInt32) in
            Message.reconcile(Reconcile(stage: stage, round: round, message: [0x61]))
        }
        try expectDialledViolation(impossible, seed: 65, answer(2, 1))
        try expectDialledViolation(impossible, seed: 66, answer(1, 2))
        try expectDialledViolation(impossible, seed: 67, answer(1, 1), answer(1, 1))
        try expectDialledViolation(
            .malformedReconciliation,
            seed: 68,
            .reconcile(Reconcile(stage: 1, round: 1, message: [0x61, 0, 0]))
        )
        try expectDialledViolation(.unaskedAnswer, seed: 69, .items(Items(stage: 1, logs: [], end: .last)))
        try expectDialledViolation(
            impossible,
            seed: 70,
            .itemsWanted(ItemsQuestion(stage: 1, ids: [.zero]))
        )
    }

    @Test func `Who has invented items is asked for them once`() throws {
        let (town, stranger) = try dialled(logs: 40, seed: 71)
        var writer = NegentropyWriter()
        writer.append((0..<100).map { Bytes32(repeating: UInt8($0)) }, to: .end)
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: writer.bytes)))
        stranger.run(milliseconds: 100)
        let asked = stranger.inbox.compactMap { if case .itemsWanted(let asked) = $0 { asked.ids.count } else { nil } }
        #expect(asked == [100])
        // It has to answer, or goes.
        stranger.run(milliseconds: 25_000)
        #expect(!stranger.isOpen)
        #expect(town.violations(0).isEmpty)
    }

    @Test func `Who never agrees is given up`() throws {
        let town = try filled(logs: 3_000, seed: 72)
        try town.startAll()
        let stranger = Stranger(dialledIn: town.world)
        var questions = 0
        var ends: [Items.End] = []
        let wrong = Fingerprint([UInt8](repeating: 3, count: 16))
        stranger.answer = { message in
            switch message {
            case .reconcile(let question):
                questions += 1
                var writer = NegentropyWriter()
                if let wrong { writer.append(wrong, to: .end) }
                return [.reconcile(Reconcile(stage: question.stage, round: question.round, message: writer.bytes))]
            case .items(let items):
                ends.append(items.end)
                return []
            default: return []
            }
        }
        stranger.greet(Stranger.hello(version: 2, logs: 3_000))
        for _ in 0..<10 { stranger.run(milliseconds: 400) }
        #expect(ends.first == .givenUp)
        #expect(questions >= 128)
        // It tries again, less and less often.
        stranger.run(milliseconds: 60_000)
        #expect(questions < 128 * 9, "\(questions)")
        #expect(stranger.isOpen && town.violations(0).isEmpty)
    }

    // MARK: Much at once

    /// So many logs with a settlement that their words are more than is put into a queue at once.
    private func settled(_ logs: Int, seed: UInt64) throws -> Town {
        let town = try Town(nodes: 1, seed: seed)
        var batch = TakeBatch()
        for number in 0..<UInt64(logs) {
            let writer = ForkedWriter(author: Author(seed: 40_000 + number, network: town.network))
            batch.settlements += writer.settling(0, 0).settlements
        }
        _ = try town.stores[0].take(batch)
        try town.startAll()
        return town
    }

    private func queued(_ town: Town) -> Int {
        Int(town.world.nodes[0].machine?.load[.queuedBytes] ?? 0)
    }

    @Test func `The end of a stage is told as the queue takes it`() throws {
        let count = 9_000
        let town = try settled(count, seed: 90)
        let stranger = Stranger(dialledIn: town.world)
        var asked: Reconcile?
        stranger.answer = { message in
            if case .reconcile(let question) = message { asked = question }
            return []
        }
        stranger.greet(Stranger.hello(version: 2, logs: UInt64(count)))
        stranger.run(milliseconds: 500)
        let question = try #require(asked)
        stranger.send(.reconcile(Reconcile(stage: question.stage, round: 1, message: everything)))
        var most = 0
        for _ in 0..<200 {
            stranger.run(milliseconds: 1)
            most = max(most, queued(town))
        }
        #expect(most > 500_000)
        #expect(most <= Limits.queueSoftBytes + Limits.wordMessageBytes)
        stranger.run(milliseconds: 1_000)
        let items = itemsCame(stranger)
        #expect(items.dropLast().allSatisfy { $0.end == .more && !$0.logs.isEmpty })
        #expect(items.last?.end == .last)
        #expect(Set(items.flatMap { $0.logs.map(\.log) }).count == items.reduce(0) { $0 + $1.logs.count })
        #expect(items.reduce(0) { $0 + $1.logs.count } == count)
        #expect(town.violations(0).isEmpty && stranger.isOpen)
    }

    @Test func `Items are told as the queue takes them`() throws {
        let count = 9_000
        let town = try settled(count, seed: 91)
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2, logs: UInt64(count)))
        stranger.send(.reconcile(Reconcile(stage: 1, round: 1, message: everything)))
        stranger.run(milliseconds: 500)
        let listed = ids(try #require(answers(stranger).last).message)
        #expect(listed.count > 4_000)
        // Each half and the rest of the answer: more than is queued at once, though less than 2 MiB each.
        let half = listed.count / 2
        stranger.send(
            .itemsWanted(ItemsQuestion(stage: 1, ids: Array(listed[..<half]))),
            .itemsWanted(ItemsQuestion(stage: 1, ids: Array(listed[half...])))
        )
        stranger.run(milliseconds: 2_000)
        let items = itemsCame(stranger)
        #expect(items.count { $0.end == .last } == 2)
        #expect(items.reduce(0) { $0 + $1.logs.count } == listed.count)
        #expect(stranger.isOpen && town.violations(0).isEmpty)
    }
}
