import Entries
import GRDB
import Simulation
import Sodium
import Synchronization
import Testing

@testable import Storage

/// A log whose newest entries came first (`protocol/log.md` §6).
struct WindowTests {
    private static let verifier = ChunkVerifier(network: Device.network)

    /// A device with so many posts, and a store that has them all.
    private func writer(_ count: Int) throws -> (Device, EntryStore) {
        let device = try Device(person: 1)
        for number in 0..<count { try device.post("post \(number)", time: UInt64(1_000 + number)) }
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        return (device, store)
    }

    private func nodes(of store: EntryStore) throws -> [String] {
        try store.writer.read { db in
            try Prepared(db, "SELECT level || ' ' || place || ' ' || hex(hash) FROM nodes ORDER BY level, place").all {
                $0.string(0)
            }
        }
    }

    @Test func `The newest page is read while history is missing`() throws {
        let (device, whole) = try writer(1_400)
        let store = try EntryStore.inMemory()
        let report = try #require(try fetch(device.log, .newest(100), from: whole, to: store))
        #expect(report.gaps == [GapPlace(log: device.log, bounds: 0..<1_300)])
        #expect(report.changes.map(\.item) == (try whole.state()).frontier.map(\.item))
        #expect(try store.feed(page: 50) == device.entries[1_300...].map(\.id).reversed())
        #expect(try store.reader.status().entries == 100 && store.reader.status().missingEntries == 1_300)
        let print = try store.reader.fingerprint()
        #expect(print.gaps == 1 && !print.isComplete)
        #expect(try print.fingerprint == whole.reader.fingerprint().fingerprint)
        #expect(try store.rebuild().entries == 100)
        #expect(try store.feed(page: 50).count == 100)
    }

    @Test func `What was left out is filled, also after a restart, and nothing shows of it`() throws {
        let (device, whole) = try writer(1_400)
        let home = try TestHome()
        var store = try home.open()
        try store.take(device.chunk(0..<37))
        try fetch(device.log, .newest(100), from: whole, to: store)
        var asked = 0
        while let gap = try store.state().gaps.first {
            let limit = 9_000
            try fetch(device.log, .until(1_300), from: whole, to: store, at: gap.bounds.lowerBound, byteLimit: limit)
            asked += 1
            if asked == 2 {
                try store.close()
                store = try home.open()
                #expect(try store.state().gaps.first?.bounds.upperBound == 1_300)
                _ = try store.rebuild()
            }
        }
        #expect(asked > 3)
        #expect(try nodes(of: store) == nodes(of: whole))
        #expect(try store.derivedDump() == whole.derivedDump())
        #expect(try store.reader.fingerprint().isComplete && store.reader.status().entries == 1_400)
        #expect(try store.feed(page: 200) == whole.feed(page: 200))
    }

    /// A window that was proven over the first twenty entries of a log, none of them left out.
    private func window(of device: Device, from whole: EntryStore) throws -> VerifiedChunk {
        let prefix = LogPrefix(certificate: nil, range: device.range(0..<20))
        let want = RangeWant(log: device.log, from: 20, certificate: .send, extent: .newest(10))
        guard case .chunk(var chunk)? = try whole.ranges([want], byteLimit: 1 << 20).first else { throw Missing() }
        chunk.askedFrom = 20
        return try #require(Self.verifier.verify(chunk, over: prefix).verified)
    }

    private struct Missing: Error {}

    @Test func `A window is not laid over a gap, nor behind another history than it was proven over`() throws {
        let (device, whole) = try writer(40)
        let window = try window(of: device, from: whole)
        let short = try EntryStore.inMemory()
        try short.take(device.chunk(0..<20))
        let store = try EntryStore.inMemory()
        try fetch(device.log, .newest(5), from: short, to: store)
        #expect(try store.take(window).skipped == [device.log])
        #expect(try store.state().gaps == [GapPlace(log: device.log, bounds: 0..<15)])
        let twin = try Device(person: 1)
        for number in 0..<20 { try twin.post("another \(number)", time: UInt64(1_000 + number)) }
        #expect(twin.log == device.log)
        let other = try EntryStore.inMemory()
        try other.take(twin.chunk())
        #expect(try other.take(window).skipped == [device.log])
        #expect(try other.state().gaps.isEmpty && other.reader.status().entries == 20)
        // Where it was proven it is taken.
        #expect(try short.take(window).skipped.isEmpty)
        #expect(try short.state().gaps == [GapPlace(log: device.log, bounds: 20..<30)])
    }

