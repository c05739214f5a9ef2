import Entries
import Sodium
import Storage
import Sync
import Testing

@testable import Transport

/// What becomes of a bundle over what a home holds already.
struct BundleIntakeTests {
    private func bytes(_ author: BundleAuthor, from start: UInt64 = 0, chunkBytes: Int = 1 << 20) throws -> [UInt8] {
        try TestBundle.bytes(try author.chunks(from: start, bytes: chunkBytes).map { [$0] })
    }

    @Test func `Twice the same changes nothing the second time`() throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<20 { try hazel.post("post \(number)") }
        let store = try TestBundle.emptyStore()
        #expect(try TestBundle.take(bytes(hazel, chunkBytes: 3_000), into: store).entries == 20)
        let (before, number) = (try store.print, try store.state().number)
        let again = try TestBundle.take(bytes(hazel, chunkBytes: 3_000), into: store)
        #expect(again.entries == 0 && again.people == 0 && again.isComplete)
        #expect(try store.print == before)
        #expect(try store.state().number == number)
    }

    @Test func `Of a longer export only the rest is taken, wherever it was cut`() throws {
        let hazel = try BundleAuthor(1)
        let store = try TestBundle.emptyStore()
        for round in 1...6 {
            for number in 0..<round { try hazel.post("round \(round), post \(number)") }
            let summary = try TestBundle.take(bytes(hazel, chunkBytes: 2_000 + round * 300), into: store)
            #expect(summary.entries == UInt64(round) && summary.isComplete)
            #expect(try store.print == hazel.store.print)
        }
    }

    @Test func `A part that begins after what is held is counted, and taken once the rest is there`() throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<10 { try hazel.post("post \(number)") }
        let store = try TestBundle.emptyStore()
        let late = try TestBundle.take(bytes(hazel, from: 6), into: store)
        #expect(late.entries == 0 && late.laterLogs == 1 && !late.isComplete && late.fault == nil)
        #expect(try store.size(of: hazel.log) == 0)
        // Both in one file, the wrong way round: once it was told, the log is no longer behind.
        let both = try TestBundle.bytes([hazel.chunks(from: 6), hazel.chunks()])
        let summary = try TestBundle.take(both, into: store)
        #expect(summary.entries == 10 && summary.laterLogs == 0)
    }

    @Test func `Logs that begin later are counted up to a bound, whoever made them up`() throws {
        let count = TransportLimits.lateLogsCount + 2
        let chunks = (0..<count).map { number in
            UnverifiedChunk(
                log: LogID(raw: Blake2b.hash(.payload, Array("\(number)".utf8))),
                certificate: nil,
                start: 1,
                count: 1,
                size: 2,
                proof: .known,
                entries: [],
                right: []
            )
        }
        var lot = BundleLot()
        let place = BundlePlace(frame: 1, offset: 0)
        lot.add(.chunks(chunks), Frame(type: 5, body: []), at: place)
        var receipt = BundleReceipt()
        receipt.verdicts = Array(repeating: .later, count: count)
        var summary = ImportSummary()
        summary.add(receipt, of: lot)
        #expect(summary.laterLogs == TransportLimits.lateLogsCount && !summary.isComplete)
    }

    /// A store that has the newest entries of a log alone.
    private func window(_ author: BundleAuthor, newest: UInt64) throws -> EntryStore {
        let store = try TestBundle.emptyStore()
        let want = RangeWant(log: author.log, from: 0, certificate: .send, extent: .newest(newest))
        guard case .chunk(var chunk)? = try author.store.ranges([want], byteLimit: 1 << 20).first else { return store }
        chunk.askedFrom = 0
        let verifier = ChunkVerifier(network: BundleAuthor.network)
        guard case .verified(let verified) = verifier.verify(chunk, over: .none) else { return store }
        var batch = TakeBatch()
        batch.chunks = [.init(chunk: verified, source: NodeID(raw: .zero))]
        _ = try store.take(batch)
        return store
    }

    @Test(arguments: [900, 1_500, 4_000, 1 << 20])
    func `What was left out of a log comes by file too, however it is cut`(chunkBytes: Int) throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<200 { try hazel.post("post \(number)") }
        let store = try window(hazel, newest: 30)
        #expect(try store.state().gaps == [GapPlace(log: hazel.log, bounds: 0..<170)])
        // The writer went on, so that the file's chunks are under another head than the one that is known here.
        for number in 200..<220 { try hazel.post("post \(number)") }
        let summary = try TestBundle.take(bytes(hazel, chunkBytes: chunkBytes), into: store)
        #expect(summary.isComplete && summary.fault == nil)
        #expect(summary.entries == 190)
        #expect(try store.state().gaps.isEmpty)
        #expect(try store.print == hazel.store.print)
        #expect(try store.reader.status().entries == 220)
        let again = try TestBundle.take(bytes(hazel, chunkBytes: chunkBytes), into: store)
        #expect(again.entries == 0 && again.isComplete)
    }

    @Test func `A file that has only part of what is missing brings that part`() throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<200 { try hazel.post("post \(number)") }
        let store = try window(hazel, newest: 30)
        let chunks = try hazel.chunks(bytes: 2_000)
        let half = chunks.prefix(chunks.count / 2)
        let end = try #require(half.last.map { $0.start + $0.count })
        #expect(try TestBundle.take(TestBundle.bytes(half.map { [$0] }), into: store).entries == end)
        #expect(try store.state().gaps == [GapPlace(log: hazel.log, bounds: end..<170)])
        // What begins later is of no use before that.
        let late = try TestBundle.take(TestBundle.bytes([[chunks[chunks.count / 2 + 1]]]), into: store)
        #expect(late.entries == 0 && late.fault == nil)
        #expect(try TestBundle.take(bytes(hazel), into: store).entries == 170 - end)
        #expect(try store.state().gaps.isEmpty)
    }

    @Test func `Another history fills no gap`() throws {
        let (one, two) = try fork(common: 20, left: 60, right: 60)
        let store = try window(one, newest: 10)
        #expect(try store.state().gaps.count == 1)
        // The common part of a chunk under the other head leads to another root.
        let summary = try TestBundle.take(bytes(two, chunkBytes: 1_000), into: store)
        #expect(summary.entries == 0)
        #expect(try store.state().gaps.first?.bounds.lowerBound == 0)
        #expect(try TestBundle.take(bytes(one, chunkBytes: 1_000), into: store).entries == 70)
        #expect(try store.state().gaps.isEmpty && store.print == one.store.print)
    }

    @Test func `Frames of a later version are passed over`() throws {
        let hazel = try BundleAuthor(1)
        try hazel.post("a")
        let frames = try [
            Frame(type: 23, body: [0xFF, 0xFF]), ChunksFrame.encode(hazel.chunks()), Frame(type: 200, body: []),
        ]
        let store = try TestBundle.emptyStore()
        let summary = try TestBundle.take(TestBundle.bytes(frames: frames), into: store)
        #expect(summary.entries == 1 && summary.isComplete)
    }

    // MARK: Forks and lies

    /// The same home, copied after so many posts: both go on.
    private func fork(common: Int, left: Int, right: Int) throws -> (BundleAuthor, BundleAuthor) {
        let (one, two) = (try BundleAuthor(1), try BundleAuthor(1))
        for number in 0..<common { try one.post("common \(number)") }
        if common > 0 { _ = try TestBundle.take(bytes(one), into: two.store) }
        // The copy signs on, as one does that was never told.
        try two.signOn()
        for number in 0..<left { try one.post("left \(number)") }
        for number in 0..<right { try two.post("right \(number)") }
        return (one, two)
    }

    @Test(arguments: [(0, 1, 1), (0, 3, 1), (2, 1, 1), (2, 1, 4), (2, 4, 1), (5, 3, 3)])
    func `A fork is said, the log ends at it, and everything else is taken`(common: Int, left: Int, right: Int)
        throws
    {
        let (one, two) = try fork(common: common, left: left, right: right)
        let rowan = try BundleAuthor(2)
        try rowan.post("nobody's fork")
        let store = try TestBundle.emptyStore()
        _ = try TestBundle.take(bytes(one), into: store)
        let summary = try TestBundle.take(TestBundle.bytes([two.chunks(), rowan.chunks()]), into: store)
        #expect(summary.forkedLogs == 1 && summary.differingLogs == 0 && summary.fault == nil && summary.isComplete)
        #expect(summary.entries == 1)
        #expect(try store.size(of: one.log) == UInt64(common + left))
        #expect(try store.size(of: rowan.log) == 1)
        #expect(try store.reader.status().entries == common + 1)
    }

    @Test func `A part of another branch is left alone where nothing shows who is to blame`() throws {
        let (one, two) = try fork(common: 3, left: 2, right: 4)
        let store = try TestBundle.emptyStore()
        _ = try TestBundle.take(bytes(one), into: store)
        let summary = try TestBundle.take(bytes(two, from: 4), into: store)
        #expect(summary.differingLogs == 1 && summary.forkedLogs == 0 && summary.fault == nil)
        #expect(try store.size(of: one.log) == 5)
    }

    @Test func `A forged head is a fault also behind what is true, and what came before stays`() throws {
        let (hazel, rowan) = (try BundleAuthor(1), try BundleAuthor(2))
        for number in 0..<8 { try hazel.post("post \(number)") }
        try rowan.post("behind")
        var parts = try hazel.chunks(bytes: 2_400)
        #expect(parts.count >= 3)
        parts[2] = forged(parts[2])
        let store = try TestBundle.emptyStore()
        let frames = try parts.map { [$0] } + [rowan.chunks()]
        let summary = try TestBundle.take(TestBundle.bytes(frames), into: store)
        #expect(summary.fault?.fault == .badProof)
        #expect(summary.fault?.place.frame == 3)
        #expect(summary.entries == parts[0].count + parts[1].count)
        #expect(try store.size(of: hazel.log) == parts[2].start)
        #expect(try store.size(of: rowan.log) == 0)
    }

    @Test func `What stands behind a forged head in the same frame is not taken either`() throws {
        let (hazel, rowan) = (try BundleAuthor(1), try BundleAuthor(2))
        for number in 0..<8 { try hazel.post("post \(number)") }
        try rowan.post("behind")
        var parts = try hazel.chunks(bytes: 2_400)
        parts[2] = forged(parts[2])
        let store = try TestBundle.emptyStore()
        let summary = try TestBundle.take(TestBundle.bytes([parts + rowan.chunks()]), into: store)
        #expect(summary.fault?.fault == .badProof)
        #expect(summary.entries == parts[0].count + parts[1].count)
        #expect(try store.size(of: rowan.log) == 0)
    }

    @Test func `A forged head of what is here already is a fault`() throws {
        let hazel = try BundleAuthor(1)
        try hazel.post("a")
        let store = try TestBundle.emptyStore()
        _ = try TestBundle.take(bytes(hazel), into: store)
        let parts = try hazel.chunks().map { [forged($0)] }
        #expect(try TestBundle.take(TestBundle.bytes(parts), into: store).fault?.fault == .badProof)
    }

    /// What a file brought a moment ago is held like anything else, however it was cut.
    @Test(arguments: [BundleLot.Bounds.frame, .transaction])
    func `What the same lot brought is compared as well`(bounds: BundleLot.Bounds) throws {
        let (one, two) = try fork(common: 3, left: 3, right: 2)
        let (whole, other) = (try one.chunks(), try two.chunks(from: 3))
        for frames in [[whole + other], [whole, other]] {
            let store = try TestBundle.emptyStore()
            let summary = try TestBundle.take(TestBundle.bytes(frames), into: store, bounds: bounds)
            #expect(summary.forkedLogs == 1 && summary.fault == nil)
            #expect(try store.size(of: one.log) == 6)
        }
        let short = try BundleAuthor(1)
        for number in 0..<3 { try short.post("common \(number)") }
        let lie = try short.chunks().map(forged)
        for frames in [[whole + lie], [whole, lie]] {
            let store = try TestBundle.emptyStore()
            let summary = try TestBundle.take(TestBundle.bytes(frames), into: store, bounds: bounds)
            #expect(summary.fault?.fault == .badProof)
        }
    }

    private func forged(_ chunk: UnverifiedChunk) -> UnverifiedChunk {
        UnverifiedChunk(
            log: chunk.log,
            certificate: chunk.certificate,
            start: chunk.start,
            count: chunk.count,
            size: chunk.size,
            proof: Signature([UInt8](repeating: 1, count: 64)).map(ChunkProof.head) ?? chunk.proof,
            entries: chunk.entries,
            right: chunk.right
        )
    }

    // MARK: Bodies

    @Test func `A missing body comes with a bundle that brings nothing else`() throws {
        let hazel = try BundleAuthor(1)
        let ids = try (0..<4).map { try hazel.post("post \($0)") }
        let store = try TestBundle.emptyStore()
        let withheld = try hazel.chunks().map { [try without($0, body: 2)] }
        _ = try TestBundle.take(TestBundle.bytes(withheld), into: store)
        #expect(try store.reader.fingerprint().wantedBodies == 1)
        let summary = try TestBundle.take(bytes(hazel), into: store)
        #expect(summary.entries == 0 && summary.bodies == 1 && summary.hasNews)
        #expect(try store.reader.fingerprint().wantedBodies == 0)
        guard case .shown(let text)? = try store.reader.post(ids[2], reader: nil)?.content else {
            Issue.record("the post is not shown")
            return
        }
        #expect(text.text == "post 2")
    }

    @Test func `A false body is not taken`() throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<4 { try hazel.post("post \(number)") }
        let store = try TestBundle.emptyStore()
        let withheld = try hazel.chunks().map { [try without($0, body: 2)] }
        _ = try TestBundle.take(TestBundle.bytes(withheld), into: store)
        let chunk = try #require(try hazel.chunks().first)
        let word = Array("post 2".utf8)
        var entries = chunk.entries
        let place = try #require(
            entries.indices.first { entries[$0...].starts(with: word) }
        )
        entries[place + 5] = UInt8(ascii: "9")
        let summary = try TestBundle.take(TestBundle.bytes([[chunk.with(entries: entries)]]), into: store)
        #expect(summary.bodies == 0)
        #expect(try store.reader.fingerprint().wantedBodies == 1)
    }

    @Test func `What was erased is erased wherever the file comes`() throws {
        let hazel = try BundleAuthor(1)
        let id = try hazel.post("words that go")
        try hazel.post("words that stay")
        let early = try bytes(hazel)
        try hazel.delete(id)
        let late = try bytes(hazel)
        #expect(!late.contains(Array("words that go".utf8)))
        for order in [[early, late], [late, early]] {
            let store = try TestBundle.emptyStore()
            for file in order { _ = try TestBundle.take(file, into: store) }
            #expect(try store.print == hazel.store.print)
            #expect(try store.reader.post(id, reader: nil)?.content != nil)
            #expect(try store.reader.fingerprint().wantedBodies == 0)
        }
    }

    private func without(_ chunk: UnverifiedChunk, body index: Int) throws -> UnverifiedChunk {
        var entries = try EntryCoding.decode(
            chunk.entries[...],
            count: Int(chunk.count),
            log: chunk.log,
            start: chunk.start
        )
        entries[index] = Entry(withheld: entries[index].header)
        return chunk.with(entries: EntryCoding.encode(entries))
    }

    // MARK: The own log

    @Test func `A bundle with the own log as it is, or less of it, lets it leave`() throws {
        let hazel = try BundleAuthor(1)
        try hazel.post("a")
        let early = try bytes(hazel)
        try hazel.post("b")
        #expect(try hazel.store.ownRelease()?.published == 0)
        let summary = try TestBundle.take(early, into: hazel.store)
        #expect(summary.ownLog == .agreed)
        #expect(try hazel.store.ownRelease()?.published == 2)
        #expect(try hazel.store.reader.status().signing == .allowed)
    }

    @Test func `A bundle without the own log says nothing about it`() throws {
        let (hazel, rowan) = (try BundleAuthor(1), try BundleAuthor(2))
        try hazel.post("a")
        try rowan.post("b")
        #expect(try TestBundle.take(bytes(rowan), into: hazel.store).ownLog == nil)
        #expect(try hazel.store.ownRelease()?.published == 0)
    }

    @Test func `A bundle with more of the own log ends signing, and is taken`() throws {
        let (one, two) = try fork(common: 2, left: 0, right: 2)
        let summary = try TestBundle.take(bytes(two), into: one.store)
        #expect(summary.ownLog == .stopped && summary.entries == 2)
        #expect(try one.store.reader.status().signing == .stopped)
        #expect(throws: AppendError.refused(.signingStopped)) { try one.post("no") }
        // What the file holds has left some home, and all before it.
        #expect(try one.store.releaseOwnLog()?.published == 4)
    }

    @Test func `A bundle that forks the own log ends signing`() throws {
        let (one, two) = try fork(common: 2, left: 1, right: 1)
        let summary = try TestBundle.take(bytes(two), into: one.store)
        #expect(summary.ownLog == .stopped && summary.forkedLogs == 1)
        #expect(throws: AppendError.refused(.signingStopped)) { try one.post("no") }
    }

    @Test func `A head of more than there is ends signing though its entries are not in the file`() throws {
        let (one, two) = try fork(common: 2, left: 0, right: 6)
        let first = try #require(try two.chunks(bytes: 2_400).first)
        #expect(first.count <= 2 && first.size == 8)
        let summary = try TestBundle.take(TestBundle.bytes([[first]]), into: one.store)
        #expect(summary.ownLog == .stopped && summary.entries == 0)
    }

    @Test func `Behind a part that agrees, a head of more ends signing all the same`() throws {
        let (one, two) = try fork(common: 2, left: 0, right: 6)
        let agreeing = try #require(try one.chunks().first)
        let more = try #require(try two.chunks(bytes: 2_400).first)
        #expect(agreeing.size == 2 && more.count <= 2 && more.size == 8)
        let summary = try TestBundle.take(TestBundle.bytes([[agreeing, more]]), into: one.store)
        #expect(summary.ownLog == .stopped && summary.entries == 0)
        #expect(throws: AppendError.refused(.signingStopped)) { try one.post("no") }
    }
}

extension UnverifiedChunk {
    func with(entries: [UInt8]) -> UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: certificate,
            start: start,
            count: count,
            size: size,
            proof: proof,
            entries: entries,
            right: right
        )
    }
}
