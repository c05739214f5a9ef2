import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// What lies behind a gap that nobody fills gives way to what is shown, and to nobody's word (`protocol/sync.md` §5).
struct SubstituteTests {
    /// A node that has asked another one, with the same gap, in vain for long enough, and a writer who comes no more.
    private struct Scene {
        let town: Town
        let log: LogID
        var author: Author
        /// Everything up to `size`, and what somebody has who left early.
        let whole: LightStore
        let early = LightStore()
        let size: UInt64 = 3_000
        let start: UInt64 = 500
        var gap: Range<UInt64> { start..<size - Limits.windowEntries }

        init(seed: UInt64) throws {
            town = try Town(nodes: 3, seed: seed)
            author = Author(seed: seed * 1_000 + 900, network: town.network)
            log = author.log
            whole = town.stores[0]
            try write(500, to: [town.stores[0], town.stores[1], town.stores[2], early])
            try write(700, to: [town.stores[0], early])
            try write(1_800, to: [town.stores[0]])
            let stores = town.stores.map(WithholdingStore.init)
            for store in stores { _ = town.world.add(store, exchange: .off) }
            for node in 0..<3 { try town.world.start(node) }
            for node in 1...2 { town.world.connect(node, 0) }
            let (town, log, size) = (self.town, self.log, self.size)
            let areBehind = { (1...2).allSatisfy { town.stores[$0].size(log) == size } }
            #expect(town.world.run(until: areBehind, withinMilliseconds: 60_000))
            town.world.kill(0)
            town.world.connect(1, 2)
            town.world.run(milliseconds: 3_600_000)
            #expect(isUntouched)
        }

        mutating func write(_ count: Int, to stores: [LightStore]) throws {
            let first = author.size
            let chunk = author.write(
                (0..<count).map { Array("entry \(first + UInt64($0))".utf8) },
                at: 1_700_000_000_000
            )
            for store in stores {
                var batch = TakeBatch()
                batch.chunks = [.init(chunk: chunk, source: NodeID(raw: .zero))]
                _ = try store.take(batch)
            }
        }

        var isUntouched: Bool {
            town.stores[1].size(log) == size && town.stores[1].gaps == [GapPlace(log: log, bounds: gap)]
        }

        func stranger(
            ownLog: LogID? = nil,
            scope: Scope = .everything,
            seed: UInt64 = 77,
            answer: @escaping (Message) -> [Message] = { _ in [] }
        ) -> Stranger {
            let stranger = Stranger(town.world, to: 1, seed: seed)
            stranger.answer = answer
            let features: Set<UInt32> = [Hello.windows, Hello.scopes]
            stranger.greet(Stranger.hello(version: 2, ownLog: ownLog, scope: scope, features: features))
            return stranger
        }