    @Test func `Who has a gap serves what it has and lacks the rest`() throws {
        let (device, whole) = try writer(1_400)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<300))
        try fetch(device.log, .newest(100), from: whole, to: store)
        let answer = { (from: UInt64, extent: RangeWant.Extent) throws -> (start: UInt64, end: UInt64, left: Int)? in
            let want = RangeWant(log: device.log, from: from, certificate: .known, extent: extent)
            guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: 1 << 20).first else { return nil }
            return (chunk.start, chunk.start + chunk.count, chunk.left.count)
        }
        #expect(try answer(0, .all).map { [$0.start, $0.end] } == [0, 300])
        #expect(try answer(300, .all) == nil && answer(999, .all) == nil)
        #expect(try answer(1_300, .all).map { [$0.start, $0.end] } == [1_300, 1_400])
        #expect(try answer(0, .newest(50)).map { [$0.start, $0.end] } == [1_350, 1_400])
        #expect(try answer(0, .newest(5_000)).map { [$0.start, $0.end] } == [1_300, 1_400])
        #expect(try answer(300, .newest(5_000)).map { [$0.start, $0.end] } == [1_300, 1_400])
        #expect(try answer(301, .newest(50)) == nil)
        #expect(try answer(1_310, .newest(50)).map { [$0.start, $0.end] } == [1_350, 1_400])
        #expect(try answer(10, .until(200)).map { [$0.start, $0.end] } == [10, 200])
        #expect(try answer(10, .until(1_300)).map { [$0.start, $0.end] } == [10, 300])
        #expect(
            try answer(10, .until(700)) == nil && answer(300, .until(1_300)) == nil && answer(10, .until(10)) == nil
        )
        #expect(try answer(1_320, .until(1_380)).map { [$0.start, $0.end] } == [1_320, 1_380])
        #expect(try answer(0, .until(1_401)) == nil)
        for end in [0, 299, 300, 1_300, 1_399] as [UInt64] {
            #expect(try store.prefixNodes(of: device.log, end: end) == whole.prefixNodes(of: device.log, end: end))
            #expect(try store.prefixProof(of: device.log, end: end) == whole.prefixProof(of: device.log, end: end))
        }
        #expect(try store.prefixNodes(of: device.log, end: 301) == nil)
        #expect(try store.prefixProof(of: device.log, end: 1_299) == nil)
        #expect(try store.bodies([device.place(700)], byteLimit: 100).map(\.payload) == [nil])
        // The chunks are true: a third store takes all of it from here and the gap from there.
        let third = try EntryStore.inMemory()
        try fetch(device.log, .newest(50), from: store, to: third)
        try fetch(device.log, .until(1_350), from: store, to: third, at: 0)
        try fetch(device.log, .until(1_350), from: whole, to: third, at: 300)
        #expect(try third.state().gaps.isEmpty && third.derivedDump() == whole.derivedDump())
    }

    /// Found by a random order of windows: the node that was asked trapped.
    @Test(arguments: [0, 50])
    func `What counts is served while a window's head is on its way behind it`(more: Int) throws {
        let (device, whole) = try writer(1_400)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<300))
        if more > 0 { try store.take(device.chunk(300..<300 + more, size: 1_400)) }
        try fetch(device.log, .newest(500), from: whole, to: store, byteLimit: 9_000)
        #expect(try store.state().gaps == [GapPlace(log: device.log, bounds: UInt64(300 + more)..<900)])
        #expect(try store.state().frontier.map(\.size) == [300])
        let answer = { (from: UInt64, extent: RangeWant.Extent) throws -> [UInt64]? in
            let want = RangeWant(log: device.log, from: from, certificate: .known, extent: extent)
            guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: 1 << 20).first else { return nil }
            return [chunk.start, chunk.start + chunk.count, chunk.size]
        }
        #expect(try answer(0, .newest(50)) == [250, 300, 300])
        #expect(try answer(0, .newest(5_000)) == [0, 300, 300])
        #expect(try answer(280, .newest(50)) == [280, 300, 300])
        #expect(try answer(0, .all) == [0, 300, 300])
        #expect(try answer(0, .until(300)) == [0, 300, 300])
        #expect(try answer(0, .until(900)) == nil)
        #expect(try answer(300, .newest(50)) == nil && answer(900, .all) == nil)
    }

    @Test func `A node over a gap is known as long as none below is asked for`() throws {
        let (device, whole) = try writer(1_400)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<300))
        try fetch(device.log, .newest(100), from: whole, to: store)
        var known = 0
        for level in 0..<11 {
            for index in 0..<UInt64(1_400 >> level) {
                let place = TreePlace(level: level, index: index)
                guard place.end <= 1_400, let nodes = try store.nodes(of: device.log, at: place) else { continue }
                known += 1
                #expect(try nodes == whole.nodes(of: device.log, at: place))
            }
        }
        #expect(known > 700 && known < 1_000)
    }

    @Test func `A delete that came first covers what is filled in`() throws {
        let device = try Device(person: 1)
        let secret = try device.post("a secret that is not to be kept", time: 1)
        for number in 0..<40 { try device.post("post \(number)", time: UInt64(2 + number)) }
        try device.delete(secret, time: 50)
        let whole = try EntryStore.inMemory()
        // From somebody who has not heard of the delete when the text was sent.
        try whole.take(device.chunk(0..<41), device.chunk(41..<42))
        let store = try EntryStore.inMemory()
        try fetch(device.log, .newest(3), from: whole, to: store)
        var chunk = device.unverified(0..<39, size: 39)
        chunk = UnverifiedChunk(
            log: chunk.log,
            certificate: nil,
            start: 0,
            count: 39,
            size: 39,
            proof: .known,
            entries: chunk.entries,
            right: chunk.right
        )
        let prefix = try #require(try store.prefixes(of: [device.log])[device.log])
        let report = try store.take(#require(Self.verifier.verify(chunk, over: prefix).verified))
        #expect(report.gaps.isEmpty && report.covered == [device.log] && report.wantedBodies.isEmpty)
        #expect(try store.bodies([device.place(0)], byteLimit: 100).map(\.payload) == [nil])
        #expect(try store.derivedDump() == whole.derivedDump())
    }

    @Test func `A window that does not fit, and a filling that does not, change nothing`() throws {
        let (device, whole) = try writer(50)
        let store = try EntryStore.inMemory()
        let empty = try store.prefixes(of: [device.log])[device.log] ?? .none
        let want = RangeWant(log: device.log, from: 0, certificate: .send, extent: .newest(10))
        guard case .chunk(var chunk)? = try whole.ranges([want], byteLimit: 1 << 20).first else { return }
        chunk.askedFrom = 0
        let window = try #require(Self.verifier.verify(chunk, over: empty).verified)
        try store.take(device.chunk(0..<5))
        #expect(try store.take(window).skipped == [device.log])
        #expect(try store.state().gaps.isEmpty)
        try fetch(device.log, .newest(10), from: whole, to: store)
        // The same once more; one gap is all there is.
        #expect(try store.take(window).gaps.map(\.bounds) == [5..<40])
        let filling = try #require(try fetch(device.log, .until(40), from: whole, to: store, at: 5))
        #expect(filling.gaps.isEmpty && filling.changes.isEmpty)
        let state = try store.state()
        try store.take(window)
        #expect(try store.state() == state)
    }

    @Test func `A filling that comes twice, or is of another gap, changes nothing`() throws {
        let (device, whole) = try writer(50)
        let (store, other) = (try EntryStore.inMemory(), try EntryStore.inMemory())
        try fetch(device.log, .newest(10), from: whole, to: store)
        try fetch(device.log, .newest(20), from: whole, to: other)
        let want = RangeWant(log: device.log, from: 0, certificate: .known, extent: .until(40))
        guard case .chunk(let chunk)? = try whole.ranges([want], byteLimit: 2_700).first else { return }
        let prefix = try #require(try store.prefixes(of: [device.log])[device.log])
        let first = try #require(Self.verifier.verify(chunk, over: prefix).verified)
        #expect(first.end < 30)
        let before = try other.state()
        #expect(try other.take(first).gaps.map(\.bounds) == [0..<30])
        #expect(try other.state().gaps == before.gaps && other.feed().count == 20)
        try store.take(first)
        let dump = try store.derivedDump()
        #expect(try store.take(first).gaps.map(\.bounds) == [first.end..<40])
        #expect(try store.derivedDump() == dump)
        try fetch(device.log, .until(40), from: whole, to: store, at: first.end)
        #expect(try store.take(first).gaps.isEmpty && store.derivedDump() == whole.derivedDump())
    }

    @Test func `A window of several chunks counts when its head is complete`() throws {
        let (device, whole) = try writer(60)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<10))
        try store.take(device.chunk(10..<12, size: 60))
        try fetch(device.log, .newest(20), from: whole, to: store, byteLimit: 2_700)
        let state = try store.state()
        #expect(state.gaps.map(\.bounds) == [12..<40] && state.frontier.map(\.size) == [10])
        #expect(state.pending.map(\.size).allSatisfy { $0 > 40 && $0 < 60 })
        // What is filled in before the head is complete counts with it.
        try fetch(device.log, .until(40), from: whole, to: store, at: 12, byteLimit: 2_500)
        #expect(try store.feed().count == 10)
        try fetch(device.log, .all, from: whole, to: store)
        let gap = try #require(try store.state().gaps.first)
        #expect(try store.feed().count == 60 - gap.bounds.count)
        try fetch(device.log, .until(40), from: whole, to: store, at: gap.bounds.lowerBound)
        #expect(try store.derivedDump() == whole.derivedDump())
    }

    @Test func `A head that nobody completes is given up with its gap`() throws {
        let (device, whole) = try writer(60)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<10))
        try fetch(device.log, .newest(20), from: whole, to: store, byteLimit: 2_700)
        var batch = TakeBatch()
        batch.restarts = [device.log]
        #expect(try store.take(batch).gaps.isEmpty)
        let state = try store.state()
        #expect(state.gaps.isEmpty && state.pending.isEmpty && state.frontier.map(\.size) == [10])
        try fetch(device.log, .all, from: whole, to: store)
        #expect(try store.derivedDump() == whole.derivedDump() && nodes(of: store) == nodes(of: whole))
    }

    @Test func `Of a log that leaves out all that one may, only what is there is looked through when it is dropped`()
        throws
    {
        let device = try Device(person: 1)
        let last = EntryLimits.maximumLogEntries - 1
        let entry = Entry(
            flags: EntryHeader.erasableFlag,
            kind: EntryKind.post.rawValue,
            log: device.log,
            sequence: last,
            time: 1,
            clock: 1,
            payload: Payload.post(try Post(salt: .test, text: "the last")).encode()
        )
        // Nobody ever wrote what lies before.
        let nodes = [Bytes32](repeating: entry.id.raw, count: TreePlace.count(covering: 0..<last))
        var range = try #require(LogRange(bounds: 0..<last, nodes: nodes))
        range.append(leaf: entry.id.raw)
        let root = try #require(range.root)
        let head = Head(signing: device.log, size: last + 1, root: root, network: Device.network, with: device.key)
        var chunk = UnverifiedChunk(
            log: device.log,
            certificate: device.certificate.bytes,
            start: last,
            count: 1,
            size: last + 1,
            signature: head.signature,
            entries: EntryCoding.encode([entry]),
            right: []
        )
        chunk.left = nodes
        chunk.askedFrom = 0
        let store = try EntryStore.inMemory()
        let window = try #require(Self.verifier.verify(chunk, over: .none).verified)
        #expect(try store.take(window).gaps == [GapPlace(log: device.log, bounds: 0..<last)])
        let statements = Mutex(0)
        store.writer.writeWithoutTransaction { db in
            db.trace { _ in statements.withLock { $0 += 1 } }
        }
        var batch = TakeBatch()
        batch.droppedWindows = [device.log]
        #expect(try store.take(batch).gaps.isEmpty)
        #expect(statements.withLock { $0 } < 1_000)
        #expect(try store.reader.status().entries == 0)
    }

    @Test(arguments: [0, 10]) func `A window is dropped where the histories may part in the gap`(held: Int) throws {
        let (device, whole) = try writer(60)
        let store = try EntryStore.inMemory()
        if held > 0 { try store.take(device.chunk(0..<held)) }
        try fetch(device.log, .newest(20), from: whole, to: store)
        var batch = TakeBatch()
        batch.droppedWindows = [device.log]
        let report = try store.take(batch)
        #expect(report.gaps.isEmpty && report.emptied == (held == 0 ? [device.log] : []))
        #expect(try store.state().frontier.map(\.size) == (held == 0 ? [] : [10]))
        #expect(try store.feed().count == held)
        try fetch(device.log, .all, from: whole, to: store)
        #expect(try store.derivedDump() == whole.derivedDump() && nodes(of: store) == nodes(of: whole))
    }

    enum Replacement: CaseIterable {
        case beginning, newest
        /// An end within the gap, behind entries that are left out.
        case older
        /// A part of the gap came first.
        case late
        /// With the word that the log is complete as it is.
        case settled
        /// It ends before its head.
        case part
    }

    @Test(arguments: Replacement.allCases)
    func `A window goes with what takes its place, or stays`(kind: Replacement) throws {
        let (device, whole) = try writer(60)
        let (early, store) = (try EntryStore.inMemory(), try EntryStore.inMemory())
        try early.take(device.chunk(0..<30))
        try store.take(device.chunk(0..<10))
        try fetch(device.log, .newest(20), from: whole, to: store)
        let before = try #require(try store.prefixes(of: [device.log])[device.log]?.beforeGap)
        var batch = TakeBatch()
        switch kind {
        case .beginning, .older, .part: break
        case .newest:
            for number in 60..<80 { try device.post("post \(number)", time: UInt64(1_000 + number)) }
            try whole.take(device.chunk(60..<80))
        case .late: try fetch(device.log, .until(40), from: whole, to: store, at: 10, byteLimit: 300)
        case .settled:
            let known = KnownRoot(size: 60, root: device.range(0..<60).root ?? .zero)
            let settlement = try Device.settlement(1, device.log, known, serial: 5)
            batch.settlements = [.init(signed: settlement, certificate: nil, source: .peer)]
        }
        let extent: RangeWant.Extent =
            switch kind {
            case .newest: .newest(20)
            case .older: .newest(10)
            case .beginning, .late, .settled, .part: .all
            }
        let want = RangeWant(log: device.log, from: 10, certificate: .known, extent: extent)
        let answer = try (kind == .newest ? whole : early).ranges([want], byteLimit: kind == .part ? 300 : 1 << 20)
        guard case .chunk(var chunk)? = answer.first else { throw Missing() }
        if !chunk.left.isEmpty { chunk.askedFrom = 10 }
        let verified = try #require(Self.verifier.verify(chunk, over: before).verified)
        let gap = try store.state().gaps
        let feed = try store.feed(page: 100)
        batch.chunks = [.init(chunk: verified, source: NodeID(raw: .zero), position: .inPlace)]
        let report = try store.take(batch)
        switch kind {
        case .beginning:
            #expect(try report.gaps.isEmpty && store.derivedDump() == early.derivedDump())
        case .newest:
            #expect(report.gaps == [GapPlace(log: device.log, bounds: 10..<60)])
            #expect(try store.state().frontier.map(\.item) == whole.state().frontier.map(\.item))
            #expect(try store.feed(page: 100) == (device.entries[..<10] + device.entries[60...]).map(\.id).reversed())
        case .older:
            #expect(report.gaps == [GapPlace(log: device.log, bounds: 10..<20)])
            #expect(try store.state().frontier.map(\.item) == early.state().frontier.map(\.item))
            #expect(try store.feed(page: 100) == (device.entries[..<10] + device.entries[20..<30]).map(\.id).reversed())
            // What it ends before is filled as any gap.
            try fetch(device.log, .until(20), from: early, to: store, at: 10)
            #expect(try store.derivedDump() == early.derivedDump())
        case .late, .settled, .part:
            #expect(report.gaps == gap && report.stored.map(\.size) == [60])
            #expect(try store.feed(page: 100) == feed)
        }
        #expect(try store.rebuild().entries == UInt64(store.feed(page: 100).count))
    }

    /// The evidence comes first, and the newer entries lie behind its cut.
    @Test func `A window stays where a fork leaves nothing of what was to take its place`() throws {
        let posts = try (0..<80).map { Payload.post(try Post(salt: .test, text: "post \($0)")) }
        let branches = [(of: 0, keep: 0, then: posts), (of: 0, keep: 50, then: Array(posts[..<5]))]
        let log = ForkedLog(try Device(person: 1), branches)
        let (store, middle, whole) = (try EntryStore.inMemory(), try EntryStore.inMemory(), try EntryStore.inMemory())
        try store.take(log.chunk(0, 0..<10, size: 10))
        try middle.take(log.chunk(0, 0..<60, size: 60))
        try whole.take(log.chunk(0, 0..<80, size: 80))
        try fetch(log.log, .newest(20), from: middle, to: store)
        let before = try #require(try store.prefixes(of: [log.log])[log.log]?.beforeGap)
        let want = RangeWant(log: log.log, from: 10, certificate: .known, extent: .newest(10))
        guard case .chunk(var chunk)? = try whole.ranges([want], byteLimit: 1 << 20).first else { throw Missing() }
        chunk.askedFrom = 10
        let verified = try #require(Self.verifier.verify(chunk, over: before).verified)
        let evidence = try #require(log.evidence(0, 1))
        var batch = TakeBatch(
            EvidenceArrival(evidence: evidence, certificate: log.device.certificate, source: .peer)
        )
        batch.chunks = [.init(chunk: verified, source: .peer, position: .inPlace)]
        let report = try store.take(batch)
        #expect(report.gaps == [GapPlace(log: log.log, bounds: 10..<40)])
        #expect(try store.state().frontier.map(\.size) == [50] && store.feed(page: 100).count == 20)
    }

    @Test func `A body is not wanted any more when its entry goes with a window`() throws {
        let (device, _) = try writer(60)
        let whole = try EntryStore.inMemory()
        try whole.take(device.chunk(0..<60, withheld: [5, 50]))
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<10, withheld: [5]))
        #expect(try fetch(device.log, .newest(20), from: whole, to: store)?.wantedBodies == [device.place(50)])
        var batch = TakeBatch()
        batch.droppedWindows = [device.log]
        #expect(try store.take(batch).unwantedBodies == [device.place(50)])
        #expect(try store.state().wantedBodies == [device.place(5)])
        // What comes again is wanted again.
        #expect(try fetch(device.log, .newest(20), from: whole, to: store)?.wantedBodies == [device.place(50)])
    }

    @Test(arguments: [(20, false), (40, false), (41, true), (60, true)])
    func `A settlement that does not reach beyond a gap drops what is behind it`(size: Int, isKept: Bool) throws {
        let (device, whole) = try writer(60)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk(0..<10))
        try fetch(device.log, .newest(20), from: whole, to: store)
        let known = KnownRoot(size: UInt64(size), root: device.range(0..<size).root ?? .zero)
        let settlement = try Device.settlement(1, device.log, known, serial: 5)
        var batch = TakeBatch()
        batch.settlements = [.init(signed: settlement, certificate: nil, source: .peer)]
        _ = try whole.take(batch)
        let report = try store.take(batch)
        #expect(report.gaps.isEmpty == !isKept && report.standings.first?.isComplete == isKept)
        #expect(report.stored.map(\.size) == [isKept ? 60 : 10])
        if let gap = report.gaps.first {
            try fetch(device.log, .until(40), from: whole, to: store, at: gap.bounds.lowerBound)
        } else {
            let want = RangeWant(log: device.log, from: 10, certificate: .known, branch: .settled)
            let prefix = try #require(try store.prefixes(of: [device.log])[device.log])
            guard case .chunk(let chunk)? = try whole.ranges([want], byteLimit: 1 << 20).first else { return }
            try store.take(#require(Self.verifier.verify(chunk, over: prefix).verified))
        }
        #expect(try store.derivedDump() == whole.derivedDump())
        #expect(try store.reader.fingerprint().fingerprint == whole.reader.fingerprint().fingerprint)
    }

    @Test func `Evidence of a cut in the gap is of no effect where the settled history is here`() throws {
        let posts = try (0..<60).map { Payload.post(try Post(salt: .test, text: "post \($0)")) }
        let branches = [(of: 0, keep: 0, then: posts), (of: 0, keep: 20, then: Array(posts[..<5]))]
        let log = ForkedLog(try Device(person: 1), branches)
        let whole = try EntryStore.inMemory()
        try whole.take(log.chunk(0, 0..<60, size: 60))
        let store = try EntryStore.inMemory()
        try fetch(log.log, .newest(20), from: whole, to: store)
        let settlement = try Device.settlement(1, log.log, log.known(0, 50), serial: 5)
        let evidence = try #require(log.evidence(0, 1))
        let certificate = log.device.certificate
        for batch in [
            TakeBatch(SettlementArrival(signed: settlement, certificate: certificate, source: .peer)),
            TakeBatch(EvidenceArrival(evidence: evidence, certificate: certificate, source: .peer)),
        ] {
            let known = try #require(try whole.take(batch).standings.first)
            let report = try store.take(batch)
            #expect(report.standings.first?.isComplete == true && known.isComplete)
            #expect(report.gaps == [GapPlace(log: log.log, bounds: 0..<40)])
            // Nor is it let go of, where that was decided before the settlement was here.
            var drop = TakeBatch()
            drop.droppedWindows = [log.log]
            #expect(try store.take(drop).gaps == report.gaps)
            let item = try store.state().frontier.first?.item
            #expect(try item?.size == 50 && item == whole.state().frontier.first?.item)
        }
    }

    @Test func `No settlement is made at a place that is not here`() throws {
        let (device, whole) = try writer(60)
        let store = try EntryStore.inMemory()
        try fetch(device.log, .newest(20), from: whole, to: store)
        #expect(try store.reader.settlement(for: device.log, keeping: .first(30)) == nil)
        #expect(
            try store.reader.settlement(for: device.log, keeping: .first(50))
                == whole.reader.settlement(for: device.log, keeping: .first(50))
        )
        #expect(try store.reader.settlement(for: device.log, keeping: .everythingHeld)?.size == 60)
    }

    @Test func `Nothing is left out of the own log`() throws {
        let (device, whole) = try writer(60)
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(device.certificate)
        let report = try #require(try fetch(device.log, .newest(20), from: whole, to: store))
        #expect(report.skipped == [device.log] && report.gaps.isEmpty)
        #expect(try store.state().gaps.isEmpty && store.state().frontier.isEmpty)
    }

    @Test func `A log that is forgotten leaves no gap behind`() throws {
        let store = try EntryStore.inMemory()
        let late = try Device(person: 1, device: 99, serial: 99)
        for number in 0..<30 { try late.post("post \(number)", time: UInt64(number)) }
        let whole = try EntryStore.inMemory()
        try whole.take(late.chunk())
        try fetch(late.log, .newest(5), from: whole, to: store)
        #expect(try store.state().gaps.count == 1)
        for number in 1...16 as ClosedRange<UInt8> {
            let device = try Device(person: 1, device: number)
            try device.post("a post", time: 1)
            try store.take(device.chunk())
        }
        #expect(try store.state().gaps.isEmpty && store.state().frontier.count == 16)
        let rows = try store.writer.read { db in try Prepared(db, "SELECT count(*) FROM gaps").first { $0.count(0) } }
        #expect(rows == 0)
    }
}
