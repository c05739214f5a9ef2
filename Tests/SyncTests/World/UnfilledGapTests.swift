import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes that hold the ends of histories of which nobody is left who has the beginning (`protocol/sync.md` §5, §9).
struct UnfilledGapTests {
    private let nobody = NodeID(raw: Author.bytes(1, "nobody"))
    private let size: UInt64 = 3_000
    private var gap: Range<UInt64> { 0..<size - Limits.windowEntries }

    /// Nodes of a town of which those from `holders` on give no history away, each with a window of what its holder
    /// has.
    ///
    /// When it returns the holders are gone, and each of the others knows nobody.
    private func windows(_ town: Town, of holders: [Int]) throws {
        let count = town.stores.count - holders.count
        for store in town.stores { _ = town.world.add(WithholdingStore(store), exchange: .off) }
        for node in town.stores.indices { try town.world.start(node) }
        for (node, holder) in holders.enumerated() { town.world.connect(count + node, holder) }
        let reached = { (count..<town.stores.count).allSatisfy { town.stores[$0].gaps.count == 1 } }
        #expect(town.world.run(until: reached, withinMilliseconds: 60_000))
        town.world.run(milliseconds: 2_000)
        for node in 0..<count { town.world.kill(node) }
    }

    private func connectInLine(_ town: Town, _ nodes: Range<Int>) {
        for node in nodes.dropLast() { town.world.connect(node, node + 1) }
    }

    /// Histories that part at entry 500, or begin one with the other, one in each of the first stores.
    private func fork(_ town: Town, seed: UInt64, _ histories: [(name: String, size: UInt64)]) throws -> LogID {
        let start = Author(seed: seed, network: town.network)
        for (node, history) in histories.enumerated() {
            var author = start
            var batch = TakeBatch()
            for lot in [0..<500, 500..<Int(size), Int(size)..<Int(history.size)] where !lot.isEmpty {
                let word = lot.lowerBound == 0 ? "common" : history.name
                let chunk = author.write(lot.map { Array("\(word) \($0)".utf8) }, at: 1_700_000_000_000)
                batch.chunks.append(.init(chunk: chunk, source: nobody))
            }
            _ = try town.stores[node].take(batch)
        }
        return start.log
    }

    private func wants(_ town: Town, _ node: Int) -> UInt64 {
        town.world.nodes[node].machine?.spoken.byType.first { $0.type == MessageType.want.rawValue }?.count ?? 0
    }

    /// Neither side can show where the two part: one of the two histories gives way everywhere, whoever has it.
    @Test(
        arguments: [[0, 1], [1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 0, 0, 1, 1, 1]],
        [1, 2, 3] as [UInt64]
    )
    func `Of two histories that nobody has from the beginning one gives way`(holders: [Int], seed: UInt64) throws {
        let town = try Town(nodes: 2 + holders.count, seed: 830 + seed)
        let log = try fork(town, seed: 830_000 + seed, [("left", size), ("right", size + 10)])
        try windows(town, of: holders)
        let readers = 2..<town.stores.count
        #expect(Set(readers.map { town.world.nodes[$0].fingerprint }).count == 2)
        connectInLine(town, readers)
        let isOne = { Set(readers.map { town.world.nodes[$0].fingerprint }).count == 1 }
        let isHeld = { readers.allSatisfy { town.stores[$0].size(log) >= size } }
        #expect(town.world.run(until: { isOne() && isHeld() }, withinMilliseconds: 120_000))
        #expect(readers.allSatisfy { town.stores[$0].gaps.count == 1 })
        #expect(readers.allSatisfy { town.violations($0).isEmpty })
        // Each has changed over once at most.
        #expect(readers.allSatisfy { wants(town, $0) <= 10 }, "\(readers.map { wants(town, $0) })")
    }

