import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What peers say of the own log delays it for a while; what they prove ends its signing.
struct OwnLogProofTests {
    /// A home with four own entries, two of which left it.
    private func home(_ seed: UInt64) throws -> (Town, Author) {
        let town = try Town(nodes: 1, seed: seed)
        for post in 0..<4 { try town.write("post \(post)", on: 0) }
        var batch = TakeBatch()
        batch.published = 2
        _ = try town.stores[0].take(batch)
        try town.startAll()
        return (town, town.authors[0])
    }

    /// What another home with the same key holds: the same up to `common`, then something else up to `size`.
    private func twin(of town: Town, _ seed: UInt64, common: UInt64, size: UInt64) throws -> LightStore {
        var author = Author(seed: seed * 1_000, network: town.network)
        let store = LightStore()
        for post in 0..<size {
            let text = post < common ? "post \(post)" : "other \(post)"
            _ = try store.append(author.write(text, at: town.world.options.wallMilliseconds + 1))
        }
        return store
    }

    private func answer(_ log: LogID, _ store: LightStore, size: UInt64) throws -> Message {
        let nodes = try #require(try store.prefixNodes(of: log, end: size))
        let root = try #require(LogRange(bounds: 0..<size, nodes: nodes)?.root)
        return .ownLog(OwnLogAnswer(log: log, size: size, root: root))
    }

    private func honest(_ town: Town, _ log: LogID, seed: UInt64 = 78) -> Stranger {
        let honest = Stranger(town.world, seed: seed, candour: .silent)
        honest.greet()
        honest.send(.ownLog(OwnLogAnswer(log: log, size: 0, root: .zero)))
        honest.run(milliseconds: 500)
        return honest
    }

    // MARK: Words

    @Test(arguments: [1, 2, 3, 4, 5, 1 << 32 - 1] as [UInt64])
    func `What is only said stops nothing and holds for twenty seconds`(size: UInt64) throws {
        let (town, author) = try home(401)
        let liar = Stranger(town.world, candour: .silent)
        liar.greet()
        liar.send(.ownLog(OwnLogAnswer(log: author.log, size: size, root: Author.bytes(3, "no root"))))
        liar.run(milliseconds: 500)
        #expect(liar.wants.map(\.from) == [min(size - 1, 4)], "it is asked for what it says")
        let other = honest(town, author.log)
        #expect(other.changes.flatMap(\.logs).isEmpty)
        other.run(milliseconds: 17_000)
        #expect(other.changes.flatMap(\.logs).isEmpty)
        other.run(milliseconds: 3_000)
        #expect(other.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 4)])
        #expect(town.world.nodes[0].stoppedSigning.isEmpty)
        #expect(town.stores[0].signing == .allowed)
        #expect(town.world.nodes[0].machine?.isSigningStopped == false)
    }

    /// It was on its way when the proof was asked for.
    @Test func `A push that comes where the proof is awaited stops the node and blames nobody`() throws {
        let (town, author) = try home(414)
        let twin = try twin(of: town, 414, common: 4, size: 5)
        let peer = Stranger(town.world, candour: .silent)
        peer.greet(Stranger.hello(version: 2))
        peer.send(try answer(author.log, twin, size: 5))
        for _ in 0..<20 where peer.wants.isEmpty { peer.run(milliseconds: 50) }
        #expect(peer.wants.map(\.from) == [4])
        let want = RangeWant(log: author.log, from: 4, certificate: .known)
        guard case .chunk(let push)? = try twin.ranges([want], byteLimit: 1 << 20).first else {
            return #expect(Bool(false), "no chunk")
        }
        #expect(push.certificate == nil)
        peer.send(.chunks(Chunks(chunks: [push])))
        peer.run(milliseconds: 2_000)
        #expect(town.violations(0).isEmpty && peer.isOpen)
        #expect(town.world.nodes[0].stoppedSigning.count == 1)
        #expect(town.stores[0].signing == .stopped)
    }