        /// The first chunk of an answer of a store.
        func chunk(_ store: LightStore, _ extent: RangeWant.Extent = .all, bytes: Int = 1 << 20) throws
            -> UnverifiedChunk
        {
            let want = RangeWant(log: log, from: start, certificate: .known, extent: extent)
            guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: bytes).first else {
                throw NoChunk()
            }
            return chunk
        }
    }

    private struct NoChunk: Error {}

    enum Lie: CaseIterable {
        case silence, lacking, changed, beyond, elsewhere
        /// What follows the gap's start, and not up to its head: the rest need never come.
        case part
        /// Under a root that is not known here, as who knows of a fork may answer.
        case known
    }

    @Test(arguments: Lie.allCases) func `Who only says that it has the beginning takes nothing`(lie: Lie) throws {
        let scene = try Scene(seed: 881)
        let log = scene.log
        let answer: Chunks? =
            switch lie {
            case .silence: nil
            case .part: Chunks(chunks: [try scene.chunk(scene.early, bytes: 2_000)])
            case .known: Chunks(chunks: [try scene.chunk(scene.early).underKnownRoot])
            case .lacking: Chunks(chunks: [], lacking: [log])
            case .changed: Chunks(chunks: [try scene.chunk(scene.early).spoilt])
            // What is under a head beyond the gap fills it, or is nothing.
            case .beyond: Chunks(chunks: [try scene.chunk(scene.whole, bytes: 2_000)])
            case .elsewhere: Chunks(chunks: [try scene.chunk(scene.early).with(start: scene.start + 1, count: 699)])
            }
        let start = scene.start
        let stranger = scene.stranger { message in
            guard case .want(let wants) = message else { return [] }
            return wants.compactMap { want in
                switch want.extent {
                case .until: .chunks(Chunks(chunks: [], lackingBefore: [want.log]))
                case .all where want.log == log && want.from == start: answer.map { .chunks($0) }
                case .all, .newest: .chunks(Chunks(chunks: [], lacking: [want.log]))
                }
            }
        }
        stranger.send(.want([RangeWant(log: log, from: 1_200, certificate: .known)]))
        stranger.run(milliseconds: 10_000)
        #expect(stranger.wants.contains(RangeWant(log: log, from: scene.start, certificate: .known)))
        #expect(stranger.chunks.flatMap(\.lacking) == [log] && scene.isUntouched)
        // However often it asks, it is asked once a minute, and then more and more rarely.
        stranger.send(.want([RangeWant(log: log, from: 1_200, certificate: .known)]))
        stranger.run(milliseconds: 1_000)
        #expect(stranger.isOpen && stranger.wants.count { $0.log == log && $0.extent == .all } == 1)
        // Whoever owes that is waited for as for any answer.
        stranger.run(milliseconds: 30_000)
        #expect(stranger.isOpen == (lie == .lacking || lie == .known))
        #expect(scene.isUntouched)
    }

    @Test func `Who shows the beginning is followed`() throws {
        let scene = try Scene(seed: 882)
        let stranger = scene.stranger()
        stranger.serve(scene.early)
        stranger.send(.want([RangeWant(log: scene.log, from: 1_200, certificate: .known)]))
        stranger.run(milliseconds: 10_000)
        #expect(scene.town.stores[1].size(scene.log) == 1_200 && scene.town.stores[1].gaps.isEmpty)
        #expect(scene.town.stores[1].wantedLogs == [LogSize(log: scene.log, size: scene.size)])
        #expect(scene.town.violations(1).isEmpty)
    }

    enum Older: CaseIterable {
        /// What is shown of the beginning is not what follows, or is under a head beyond the gap.
        case changedBeginning, beyondBeginning
        case lacking, changed
        /// As old as what is here, or newer: no older end.
        case same
        /// Without what is left out before it.
        case unabridged
        case truth
    }

    /// Who has a part of what is missing and a gap of its own: the two can meet in its end.
    @Test(arguments: Older.allCases) func `An older end is taken of who shows more of the beginning`(kind: Older) throws
    {
        let scene = try Scene(seed: 887)
        let (log, start) = (scene.log, scene.start)
        let newest = RangeWant.Extent.newest(Limits.windowEntries)
        let shown =
            switch kind {
            case .changedBeginning: try scene.chunk(scene.early, bytes: 2_000).spoilt
            case .beyondBeginning: try scene.chunk(scene.whole, bytes: 2_000)
            default: try scene.chunk(scene.early, bytes: 2_000)
            }
        let end: UnverifiedChunk? =
            switch kind {
            case .lacking: nil
            case .changed: try scene.chunk(scene.early, .newest(100)).spoilt
            case .same: try scene.chunk(scene.whole, .newest(100))
            case .unabridged: try scene.chunk(scene.early)
            default: try scene.chunk(scene.early, .newest(100))
            }
        let answer = { (message: Message) -> [Message] in
            guard case .want(let wants) = message else { return [] }
            return wants.filter { $0.log == log }.map { want in
                switch want.extent {
                case .until: .chunks(Chunks(chunks: [], lackingBefore: [log]))
                case .all where want.from == start: .chunks(Chunks(chunks: [shown], lacking: [log]))
                case .newest where want.from == start && end != nil: .chunks(Chunks(chunks: [end].compactMap { $0 }))
                case .all, .newest: .chunks(Chunks(chunks: [], lacking: [log]))
                }
            }
        }
        let stranger = scene.stranger(answer: answer)
        let question = Message.want([RangeWant(log: log, from: 1_200, certificate: .known)])
        stranger.send(question)
        stranger.run(milliseconds: 10_000)
        let isAsked = stranger.wants.contains(RangeWant(log: log, from: start, certificate: .known, extent: newest))
        #expect(isAsked == (kind != .changedBeginning && kind != .beyondBeginning))
        guard kind == .truth else { return #expect(scene.isUntouched) }
        #expect(scene.town.stores[1].size(log) == 1_200)
        #expect(scene.town.stores[1].gaps == [GapPlace(log: log, bounds: start..<1_100)])
        #expect(scene.town.stores[1].wantedLogs == [LogSize(log: log, size: scene.size)])
        // The beginning never comes: the newer end is taken again. Whoever shows it then, it gives way no more for
        // long.
        let isBack = { scene.town.stores[1].size(log) == scene.size }
        #expect(scene.town.world.run(until: isBack, withinMilliseconds: 3_000_000))
        scene.town.world.run(milliseconds: 1_200_000)
        let other = scene.stranger(seed: 78, answer: answer)
        other.send(question)
        other.run(milliseconds: 10_000)
        #expect(other.wants.contains(RangeWant(log: log, from: start, certificate: .known)))
        #expect(scene.town.stores[1].size(log) == scene.size && other.isOpen)
        #expect(scene.town.violations(1).isEmpty)
    }

    @Test func `Older ends are asked for ever more rarely, until the gap starts elsewhere`() {
        var tries = OlderTries()
        let (log, other) = (LogID(raw: Author.bytes(1, "log")), LogID(raw: Author.bytes(2, "log")))
        let hour = UInt64(Limits.olderRetryMilliseconds)
        let times = [0, hour - 1, hour, 3 * hour - 1, 3 * hour]
        #expect(times.map { tries.begin(log, from: 5, now: $0) } == [true, false, true, false, true])
        #expect((0..<2).map { _ in tries.begin(log, from: 6, now: 3 * hour) } == [true, false])
        // Of more logs than are remembered no other is asked for, and none forgotten.
        for number in 0..<UInt64(Limits.olderTriesCount) {
            _ = tries.begin(LogID(raw: Author.bytes(number, "many")), from: 0, now: 3 * hour)
        }
        #expect([3 * hour, 4 * hour].map { tries.begin(other, from: 0, now: $0) } == [false, true])
    }

    /// As long as somebody may fill the gap, nobody is asked.
    @Test func `A gap that is young gives way to nothing`() throws {
        let scene = try Scene(seed: 883)
        // It begins anew with each start.
        scene.town.world.kill(1)
        try scene.town.world.start(1)
        let stranger = scene.stranger()
        stranger.serve(scene.early)
        stranger.send(.want([RangeWant(log: scene.log, from: 1_200, certificate: .known)]))
        stranger.run(milliseconds: 10_000)
        #expect(scene.isUntouched)
        #expect(!stranger.wants.contains(RangeWant(log: scene.log, from: scene.start, certificate: .known)))
    }

    /// Its device sees by what is behind the gap that it wrote more; and of what a peer does not carry nothing is said.
    @Test(arguments: Asker.allCases) func `Not everybody is asked for the beginning`(asker: Asker) throws {
        let scene = try Scene(seed: 885)
        let stranger =
            switch asker {
            case .device: scene.stranger(ownLog: scene.log)
            case .outside: scene.stranger(scope: scene.town.people(2))
            case .atTheStart: scene.stranger()
            }
        stranger.serve(scene.early)
        let from = asker == .atTheStart ? scene.start : 1_200
        stranger.send(.want([RangeWant(log: scene.log, from: from, certificate: .known)]))
        stranger.run(milliseconds: 10_000)
        #expect(scene.isUntouched && stranger.isOpen)
        #expect(stranger.chunks.flatMap(\.lacking) == [scene.log])
        #expect(!stranger.wants.contains { $0.log == scene.log && $0.extent == .all })
    }

    enum Asker: CaseIterable {
        case device, outside
        /// It ends where the gap starts, and has nothing to show.
        case atTheStart
    }

    /// Only as long as it owes that.
    @Test func `Who lacked the beginning is asked for the rest again`() throws {
        var scene = try Scene(seed: 886)
        try scene.write(10, to: [scene.whole])
        let stranger = scene.stranger()
        let (log, whole) = (scene.log, scene.whole)
        stranger.answer = { message in
            guard case .want(let wants) = message, wants.contains(where: { $0.log == log && $0.extent == .all })
            else { return [] }
            return [.chunks(Chunks(chunks: [], lacking: [log]))]
        }
        stranger.send(.want([RangeWant(log: log, from: 1_200, certificate: .known)]))
        stranger.run(milliseconds: 1_000)
        stranger.serve(whole)
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: scene.size + 10)], number: 1)))
        stranger.run(milliseconds: 5_000)
        #expect(scene.town.stores[1].size(log) == scene.size + 10)
    }

    enum Newer: CaseIterable {
        /// A window that is no newer than what is here.
        case same
        /// Everything from the gap's start on: that fills the gap, if it is asked for that.
        case unabridged
        case changed
        /// In two chunks, and only the second ends at the head.
        case parts
        case truth
    }

    @Test(arguments: Newer.allCases) func `Newer entries are taken once they are shown`(kind: Newer) throws {
        var scene = try Scene(seed: 884)
        try scene.write(2_000, to: [scene.whole])
        let log = scene.log
        let newest = RangeWant.Extent.newest(Limits.windowEntries)
        let shown =
            switch kind {
            case .same: try scene.chunk(scene.town.stores[2], .newest(100))
            case .unabridged: try scene.chunk(scene.whole)
            case .changed, .parts, .truth: try scene.chunk(scene.whole, newest)
            }
        var answer = [kind == .changed ? shown.spoilt : shown]
        if kind == .parts {
            answer = [try scene.chunk(scene.whole, newest, bytes: 2_000)]
            let rest = RangeWant(log: log, from: answer[0].start + answer[0].count, certificate: .known)
            if case .chunk(let chunk)? = try scene.whole.ranges([rest], byteLimit: 1 << 20).first {
                answer.append(chunk)
            }
        }
        let stranger = scene.stranger()
        stranger.answer = { message in
            guard case .want(let wants) = message else { return [] }
            return wants.filter { $0.log == log }.map { want in
                want.extent == newest ? .chunks(Chunks(chunks: answer)) : .chunks(Chunks(chunks: [], lacking: [log]))
            }
        }
        stranger.send(.changes(Changes(logs: [LogSize(log: log, size: 5_000)], number: 1)))
        stranger.run(milliseconds: 5_000)
        #expect(stranger.wants.contains(RangeWant(log: log, from: scene.start, certificate: .known, extent: newest)))
        guard kind == .truth else {
            #expect(scene.isUntouched)
            // What came of it says nothing new: it is asked for again as what nobody has.
            #expect(stranger.wants.count { $0.log == log && $0.extent == .all } <= 2)
            #expect(stranger.wants.count { $0.log == log && $0.extent == newest } == 1)
            return
        }
        #expect(scene.town.stores[1].size(log) == 5_000)
        #expect(scene.town.status(1)?.unsuppliedLogs == 0)
        let left = GapPlace(log: log, bounds: scene.start..<5_000 - Limits.windowEntries)
        #expect(scene.town.stores[1].gaps == [left])
        #expect(scene.town.violations(1).isEmpty)
    }
}

extension UnverifiedChunk {
    /// The same with another last byte.
    fileprivate var spoilt: UnverifiedChunk {
        var chunk = with(entries: entries.dropLast() + entries.suffix(1).map { $0 ^ 1 })
        chunk.left = left
        return chunk
    }
}