    /// Somebody else offers more of what gave way: that would give way again, and again.
    @Test(arguments: [true, false]) func `Who gave way asks whom it gave way to first`(isSupplied: Bool) throws {
        let isLost = try [("left", "right"), ("right", "left")].map { theirs, ours in
            let town = try Town(nodes: 5, seed: 850)
            let histories = [(theirs, size), (ours, size), (ours, size + 10)]
            let log = try fork(town, seed: 850_000, histories)
            try windows(town, of: [0, 1])
            let other = stranger(town, seed: 78)
            other.send(.changes(Changes(logs: [LogSize(log: log, size: size + 10)], number: 1)))
            other.run(milliseconds: 200)
            #expect(other.wants.map(\.from) == [0, size], "the gap, and what follows")
            let peer = stranger(town, seed: 77)
            peer.serve(town.stores[3])
            let serve = peer.answer
            var asked: [UInt64] = []
            peer.answer = { message in
                guard case .want(let wants) = message else { return serve(message) }
                asked += wants.filter { $0.extent == .newest(Limits.windowEntries) }.map(\.from)
                return []
            }
            let root = try #require(
                try town.stores[3].prefixNodes(of: log, end: size).flatMap {
                    LogRange(bounds: 0..<size, nodes: $0)?.root
                }
            )
            let item = LogSize(log: log, size: size)
            peer.send(
                .changes(Changes(logs: [item], number: 1, held: [HeldLog(item: item, root: root, words: nil)]))
            )
            peer.run(milliseconds: 500)
            guard town.stores[4].size(log) == 0 else {
                #expect(asked.isEmpty && town.stores[4].gaps.count == 1)
                return false
            }
            // What it was asked for comes late, and does not fit any more: it is not asked anew.
            let want = RangeWant(log: log, from: size, certificate: .known)
            guard case .chunk(let chunk)? = try town.stores[2].ranges([want], byteLimit: 1 << 20).first else {
                Issue.record("no chunk")
                return true
            }
            other.forget()
            other.send(.chunks(Chunks(chunks: [chunk])))
            other.run(milliseconds: 5_000)
            peer.run(milliseconds: 5)
            #expect(asked == [0] && other.wants.filter { $0.from == 0 && $0.extent != .until(size) }.isEmpty)
            // Unless the first has nothing.
            peer.answer = serve
            if isSupplied {
                let want = RangeWant(log: log, from: 0, certificate: .known, extent: .newest(Limits.windowEntries))
                serve(.want([want])).forEach { peer.send($0) }
            } else {
                peer.send(.chunks(Chunks(chunks: [], lacking: [log])))
            }
            peer.run(milliseconds: 500)
            other.run(milliseconds: 5)
            #expect(town.stores[4].size(log) == (isSupplied ? size : 0))
            #expect(other.wants.contains { $0.from == 0 && $0.extent == .newest(Limits.windowEntries) } != isSupplied)
            #expect(town.violations(4).isEmpty)
            return true
        }
        #expect(isLost.count { $0 } == 1)
    }

    private func stranger(_ town: Town, seed: UInt64) -> Stranger {
        let stranger = Stranger(town.world, to: town.stores.count - 1, seed: seed)
        stranger.greet(Stranger.hello(version: 2, features: [Hello.windows]))
        return stranger
    }

    /// Neither has what follows the other's, nor the beginning: the newer is taken, once it is shown.
    @Test func `Of two ends of a history the newer is kept`() throws {
        let town = try Town(nodes: 3, seed: 840)
        let stores = town.stores.map(WithholdingStore.init)
        for store in stores { _ = town.world.add(store, exchange: .off) }
        for node in 0..<3 { try town.world.start(node) }
        let posts = (0..<Int(size)).map { Array("entry \($0)".utf8) }
        let log = town.authors[0].log
        try town.world.give(0, .settled(town.stores[0].take(batch(town.authors[0].write(posts, at: 1)))))
        town.world.connect(1, 0)
        #expect(town.world.run(until: { town.stores[1].size(log) == size }, withinMilliseconds: 60_000))
        town.world.cut(0, 1)
        try town.world.give(0, .settled(town.stores[0].take(batch(town.authors[0].write(posts + posts, at: 2)))))
        town.world.connect(2, 0)
        #expect(town.world.run(until: { town.stores[2].size(log) == 3 * size }, withinMilliseconds: 60_000))
        town.world.kill(0)
        town.world.connect(1, 2)
        town.world.run(milliseconds: 600_000)
        #expect(town.stores[2].size(log) == 3 * size)
        let isOne = { town.world.nodes[1].fingerprint == town.world.nodes[2].fingerprint }
        #expect(town.world.run(until: isOne, withinMilliseconds: 4 * 3_600_000))
        let left = GapPlace(log: log, bounds: 0..<3 * size - Limits.windowEntries)
        #expect((1...2).allSatisfy { town.stores[$0].size(log) == 3 * size && town.stores[$0].gaps == [left] })
        #expect((1...2).allSatisfy { town.violations($0).isEmpty })
    }

    /// Who has more of the beginning, but ends first, and who ends last have a gap each: the beginning is worth more,
    /// and the end that it came with.
    @Test(arguments: [(500, [1, 2]), (500, [2, 1]), (500, [1, 2, 2, 1]), (1, [1, 2]), (500, [2, 2, 2, 1])])
    func `Of two ends the one with more of the beginning is kept`(begun: Int, ends: [Int]) throws {
        let town = try Town(nodes: 1 + ends.count, seed: 880)
        _ = town.world.add(WithholdingStore(town.stores[0]), exchange: .off)
        for store in town.stores.dropFirst() { _ = town.world.add(store, exchange: .off) }
        for node in town.stores.indices { try town.world.start(node) }
        let log = town.authors[0].log
        let write = { (count: Int) in
            let posts = (0..<count).map { Array("entry \($0) with some text behind it, and more".utf8) }
            let chunk = town.authors[0].write(posts, at: 1)
            try town.world.give(0, .settled(town.stores[0].take(batch(chunk))))
        }
        let reach = { (nodes: [Int], size: Int) in
            for node in nodes {
                town.world.heal(node, 0)
                town.world.connect(node, 0)
            }
            let isReached = { nodes.allSatisfy { town.stores[$0].size(log) == size } }
            #expect(town.world.run(until: isReached, withinMilliseconds: 60_000))
            town.world.run(milliseconds: 1_000)
            for node in nodes { town.world.cut(node, 0) }
        }
        let nodes = { (end: Int) in ends.indices.filter { ends[$0] == end }.map { $0 + 1 } }
        try write(begun)
        reach(nodes(1), begun)
        try write(3_000)
        reach(nodes(1), begun + 3_000)
        try write(3_000)
        reach(nodes(2), begun + 6_000)
        town.world.kill(0)
        connectInLine(town, 1..<town.stores.count)
        let all = 1...ends.count
        let isOne = { Set(all.map { town.world.nodes[$0].fingerprint }).count == 1 }
        #expect(town.world.run(until: isOne, withinMilliseconds: 12 * 3_600_000))
        let left = GapPlace(log: log, bounds: UInt64(begun)..<UInt64(begun + 3_000) - Limits.windowEntries)
        let areFilled = {
            all.allSatisfy { town.stores[$0].size(log) == begun + 3_000 && town.stores[$0].gaps == [left] }
        }
        #expect(town.world.run(until: areFilled, withinMilliseconds: 3_600_000), "\(all.map { town.stores[$0].gaps })")
        #expect(all.allSatisfy { town.violations($0).isEmpty })
    }

    /// What a root key settled gives way to nothing, whoever's nodes are the smaller.
    @Test(arguments: [3_000, 2_990]) func `A settled history gives way to no other`(settled: Int) throws {
        for (settling, seed) in [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)] as [(Int, UInt64)] {
            let town = try Town(nodes: 4, seed: 860 + seed)
            var writer = ForkedWriter(seed: 860_000 + seed, network: town.network)
            writer.branch(Int(size))
            writer.branch(Int(size), from: 0, at: 500)
            for branch in 0...1 { _ = try town.stores[branch].take(writer.batch(branch)) }
            try windows(town, of: [settling, 1 - settling])
            for node in 2...3 { try town.take(writer.settling(settling, settled), on: node) }
            #expect(town.stores[2].size(writer.log) == UInt64(settled))
            town.world.connect(2, 3)
            town.world.run(milliseconds: 3 * 3_600_000)
            #expect(town.stores[2].size(writer.log) == UInt64(settled) && town.stores[2].gaps.count == 1)
            #expect((2...3).allSatisfy { town.violations($0).isEmpty })
        }
    }

    /// All of the same history, with the same beginning: who lost what is behind its gap takes it from the others, not
    /// they after it.
    @Test func `Nobody gives way to who let go of a log itself`() throws {
        let town = try Town(nodes: 5, seed: 870)
        let stores = town.stores.map(WithholdingStore.init)
        for store in stores { _ = town.world.add(store, exchange: .off) }
        for node in 0..<5 { try town.world.start(node) }
        let log = town.authors[0].log
        let write = { (count: Int) in
            // More than is pushed in the place of a name.
            let posts = (0..<count).map { Array("entry \($0) with some text behind it, and more".utf8) }
            let chunk = town.authors[0].write(posts, at: 1)
            try town.world.give(0, .settled(town.stores[0].take(batch(chunk))))
        }
        try write(500)
        for node in 1...4 { town.world.connect(node, 0) }
        #expect(
            town.world.run(
                until: { (1...4).allSatisfy { town.stores[$0].size(log) == 500 } },
                withinMilliseconds: 60_000
            )
        )
        for node in 1...4 { town.world.cut(node, 0) }
        try write(3_000)
        town.world.heal(1, 0)
        town.world.connect(1, 0)
        #expect(town.world.run(until: { town.stores[1].size(log) == 3_500 }, withinMilliseconds: 60_000))
        town.world.cut(1, 0)
        try write(3_000)
        for node in 2...4 {
            town.world.heal(node, 0)
            town.world.connect(node, 0)
        }
        #expect(
            town.world.run(
                until: { (2...4).allSatisfy { town.stores[$0].size(log) == 6_500 } },
                withinMilliseconds: 60_000
            )
        )
        town.world.kill(0)
        connectInLine(town, 1..<5)
        let isOne = { Set((1...4).map { town.world.nodes[$0].fingerprint }).count == 1 }
        #expect(town.world.run(until: isOne, withinMilliseconds: 6 * 3_600_000))
        #expect((1...4).allSatisfy { town.stores[$0].size(log) > 500 }, "\((1...4).map { town.stores[$0].size(log) })")
    }

    private func batch(_ chunk: VerifiedChunk) -> TakeBatch {
        var batch = TakeBatch()
        batch.chunks = [.init(chunk: chunk, source: nobody)]
        return batch
    }
}