    @Test func `What was about to leave when a claim came waits for it`() throws {
        let (town, author) = try home(413)
        let other = honest(town, author.log)
        #expect(other.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 4)])
        let liar = Stranger(town.world, candour: .silent)
        liar.greet()
        liar.send(.ownLog(OwnLogAnswer(log: author.log, size: 9, root: Author.bytes(3, "no root"))))
        liar.run(milliseconds: 200)
        // The store was given it before, and has noted that it leaves.
        let append = try town.stores[0].append("live", by: &town.authors[0], at: 5)
        town.world.give(0, .published(append))
        other.run(milliseconds: 10_000)
        #expect(other.chunks.isEmpty)
        #expect(other.changes.flatMap(\.logs).allSatisfy { $0.size == 4 })
        other.run(milliseconds: 12_000)
        let told = other.changes.flatMap(\.logs).map(\.size) + other.chunks.flatMap(\.chunks).map(\.size)
        #expect(told.max() == 5)
    }

    /// It may have a part of the log alone: what it lacks says nothing of what it claimed.
    @Test(arguments: [1, 2], [3, 9] as [UInt64])
    func `Who has nothing after all holds back only until another agrees`(version: UInt32, size: UInt64) throws {
        let (town, author) = try home(402)
        let liar = Stranger(town.world, candour: .silent)
        liar.greet(Stranger.hello(version: version))
        liar.serve(LightStore())
        liar.send(.ownLog(OwnLogAnswer(log: author.log, size: size, root: Author.bytes(3, "no root"))))
        liar.run(milliseconds: 1_000)
        #expect(liar.changes.flatMap(\.logs).isEmpty)
        #expect(town.stores[0].published == 2)
        let other = honest(town, author.log)
        #expect(other.changes.flatMap(\.logs) == [LogSize(log: author.log, size: 4)])
        #expect(town.stores[0].signing == .allowed)
        #expect(town.violations(0).isEmpty && liar.isOpen)
    }

    /// It fetched the newest entries first, and what this home lacks lies in its gap.
    @Test(arguments: [4, 2, 0] as [UInt64])
    func `Who lacks the entries proves by a head that there are more`(common: UInt64) throws {
        let (town, author) = try home(406)
        let twin = try twin(of: town, 406, common: common, size: 6)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet(Stranger.hello(version: 2))
        stranger.serve(twin)
        let serve = stranger.answer
        stranger.answer = { message in
            guard case .want(let wants) = message else { return serve(message) }
            return [.chunks(Chunks(chunks: [], lacking: wants.map(\.log)))]
        }
        stranger.send(try answer(author.log, twin, size: 6))
        stranger.run(milliseconds: 2_000)
        #expect(town.world.nodes[0].stoppedSigning.count == 1)
        #expect(town.stores[0].signing == .stopped)
        #expect(town.stores[0].published == 2)
        // What is proven to be there is fetched like any log, and nothing is open once it was asked for.
        #expect(stranger.wants.count == 2)
        #expect(stranger.keepAlives.contains { $0.activity == .quiet })
        let other = honest(town, author.log)
        #expect(other.changes.flatMap(\.logs).isEmpty)
        #expect(town.violations(0).isEmpty && stranger.isOpen)
    }

    @Test(arguments: [2, 3, 4] as [UInt64])
    func `Who shows what is here holds nothing back`(size: UInt64) throws {
        let (town, author) = try home(403)
        let liar = Stranger(town.world, candour: .silent)
        liar.greet()
        liar.serve(try twin(of: town, 403, common: 4, size: size))
        liar.send(.ownLog(OwnLogAnswer(log: author.log, size: 2, root: Author.bytes(3, "no root"))))
        liar.run(milliseconds: 1_000)
        #expect(town.stores[0].published == 4)
        #expect(town.world.nodes[0].stoppedSigning.isEmpty)
    }

    @Test func `A node is waited for once`() throws {
        let (town, author) = try home(404)
        let other = honest(town, author.log)
        #expect(town.stores[0].published == 4)
        let claim = Message.ownLog(OwnLogAnswer(log: author.log, size: 9, root: .zero))
        let first = Stranger(town.world, candour: .silent)
        first.greet()
        first.send(claim)
        first.run(milliseconds: 500)
        town.world.hangUp(first.session)
        first.run(milliseconds: 500)
        other.forget()
        try town.write("held back", on: 0)
        other.run(milliseconds: 10_000)
        #expect(town.stores[0].published == 4, "its going away proves nothing")
        let second = Stranger(town.world, candour: .silent)
        second.greet()
        second.send(claim)
        other.run(milliseconds: 9_500)
        #expect(town.stores[0].published == 5, "the twenty seconds are those of the first time")
        #expect(other.chunks.flatMap(\.chunks).count + other.changes.flatMap(\.logs).count == 1)
    }

