import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// The newest entries first, and history when there is nothing newer to ask for (`protocol/sync.md` §5).
struct WindowWorldTests {
    private let count: UInt64 = 6_000

    /// So many posts of the first node's author in its store.
    private func write(_ town: Town, _ count: UInt64? = nil) throws -> LogID {
        let payloads = (0..<(count ?? self.count)).map { Array("entry \($0) with some text behind it".utf8) }
        let chunk = town.authors[0].write(payloads, at: 1_700_000_000_000)
        _ = try town.stores[0].append(chunk)
        return chunk.log
    }

    /// Nodes of which the first withholds history, with stores that say so.
    private func world(
        _ town: Town,
        withholders: Set<Int>,
        links: [(Int, Int)],
        plain: Set<Int> = []
    ) throws -> [WithholdingStore] {
        let stores = town.stores.map(WithholdingStore.init)
        for node in stores.indices {
            stores[node].isOpen = !withholders.contains(node)
            let peers = links.filter { $0.0 == node }.map { World.target($0.1) }
            let features: Set<UInt32>? = plain.contains(node) ? [] : nil
            _ = town.world.add(stores[node], peers: peers, exchange: .off, features: features)
        }
        for node in stores.indices { try town.world.start(node) }
        return stores
    }

    @Test func `The newest entries are readable before history has come`() throws {
        let town = try Town(nodes: 2, seed: 801)
        let log = try write(town)
        town.link(1, 0)
        try town.startAll()
        let store = town.stores[1]
        #expect(town.world.run(until: { store.size(log) == count }, withinMilliseconds: 60_000))
        #expect(store.payload(BodyPlace(log: log, sequence: count - 1)) != nil)
        #expect(store.gaps == [GapPlace(log: log, bounds: 0..<count - Limits.windowEntries)])
        #expect(store.entryCount == Int(Limits.windowEntries))
        #expect(town.world.run(until: { store.gaps.isEmpty }, withinMilliseconds: 60_000))
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.stores[0].contents == store.contents && store.entryCount == Int(count))
        #expect(town.status(1)?.gaps == 0)
        // Each entry once.
        #expect(town.world.nodes[1].verifiedEntries == count)
    }

    @Test func `Many writers are readable before the history of any`() throws {
        let town = try Town(nodes: 2, seed: 802)
        var logs: [LogID] = []
        for number in 0..<UInt64(6) {
            var author = Author(seed: 90_000 + number, network: town.network)
            let payloads = (0..<3_000).map { Array("entry \($0) of \(number)".utf8) }
            let chunk = author.write(payloads, at: 1_700_000_000_000)
            var batch = TakeBatch()
            batch.chunks = [.init(chunk: chunk, source: NodeID(raw: Author.bytes(1, "nobody")))]
            _ = try town.stores[0].take(batch)
            logs.append(chunk.log)
        }
        town.link(1, 0)
        try town.startAll()
        let store = town.stores[1]
        let isReadable = { logs.allSatisfy { store.size($0) == 3_000 } }
        #expect(town.world.run(until: isReadable, withinMilliseconds: 60_000))
        #expect(store.entryCount == 6 * Int(Limits.windowEntries))
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.world.run(until: { store.gaps.isEmpty }, withinMilliseconds: 60_000))
        #expect(store.entryCount == 18_000)
    }

    @Test func `Who withholds history stalls nothing and is not asked alone`() throws {
        let town = try Town(nodes: 3, seed: 803)
        let log = try write(town)
        // Node 1 has it all and withholds; node 2 hears of it there alone.
        let stores = try world(town, withholders: [1], links: [(1, 0), (2, 1)])
        let reader = town.stores[2]
        #expect(town.world.run(until: { town.stores[1].entryCount == Int(count) }, withinMilliseconds: 60_000))
        #expect(town.world.run(until: { reader.size(log) == count }, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 5_000)
        #expect(reader.gaps.count == 1 && town.status(2)?.gaps == 1)
        // All are quiet and equal: their counted entries are the same.
        #expect(town.isCalm())
        try town.write("what is new comes all the same", on: 0)
        town.world.run(milliseconds: 1_000)
        #expect(reader.size(log) == count + 1)
        // Asked again later and later: after 60 s, 120 s, 240 s, each up to 7.5 s more.
        let before = stores[1].refusals
        #expect(before == 1)
        town.world.run(milliseconds: 443_000)
        #expect(stores[1].refusals == before + 3)
        // An honest peer beside: it is asked as soon as it is there.
        town.world.connect(2, 0)
        #expect(town.world.run(until: { reader.gaps.isEmpty }, withinMilliseconds: 20_000))
        #expect(reader.contents == town.stores[0].contents)
        #expect(town.violations(2).isEmpty)
    }

    @Test func `Whose scope leaves a log out is not asked for its history`() throws {
        let town = try Town(nodes: 3, seed: 812)
        let log = try write(town)
        let stores = town.stores.map(WithholdingStore.init)
        stores[0].isOpen = false
        // Node 2 carries its own person alone, and counts the questions for history.
        for node in 0..<3 {
            let peers = [1: [World.target(0), World.target(2)]][node] ?? []
            _ = town.world.add(stores[node], peers: peers, exchange: .off, identity: town.person(node))
        }
        town.world.carry(town.people(2), on: 2)
        try town.write("somebody else's", on: 2)
        for node in 0..<3 { try town.world.start(node) }
        #expect(town.world.run(until: { town.stores[1].gaps.count == 1 }, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 400_000)
        // At once and after 60, 180 and 420 s less what the start took.
        #expect(stores[0].refusals >= 3)
        #expect(stores[2].refusals == 0)
        #expect(town.stores[1].gaps.map(\.log) == [log])
        stores[0].isOpen = true
        #expect(town.world.run(until: { town.stores[1].gaps.isEmpty }, withinMilliseconds: 600_000))
    }

    @Test func `Whose only neighbour had the same gap asks it again`() throws {
        let town = try Town(nodes: 3, seed: 813)
        _ = try write(town)
        let stores = try world(town, withholders: [0], links: [(1, 0), (2, 1)])
        let haveGaps = { town.stores[1].gaps.count == 1 && town.stores[2].gaps.count == 1 }
        #expect(town.world.run(until: haveGaps, withinMilliseconds: 60_000))
        // For an hour nobody gives it: both ask more and more rarely.
        town.world.run(milliseconds: 3_600_000)
        #expect(haveGaps())
        let opened = town.world.now
        stores[0].isOpen = true
        let day: UInt64 = 86_400_000
        #expect(town.world.run(until: { town.stores[1].gaps.isEmpty }, withinMilliseconds: day))
        let middle = town.world.now
        #expect(town.world.run(until: { town.stores[2].gaps.isEmpty }, withinMilliseconds: day))
        // Each asks again within as long as it had been waiting, and the next KeepAlive or two.
        #expect(middle - opened <= opened + 120_000 && town.world.now - middle <= middle + 120_000)
        #expect(town.stores[2].contents == town.stores[0].contents)
        #expect((0..<3).allSatisfy { town.violations($0).isEmpty })
    }

    /// What nobody is left to tell keeps two nodes apart; they do not say so without end, and the one with the gap
    /// gives way to who shows what goes on from before it.
    @Test(arguments: [(1, 2), (2, 1)], [Reach.plain, .windows])
    func `A gap that nobody fills is given up for whoever goes on from before it`(link: (Int, Int), kind: Reach) throws
    {
        let reach = kind.rawValue
        let town = try Town(nodes: 4, seed: 816)
        let payloads = (0..<1_500).map { Array("entry \($0) with some text behind it".utf8) }
        let first = town.authors[0].write(payloads, at: 1_700_000_000_000)
        let log = first.log
        let second = town.authors[0].write(payloads, at: 1_700_000_000_000)
        _ = try town.stores[0].append(first)
        _ = try town.stores[0].append(second)
        try town.plant([first], on: 1)
        let third = town.authors[0].write(payloads.dropLast(500), at: 1_700_000_000_000)
        _ = try town.stores[0].append(third)
        try town.plant(kind == .windows ? [first, second] : [first, second, third], on: 2)
        _ = try write(town, 2_000)
        // Whoever knows no windows is asked for no gap: node 3, which has the same one, is.
        let plain: Set<Int> = kind == .windows ? [] : [2]
        let stores = try world(town, withholders: [0, 1], links: [(1, 0), link, (3, 1)], plain: plain)
        stores[1].isOpen = true
        town.world.cut(1, 2)
        #expect(town.world.run(until: { town.stores[1].size(log) == 6_000 }, withinMilliseconds: 60_000))
        town.world.kill(0)
        town.world.heal(1, 2)
        #expect(town.world.run(until: { town.status(2)?.sessions.isEmpty == false }, withinMilliseconds: 600_000))
        // For a while the history may come yet.
        town.world.run(milliseconds: 900_000)
        #expect(town.stores[1].gaps.count == 1 && town.stores[1].size(log) == 6_000)
        #expect(town.world.run(until: { town.stores[1].size(log) == reach }, withinMilliseconds: 2_700_000))
        #expect(town.stores[1].contents == town.stores[2].contents && town.stores[1].gaps.isEmpty)
        // The cursor of node 0 has passed what was dropped: it is noted.
        #expect(town.stores[1].wantedLogs == [LogSize(log: log, size: 6_000)])
        let wants = (1...2).map { node in
            town.world.nodes[node].machine?.spoken.byType.first { $0.type == MessageType.want.rawValue }?.count ?? 0
        }
        #expect(wants.allSatisfy { $0 <= 40 }, "\(wants)")
    }

    /// Of a node that knows windows or does not, and how much it has.
    enum Reach: UInt64 {
        case plain = 4_000
        case windows = 3_000
    }

    @Test func `Whoever has nothing of the log lets nobody give up what is behind its gap`() throws {
        let town = try Town(nodes: 2, seed: 817)
        let log = try write(town)
        _ = try world(town, withholders: [0], links: [(1, 0)])
        #expect(town.world.run(until: { town.stores[1].size(log) == count }, withinMilliseconds: 60_000))
        // Five rounds in vain, and some more.
        town.world.run(milliseconds: 3_600_000)
        for (seed, features) in [(77, [Hello.windows]), (78, [])] as [(UInt64, Set<UInt32>)] {
            let stranger = Stranger(town.world, to: 1, seed: seed)
            stranger.greet(Stranger.hello(version: 2, features: features))
            stranger.send(.want([RangeWant(log: log, from: 0, certificate: .send)]))
            stranger.run(milliseconds: 5_000)
            #expect(stranger.chunks.flatMap(\.lacking) == [log])
            #expect(town.stores[1].size(log) == count && town.stores[1].gaps.count == 1)
        }
    }

    /// Whoever was to bring the rest is gone, and whoever else has the log left out what would be the next.
    @Test(
        arguments: [false, true],
        [(0, [.newest(2_000)]), (200, [.newest(2_000)]), (200, [.all]), (200, [.all, .newest(1_500)])]
            as [(Int, [RangeWant.Extent])]
    )
    func `What has only begun keeps nobody from the log`(isSettled: Bool, begun: (held: Int, then: [RangeWant.Extent]))
        throws
    {
        let town = try Town(nodes: 3, seed: 818)
        var writer = ForkedWriter(seed: 9_818_001, network: town.network)
        writer.branch(3_000)
        let (log, held) = (writer.log, UInt64(begun.held))
        _ = try town.stores[0].take(writer.batch(0))
        if held > 0 { for node in 1...2 { _ = try town.stores[node].take(writer.batch(0, begun.held)) } }
        for extent in begun.then { try fetch(log, extent, byteLimit: 20_000, on: 1, of: town) }
        try fetch(log, .newest(100), byteLimit: 1 << 20, on: 2, of: town)
        #expect(town.stores[1].size(log) == held && (held + 1..<2_900).contains(town.stores[1].stored(log)))
        for store in town.stores { _ = town.world.add(WithholdingStore(store), exchange: .off) }
        for node in 1...2 { try town.world.start(node) }
        if isSettled { for node in 1...2 { try town.take(writer.settling(0, 3_000), on: node) } }
        town.world.connect(1, 2)
        let isOne = { town.world.nodes[1].fingerprint == town.world.nodes[2].fingerprint }
        #expect(town.world.run(until: isOne, withinMilliseconds: 60_000))
        let gap = GapPlace(log: log, bounds: held..<2_900)
        #expect(town.stores.dropFirst().allSatisfy { $0.size(log) == 3_000 && $0.gaps == [gap] })
        #expect((1...2).allSatisfy { town.violations($0).isEmpty })
    }

    /// The first chunk of an answer of the first node's store.
    private func fetch(_ log: LogID, _ extent: RangeWant.Extent, byteLimit: Int, on node: Int, of town: Town) throws {
        let store = town.stores[node]
        let want = RangeWant(log: log, from: store.stored(log), certificate: .send, extent: extent)
        guard case .chunk(var chunk)? = try town.stores[0].ranges([want], byteLimit: byteLimit).first else {
            Issue.record("no chunk")
            return
        }
        if !chunk.left.isEmpty { chunk.askedFrom = want.from }
        let known = try store.prefixes(of: [log])[log] ?? .none
        let outcome = ChunkVerifier(network: town.network).verify(chunk, over: known)
        guard case .verified(let verified) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        try town.plant([verified], on: node)
    }

    @Test func `Who answers nothing is left and another asked`() throws {
        let town = try Town(nodes: 2, seed: 804)
        let log = try write(town)
        try town.startAll()
        let stranger = Stranger(town.world, to: 1)
        stranger.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        stranger.serve(town.stores[0])
        let serve = stranger.answer
        stranger.answer = { message in
            if case .want(let wants) = message, wants.contains(where: { $0.extent != .newest(Limits.windowEntries) }) {
                return []
            }
            return serve(message)
        }
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: count)], number: 1)))
        stranger.run(milliseconds: 1_000)
        #expect(town.stores[1].size(log) == count && town.stores[1].gaps.count == 1)
        #expect(stranger.wants.last?.extent == .until(count - Limits.windowEntries))
        stranger.run(milliseconds: 21_000)
        #expect(!stranger.isOpen && town.violations(1).isEmpty)
        town.world.connect(1, 0)
        // The writer gives nothing of its log before the first peer has shown its own of it: asked too early, it lacks
        // it.
        #expect(town.world.run(until: { town.stores[1].gaps.isEmpty }, withinMilliseconds: 90_000))
        #expect(town.stores[1].contents == town.stores[0].contents)
    }

    @Test func `What is not the history that is missing is not taken`() throws {
        let town = try Town(nodes: 2, seed: 805)
        let log = try write(town)
        // The same author's other history, of the same length.
        var other = Author(seed: 805_000, network: town.network)
        let forged = LightStore()
        _ = try forged.append(other.write((0..<count).map { Array("another \($0)".utf8) }, at: 1))
        try town.startAll()
        let stranger = Stranger(town.world, to: 1)
        stranger.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        stranger.serve(town.stores[0])
        let serve = stranger.answer
        let end = count - Limits.windowEntries
        stranger.answer = { message in
            guard case .want(let wants) = message, wants.first?.extent == .until(end) else { return serve(message) }
            guard case .chunk(let chunk)? = try? forged.ranges(wants, byteLimit: 10_000).first else { return [] }
            return [.chunks(Chunks(chunks: [chunk]))]
        }
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: count)], number: 1)))
        stranger.run(milliseconds: 2_000)
        #expect(town.stores[1].gaps == [GapPlace(log: log, bounds: 0..<end)])
        #expect(town.violations(1).isEmpty && stranger.isOpen)
        #expect(stranger.wants.count { $0.extent == .until(end) } == 1)
        town.world.connect(1, 0)
        // The writer gives nothing of its log before the first peer has shown its own of it: asked too early, it lacks
        // it.
        #expect(town.world.run(until: { town.stores[1].gaps.isEmpty }, withinMilliseconds: 90_000))
        #expect(town.stores[1].contents == town.stores[0].contents)
    }

    @Test func `A gap survives a restart and is filled then`() throws {
        let town = try Town(nodes: 2, seed: 806) { $0.workMilliseconds = 20...20 }
        let log = try write(town, 30_000)
        town.link(1, 0)
        try town.startAll()
        let store = town.stores[1]
        let isHalf = { store.gaps.first.map { $0.bounds.lowerBound > 5_000 } ?? false }
        #expect(town.world.run(until: isHalf, withinMilliseconds: 60_000))
        town.world.kill(1)
        let gap = try #require(store.gaps.first)
        #expect(gap.bounds.upperBound == 30_000 - Limits.windowEntries)
        try town.world.start(1)
        #expect(town.status(1)?.gaps == 1)
        #expect(town.world.run(until: { store.gaps.isEmpty }, withinMilliseconds: 60_000))
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(store.size(log) == 30_000 && store.contents == town.stores[0].contents)
    }

    @Test func `A restart in the middle of a window goes on`() throws {
        let town = try Town(nodes: 2, seed: 807) { $0.workMilliseconds = 20...20 }
        let payloads = (0..<2_000).map { Array("entry \($0) ".utf8) + [UInt8](repeating: 97, count: 2_000) }
        let chunk = town.authors[0].write(payloads, at: 1_700_000_000_000)
        _ = try town.stores[0].append(chunk)
        town.link(1, 0)
        try town.startAll()
        let store = town.stores[1]
        let isUnderWay = { store.stored(chunk.log) > 0 && store.size(chunk.log) == 0 }
        #expect(town.world.run(until: isUnderWay, withinMilliseconds: 60_000))
        #expect(store.gaps.count == 1)
        town.world.kill(1)
        try town.world.start(1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 60_000))
        #expect(town.world.run(until: { store.gaps.isEmpty }, withinMilliseconds: 60_000))
        #expect(store.contents == town.stores[0].contents)
    }

    @Test func `Who does not know windows sees nothing of them`() throws {
        let town = try Town(nodes: 1, seed: 808)
        let log = try write(town)
        try town.startAll()
        for features in [[], [7], [Hello.windows]] as [Set<UInt32>] {
            let stranger = Stranger(town.world, seed: UInt64(900 + (features.first ?? 0)))
            stranger.greet(Stranger.hello(version: 2, features: features))
            let mine = Author(seed: 44 + UInt64(features.first ?? 0), network: town.network)
            stranger.send(
                .changes(Changes(logs: [LogSize(log: mine.log, size: 9)], number: 1)),
                .want([RangeWant(log: log, from: 0, certificate: .send, extent: .newest(10))]),
                .want([RangeWant(log: log, from: 3, certificate: .known, extent: .until(5))])
            )
            stranger.run(milliseconds: 500)
            let isKnown = features.contains(Hello.windows)
            #expect(stranger.wants.map(\.extent) == [isKnown ? .newest(Limits.windowEntries) : .all])
            let chunks = stranger.chunks.flatMap(\.chunks)
            #expect(chunks.first?.start == (isKnown ? count - 10 : 0))
            #expect(chunks.contains { !$0.left.isEmpty } == isKnown)
            #expect(chunks.contains { $0.proof == .known } == isKnown)
        }
    }

    @Test func `A node that does not name windows asks for none and gives none`() throws {
        let town = try Town(nodes: 1, seed: 812)
        let log = try write(town)
        try town.startAll(plain: [0])
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        let other = Author(seed: 44, network: town.network)
        stranger.send(
            .changes(Changes(logs: [LogSize(log: other.log, size: 9)], number: 1)),
            .want([RangeWant(log: log, from: 0, certificate: .send, extent: .newest(10))])
        )
        stranger.run(milliseconds: 500)
        #expect(stranger.wants.map(\.extent) == [.all])
        #expect(stranger.chunks.flatMap(\.chunks).first?.start == 0)
    }

    @Test func `A node without the feature gets all from both kinds`() throws {
        let town = try Town(nodes: 4, seed: 809)
        let log = try write(town)
        town.link(1, 0)
        town.link(2, 1)
        town.link(3, 0)
        try town.startAll(old: [3], plain: [2])
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 600_000))
        for node in 1..<4 {
            #expect(town.stores[node].entryCount == Int(count) && town.stores[node].size(log) == count)
        }
        #expect((0..<4).allSatisfy { town.violations($0).isEmpty })
    }

    @Test func `A window that nobody asked for is not looked at`() throws {
        let town = try Town(nodes: 2, seed: 810)
        let log = try write(town)
        try town.startAll()
        let want = RangeWant(log: log, from: 0, certificate: .send, extent: .newest(10))
        guard case .chunk(let chunk)? = try town.stores[0].ranges([want], byteLimit: 1 << 20).first else { return }
        let stranger = Stranger(town.world, to: 1)
        stranger.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        stranger.send(.chunks(Chunks(chunks: [chunk])))
        stranger.run(milliseconds: 500)
        #expect(town.stores[1].stored(log) == 0 && town.world.nodes[1].verifiedEntries == 0)
        #expect(stranger.isOpen && town.violations(1).isEmpty && stranger.wants.isEmpty)
    }

    @Test func `A window comes from whom it was asked of`() throws {
        let town = try Town(nodes: 2, seed: 813)
        let log = try write(town)
        try town.startAll()
        let want = RangeWant(log: log, from: 0, certificate: .send, extent: .newest(10))
        guard case .chunk(let chunk)? = try town.stores[0].ranges([want], byteLimit: 1 << 20).first else { return }
        let asked = Stranger(town.world, to: 1)
        asked.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        asked.send(.changes(Changes(logs: [LogSize(log: log, size: count)], number: 1)))
        asked.run(milliseconds: 200)
        #expect(asked.wants.map(\.extent) == [.newest(Limits.windowEntries)])
        let other = Stranger(town.world, to: 1, seed: 78)
        other.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        other.send(.chunks(Chunks(chunks: [chunk])))
        other.run(milliseconds: 500)
        #expect(town.stores[1].stored(log) == 0 && other.isOpen)
        asked.send(.chunks(Chunks(chunks: [chunk])))
        asked.run(milliseconds: 500)
        #expect(town.stores[1].size(log) == count && town.violations(1).isEmpty)
    }

    /// One peer has an older head, truly signed, and the other a newer one; nobody gives the history before either, so
    /// that the gap grows forlorn.
    @Test(arguments: [false, true]) func `An older head takes nothing from a newer window`(isOlderFirst: Bool) throws {
        let town = try Town(nodes: 1, seed: 819)
        var author = Author(seed: 819_001, network: town.network)
        let (older, newer) = (LightStore(), LightStore())
        for (number, stores) in [[older, newer], [newer]].enumerated() {
            let chunk = author.write((0..<1_500).map { Array("entry \($0) of \(number)".utf8) }, at: 1)
            for store in stores {
                var batch = TakeBatch()
                batch.chunks = [.init(chunk: chunk, source: NodeID(raw: .zero))]
                _ = try store.take(batch)
            }
        }
        let log = author.log
        try town.startAll()
        let stores = isOlderFirst ? [older, newer] : [newer, older]
        let peers = stores.enumerated().map { number, store in
            let peer = Stranger(town.world, seed: 70 + UInt64(number), host: "peer \(number)")
            peer.serve(store)
            let serve = peer.answer
            peer.answer = { message in
                guard case .want(let wants) = message else { return serve(message) }
                // Everything that leaves a gap, and nothing that closes one.
                return wants.flatMap { want -> [Message] in
                    if case .until = want.extent { return [.chunks(Chunks(chunks: [], lackingBefore: [log]))] }
                    guard want.from > 0 || want.extent != .all else { return [.chunks(Chunks(lacking: [log]))] }
                    return serve(.want([want]))
                }
            }
            peer.greet(Stranger.hello(version: 2, features: [Hello.windows]))
            peer.send(.changes(Changes(logs: [LogSize(log: log, size: store.size(log))], number: 1)))
            peer.run(milliseconds: 1_000)
            return peer
        }
        #expect(town.stores[0].size(log) == 3_000)
        let gap = town.stores[0].gaps
        #expect(gap == [GapPlace(log: log, bounds: 0..<(isOlderFirst ? 1_500 : 3_000) - Limits.windowEntries)])
        let first = RangeWant(log: log, from: 0, certificate: .send, extent: .newest(100))
        guard case .chunk(let window)? = try older.ranges([first], byteLimit: 1 << 20).first else {
            Issue.record("no chunk")
            return
        }
        let liar = peers[isOlderFirst ? 0 : 1]
        for _ in 0..<60 {
            // As an offer, pushed, and asked from within the gap, every half minute for half an hour.
            liar.send(
                .changes(Changes(logs: [LogSize(log: log, size: 1_500)], number: 1)),
                .chunks(Chunks(chunks: [window])),
                .want([RangeWant(log: log, from: 400, certificate: .known)])
            )
            for peer in peers {
                peer.send(.credit(1))
                peer.run(milliseconds: 15_000)
            }
            guard town.stores[0].size(log) == 3_000 else { break }
        }
        #expect(town.stores[0].size(log) == 3_000 && town.stores[0].gaps == gap)
        #expect(peers.allSatisfy(\.isOpen) && town.violations(0).isEmpty)
        // Rounds of the gap, and now and then the beginning, which the liar does not show.
        #expect(peers.allSatisfy { $0.wants.count <= 24 }, "\(peers.map(\.wants.count)), seed 819")
    }

    /// Where the other history is shorter it is that one's holder who sees the difference, and who has the gap knows
    /// too little to answer: it has to look itself.
    @Test(arguments: [3_000, 2_900, 3_100])
    func `A fork below a window is found`(length: Int) throws {
        let town = try Town(nodes: 3, seed: 811)
        let nobody = NodeID(raw: Author.bytes(1, "nobody"))
        let start = Author(seed: 811_811, network: town.network)
        // Two histories that part at entry 500.
        for (node, name, length) in [(0, "left", 3_000), (1, "right", length)] {
            var author = start
            var batch = TakeBatch()
            for lot in [0..<500, 500..<length] {
                let word = lot.lowerBound == 0 ? "common" : name
                let chunk = author.write(lot.map { Array("\(word) \($0)".utf8) }, at: 1_700_000_000_000)
                batch.chunks.append(.init(chunk: chunk, source: nobody))
            }
            _ = try town.stores[node].take(batch)
        }
        // The reader has a window of the one and nothing before it when it meets the other.
        _ = try world(town, withholders: [0], links: [(2, 0)])
        #expect(town.world.run(until: { town.stores[2].gaps.count == 1 }, withinMilliseconds: 20_000))
        town.world.run(milliseconds: 2_000)
        town.world.connect(2, 1)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 600_000))
        #expect(town.stores.map { $0.size(start.log) } == [500, 500, 500])
        #expect(town.stores.allSatisfy { $0.gaps.isEmpty })
        #expect((0..<3).allSatisfy { town.violations($0).isEmpty })
    }
}