    @Test func `A crowd of strangers holds back for minutes at most`() throws {
        let (town, author) = try home(405)
        let other = honest(town, author.log)
        try town.write("waits", on: 0)
        for seed in 500..<515 as Range<UInt64> {
            let liar = Stranger(town.world, seed: seed, candour: .silent)
            liar.greet()
            liar.send(.ownLog(OwnLogAnswer(log: author.log, size: 9, root: .zero)))
            liar.run(milliseconds: 100)
            try town.write("waits too", on: 0)
            liar.run(milliseconds: 18_000)
            other.run(milliseconds: 100)
        }
        #expect(town.stores[0].published == 20)
    }

    // MARK: Proofs

    @Test(arguments: [(0, 1), (0, 4), (1, 2), (1, 4), (2, 3), (3, 4), (2, 6), (0, 6)] as [(UInt64, UInt64)])
    func `A branch that is proven stops signing`(common: UInt64, size: UInt64) throws {
        let (town, author) = try home(410)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        let twin = try twin(of: town, 410, common: common, size: size)
        stranger.serve(twin)
        stranger.send(try answer(author.log, twin, size: size))
        stranger.run(milliseconds: 1_000)
        #expect(town.world.nodes[0].stoppedSigning.count == 1)
        #expect(town.stores[0].signing == .stopped)
        #expect(town.stores[0].isSetAside(author.log))
        #expect(town.reports(0).count { $0 == .ownLogSetAside(author.log) } == 1)
        #expect(town.stores[0].published == 2)
        #expect(town.violations(0).isEmpty)
        #expect(stranger.isOpen)
        let other = honest(town, author.log)
        #expect(other.changes.flatMap(\.logs).isEmpty, "it stays so, whatever others say")
        other.run(milliseconds: 2_000)
        #expect(other.keepAlives.contains { $0.activity == .quiet }, "nothing waits for it")
    }

    @Test func `It is stopped after a restart and claims mean nothing then`() throws {
        let (town, author) = try home(411)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        let twin = try twin(of: town, 411, common: 2, size: 3)
        stranger.serve(twin)
        stranger.send(try answer(author.log, twin, size: 3))
        stranger.run(milliseconds: 1_000)
        town.world.kill(0)
        try town.world.start(0)
        #expect(town.world.nodes[0].machine?.isSigningStopped == true)
        let again = Stranger(town.world, seed: 79, candour: .silent)
        again.greet()
        again.send(.ownLog(OwnLogAnswer(log: author.log, size: 900, root: .zero)))
        again.run(milliseconds: 2_000)
        #expect(again.wants.isEmpty)
        #expect(again.changes.flatMap(\.logs).isEmpty)
        #expect(again.keepAlives.contains { $0.activity == .quiet })
        #expect(again.isOpen)
    }

    @Test func `A peer that goes in the middle of its proof gives it the next time`() throws {
        let (town, author) = try home(412)
        let twin = try twin(of: town, 412, common: 2, size: 4)
        let first = Stranger(town.world, candour: .silent)
        first.greet()
        first.send(try answer(author.log, twin, size: 4))
        first.run(milliseconds: 300)
        #expect(!first.wants.isEmpty)
        town.world.hangUp(first.session)
        let other = honest(town, author.log)
        other.run(milliseconds: 5_000)
        #expect(other.changes.flatMap(\.logs).isEmpty, "it may come back")
        let second = Stranger(town.world, candour: .silent)
        second.greet()
        second.serve(twin)
        second.send(try answer(author.log, twin, size: 4))
        second.run(milliseconds: 1_000)
        #expect(town.stores[0].signing == .stopped)
        other.run(milliseconds: 60_000)
        #expect(other.changes.flatMap(\.logs).isEmpty)
        #expect(town.stores[0].published == 2)
    }

    @Test func `On a full disk it is stopped at once and durably later`() throws {
        let (town, author) = try home(413)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        town.stores[0].failingTakes = 3
        let twin = try twin(of: town, 413, common: 4, size: 6)
        stranger.serve(twin)
        stranger.send(try answer(author.log, twin, size: 6))
        stranger.run(milliseconds: 1_000)
        #expect(town.world.nodes[0].machine?.isSigningStopped == true)
        #expect(town.stores[0].signing == .allowed)
        #expect(town.stores[0].stored(author.log) == 4)
        stranger.run(milliseconds: 20_000)
        #expect(town.stores[0].signing == .stopped)
        #expect(town.stores[0].size(author.log) == 6)
        #expect(town.stores[0].published == 6, "others have it all")
    }

    @Test func `A stop that a restart lost is proven again`() throws {
        let (town, author) = try home(414)
        let twin = try twin(of: town, 414, common: 3, size: 4)
        for life in 0..<2 {
            let stranger = Stranger(town.world, seed: 80 + UInt64(life), candour: .silent)
            stranger.greet()
            town.stores[0].failingTakes = life == 0 ? 1_000 : 0
            stranger.serve(twin)
            stranger.send(try answer(author.log, twin, size: 4))
            stranger.run(milliseconds: 1_000)
            #expect(town.world.nodes[0].machine?.isSigningStopped == true)
            #expect(stranger.changes.flatMap(\.logs).isEmpty)
            guard life == 0 else { break }
            town.world.kill(0)
            try town.world.start(0)
        }
        #expect(town.stores[0].signing == .stopped)
        #expect(town.stores[0].published == 2)
    }

    @Test func `What was noted and did not leave stays here`() throws {
        let (town, author) = try home(415)
        let other = honest(town, author.log)
        #expect(town.stores[0].published == 4)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet()
        let twin = try twin(of: town, 415, common: 3, size: 4)
        stranger.serve(twin)
        other.forget()
        // The store notes that the fifth leaves, and its word is on its way while the proof comes.
        let late = try town.stores[0].append("late", by: &town.authors[0], at: 5)
        var batch = TakeBatch()
        batch.published = 5
        _ = try town.stores[0].take(batch)
        stranger.send(try answer(author.log, twin, size: 4))
        stranger.run(milliseconds: 1_000)
        town.world.give(0, .published(late))
        other.run(milliseconds: 1_000)
        #expect(other.chunks.flatMap(\.chunks).isEmpty)
        #expect(other.changes.flatMap(\.logs).isEmpty)
        #expect(town.stores[0].published == 4)
    }

    // MARK: What may not leave is not given out on request either

    @Test func `What is held back is not shown`() throws {
        let (town, author) = try home(420)
        let stranger = Stranger(town.world, candour: .silent)
        stranger.greet(Stranger.hello(ownLog: author.log))
        let places = (0..<4).map { BodyPlace(log: author.log, sequence: $0) }
        stranger.send(.bodiesWanted(places))
        for end in 1...4 as ClosedRange<UInt64> {
            stranger.send(.prefixWanted(PrefixQuestion(log: author.log, end: end)))
        }
        stranger.send(.want([RangeWant(log: author.log, from: 0, certificate: .send)]))
        stranger.run(milliseconds: 500)
        let shown = stranger.inbox.compactMap { if case .ownLog(let answer) = $0 { answer } else { nil } }
        let expected = try twin(of: town, 420, common: 2, size: 2)
        #expect(try shown.map(Message.ownLog) == [answer(author.log, expected, size: 2)])
        let bodies = stranger.inbox.flatMap { message -> [BodyAnswer] in
            if case .bodies(let answers) = message { answers } else { [] }
        }
        #expect(bodies.map { $0.payload != nil } == [true, true, false, false])
        let prefixes = stranger.inbox.compactMap { if case .prefix(let answer) = $0 { answer } else { nil } }
        #expect(prefixes.map { !$0.nodes.isEmpty } == [true, true, false, false])
        #expect(stranger.chunks.flatMap(\.chunks).isEmpty)
        #expect(stranger.chunks.flatMap(\.lacking) == [author.log])
    }
}
