import Entries
import Sodium
import Storage
import Sync
import Testing

@testable import Transport

/// Settlements, fork evidence and ends of accounts in a file (`protocol/bundle.md` §4).
struct BundleWordsTests {
    private func settle(_ store: EntryStore, _ settlement: SignedSettlement, of author: BundleAuthor) throws {
        let words = try TestBundle.bytes(frames: ChangesFrame.encode([author.words(settlement)]))
        #expect(try TestBundle.take(words, into: store).settledLogs == 1)
    }

    // MARK: What is true

    @Test(arguments: [BundleLot.Bounds.frame, .transaction])
    func `A device that was cut off is cut off wherever the file comes`(bounds: BundleLot.Bounds) throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<8 { try hazel.post("post \(number)") }
        let early = try TestBundle.all(hazel.store)
        try settle(hazel.store, try hazel.settlement(3), of: hazel)
        let late = try TestBundle.all(hazel.store, chunkBytes: 2_400)
        for order in [[early, late], [late, early], [late], [late, late]] {
            let store = try TestBundle.emptyStore()
            var summaries: [ImportSummary] = []
            for file in order { summaries.append(try TestBundle.take(file, into: store, bounds: bounds)) }
            #expect(summaries.map(\.isComplete) == order.map { _ in true })
            #expect(summaries.map(\.settledLogs).reduce(0, +) == 1)
            #expect(try store.print == hazel.store.print)
        }
    }

    @Test func `A settled log of which nothing stays travels too, and one that never existed`() throws {
        let (hazel, rowan) = (try BundleAuthor(1), try BundleAuthor(2))
        try hazel.post("gone")
        try settle(hazel.store, try hazel.settlement(0), of: hazel)
        // Nobody ever wrote the log of rowan's, and it is settled at more than nothing.
        let never = rowan.words(
            SignedSettlement(
                signing: Settlement(
                    network: BundleAuthor.network,
                    identity: rowan.certificate.certificate.identity,
                    log: rowan.log,
                    size: 5,
                    root: rowan.log.raw,
                    serial: 3
                ),
                with: try rowan.rootKey()
            )
        )
        let store = try TestBundle.emptyStore()
        let summary = try TestBundle.take(TestBundle.bytes(frames: ChangesFrame.encode([never])), into: store)
        #expect(summary.isComplete && summary.settledLogs == 1)
        #expect(try TestBundle.take(TestBundle.all(hazel.store), into: store).settledLogs == 1)
        let other = try TestBundle.emptyStore()
        #expect(try TestBundle.take(TestBundle.all(store), into: other).settledLogs == 2)
        #expect(try store.print == other.print)
        #expect(try other.reader.status().entries == 0)
    }

    @Test func `The end of an account is final wherever the file comes, and before what it ends`() throws {
        let (hazel, rowan) = (try BundleAuthor(1), try BundleAuthor(2))
        try hazel.post("words that go")
        try rowan.post("words that stay")
        let early = try TestBundle.all(hazel.store)
        let end = try TestBundle.bytes(frames: ChangesFrame.encode([hazel.endWords(hazel.end())]))
        for order in [[early, end], [end, early]] {
            let store = try TestBundle.emptyStore()
            var ended = 0
            for file in order + [try TestBundle.all(rowan.store)] {
                ended += try TestBundle.take(file, into: store).endedAccounts
            }
            #expect(ended == 1)
            #expect(try store.size(of: hazel.log) == 0)
            #expect(try store.size(of: rowan.log) == 1)
            let other = try TestBundle.emptyStore()
            #expect(try TestBundle.take(TestBundle.all(store), into: other).endedAccounts == 1)
            #expect(try store.print == other.print)
        }
        #expect(try TestBundle.take(end, into: hazel.store).endedAccounts == 1)
        #expect(throws: AppendError.refused(.accountEnded)) { try hazel.post("no") }
    }

    @Test(arguments: [(0, 1, 1), (0, 3, 1), (2, 1, 1), (2, 1, 4), (2, 4, 1), (5, 3, 3)])
    func `A fork that a file shows is proven, and the proof travels back`(common: Int, left: Int, right: Int) throws {
        let (one, two) = try BundleAuthor.fork(common: common, left: left, right: right)
        let (first, second) = (try TestBundle.emptyStore(), try TestBundle.emptyStore())
        _ = try TestBundle.take(TestBundle.all(one.store), into: first)
        _ = try TestBundle.take(TestBundle.all(two.store), into: second)
        let found = try TestBundle.take(TestBundle.all(second), into: first)
        #expect(found.forkedLogs == 1 && found.isComplete && found.hasNews)
        let back = try TestBundle.take(TestBundle.all(first), into: second)
        #expect(back.forkedLogs == 1 && back.isComplete)
        #expect(try first.print == second.print)
        // Once it is known nothing is news.
        for (file, store) in [(first, second), (second, first)] {
            let again = try TestBundle.take(TestBundle.all(file), into: store)
            #expect(!again.hasNews && again.isComplete && again.forkedLogs == 0)
        }
        let third = try TestBundle.emptyStore()
        #expect(try TestBundle.take(TestBundle.all(first), into: third).forkedLogs == 1)
        #expect(try third.print == first.print)
        // Nor is the whole of the other branch, which some older file still has.
        let old = try TestBundle.take(TestBundle.all(two.store), into: first)
        #expect(!old.hasNews && old.fault == nil)
    }

    @Test func `Where the other branch was settled, it takes the place of the one that is here, words and all`() throws
    {
        for (common, left, right, keep) in [(2, 3, 4, 5), (0, 2, 3, 3), (3, 1, 1, 4), (0, 8, 8, 8)] {
            let (one, two) = try BundleAuthor.fork(common: common, left: left, right: right)
            let store = try TestBundle.emptyStore()
            _ = try TestBundle.take(TestBundle.all(one.store), into: store)
            try settle(two.store, try two.settlement(UInt64(keep)), of: two)
            let summary = try TestBundle.take(
                TestBundle.all(two.store, chunkBytes: 2_400),
                into: store,
                bounds: .transaction
            )
            #expect(summary.settledLogs == 1 && summary.fault == nil && summary.isComplete)
            #expect(try store.print == two.store.print, "\(common) \(left) \(right) \(keep)")
            #expect(try store.reader.fingerprint().wantedBodies == 0)
        }
    }

    /// Takes what another store answers to one question.
    private func fetch(_ extent: RangeWant.Extent, of log: LogID, from sender: EntryStore, to store: EntryStore) throws
    {
        let prefix = try store.prefixes(of: [log])[log] ?? .none
        let want = RangeWant(log: log, from: 0, certificate: .send, extent: extent)
        guard case .chunk(var chunk)? = try sender.ranges([want], byteLimit: 1 << 20).first else { return }
        if !chunk.left.isEmpty { chunk.askedFrom = 0 }
        let verifier = ChunkVerifier(network: BundleAuthor.network)
        guard case .verified(let verified) = verifier.verify(chunk, over: prefix) else {
            Issue.record("the answer is not true")
            return
        }
        var batch = TakeBatch()
        batch.chunks.append(.init(chunk: verified, source: NodeID(raw: .zero)))
        _ = try store.take(batch)
    }

    @Test func `A fork among what is left out here is no fault, and is proven once that has come`() throws {
        let (one, two) = try BundleAuthor.fork(common: 2, left: 6, right: 8)
        let store = try TestBundle.emptyStore()
        try fetch(.newest(2), of: one.log, from: one.store, to: store)
        let early = try TestBundle.take(TestBundle.all(two.store), into: store)
        #expect(early.fault == nil && early.laterLogs == 1 && early.forkedLogs == 0 && !early.isComplete)
        #expect(try store.state().standings.isEmpty)
        try fetch(.until(6), of: one.log, from: one.store, to: store)
        let late = try TestBundle.take(TestBundle.all(two.store), into: store)
        #expect(late.fault == nil && late.forkedLogs == 1 && late.isComplete)
        let other = try TestBundle.emptyStore()
        for author in [two, one] { _ = try TestBundle.take(TestBundle.all(author.store), into: other) }
        #expect(try other.print == store.print)
    }

    @Test func `Two that never meet come to the same by files, whatever was forked, settled or ended`() throws {
        for _ in 0..<60 {
            let seed = UInt64.random(in: 0 ... .max)
            var random = BundleChance(seed: seed)
            let (one, two) = try BundleAuthor.fork(
                common: .random(in: 0...6, using: &random),
                left: .random(in: 0...6, using: &random),
                right: .random(in: 1...6, using: &random)
            )
            let stores = [try TestBundle.emptyStore(), try TestBundle.emptyStore()]
            for (author, store) in zip([one, two], stores) {
                _ = try TestBundle.take(TestBundle.all(author.store), into: store)
                guard Bool.random(using: &random) else { continue }
                let held = try author.store.size(of: author.log)
                guard held > 0 else { continue }
                let size = UInt64.random(in: 0...held, using: &random)
                try settle(store, try author.settlement(size, serial: .random(in: 1...9, using: &random)), of: author)
            }
            if Int.random(in: 0..<8, using: &random) == 0 {
                let end = try TestBundle.bytes(frames: ChangesFrame.encode([one.endWords(one.end())]))
                _ = try TestBundle.take(end, into: stores[0])
            }
            var trips = 0
            while try stores[0].print != stores[1].print, trips < 6 {
                let bytes = Int.random(in: 1_500...9_000, using: &random)
                let bounds: BundleLot.Bounds = Bool.random(using: &random) ? .frame : .transaction
                let summary = try TestBundle.take(
                    TestBundle.all(stores[trips % 2], chunkBytes: bytes),
                    into: stores[(trips + 1) % 2],
                    bounds: bounds
                )
                #expect(summary.fault == nil, "seed \(seed)")
                trips += 1
            }
            #expect(try stores[0].print == stores[1].print, "seed \(seed), after \(trips) trips")
        }
    }

    // MARK: What is not

    /// Takes a true log, then the words, then another log, in three frames.
    private func fault(
        _ words: LogWords,
        at location: SourceLocation = #_sourceLocation
    ) throws -> BundleFault? {
        let (rowan, oak) = (try BundleAuthor(2), try BundleAuthor(3))
        try rowan.post("before")
        try oak.post("behind")
        let frames = try [ChunksFrame.encode(rowan.chunks())] + ChangesFrame.encode([words])
        let bytes = try TestBundle.bytes(frames: frames + [ChunksFrame.encode(oak.chunks())])
        var faults: Set<BundleFault?> = []
        for bounds in [BundleLot.Bounds.frame, .transaction] {
            let store = try TestBundle.emptyStore()
            let summary = try TestBundle.take(bytes, into: store, bounds: bounds)
            #expect(summary.fault?.place.frame == 2, sourceLocation: location)
            #expect(summary.entries == 1 && summary.settledLogs == 0, sourceLocation: location)
            #expect(try store.size(of: rowan.log) == 1, sourceLocation: location)
            #expect(try store.size(of: oak.log) == 0, sourceLocation: location)
            faults.insert(summary.fault?.fault)
        }
        #expect(faults.count == 1, sourceLocation: location)
        return faults.first ?? nil
    }

    @Test func `Forged settlements name themselves, and what came before them stays`() throws {
        let (hazel, birch) = (try BundleAuthor(1), try BundleAuthor(4))
        for number in 0..<3 { try hazel.post("post \(number)") }
        try birch.post("one")
        let true_ = try hazel.settlement(2)
        var changed = true_.bytes
        changed[103] ^= 1
        #expect(try fault(hazel.words(bytes: changed)) == .badSettlement)
        changed = true_.bytes
        changed[207] ^= 1
        #expect(try fault(hazel.words(bytes: changed)) == .badSettlement)
        // Of another log, and of another person's.
        #expect(try fault(hazel.words(bytes: birch.settlement(1).bytes)) == .badSettlement)
        // Without a certificate nothing but the end of an account is settled, and that under its own name.
        #expect(try fault(hazel.endWords(birch.end())) == .badSettlement)
        let far = try BundleAuthor(1, network: NetworkID(name: "elsewhere"))
        try far.post("one")
        #expect(try fault(far.words(far.settlement(1))) == .badSettlement)
        var certificate = hazel.certificate.bytes
        certificate[199] ^= 1
        #expect(try fault(hazel.words(bytes: true_.bytes, certificate: certificate)) == .badCertificate)
        #expect(try fault(hazel.words(bytes: true_.bytes, certificate: birch.certificate.bytes)) == .badCertificate)
    }

    @Test func `Evidence that proves nothing names itself`() throws {
        let (one, two) = try BundleAuthor.fork(common: 2, left: 2, right: 2)
        let store = try TestBundle.emptyStore()
        for author in [one, two] { _ = try TestBundle.take(TestBundle.all(author.store), into: store) }
        let said = try #require(try store.reader.exportedLogs(after: 0, limit: 9).logs.first?.words)
        let evidence = try #require(said.words.evidence)
        for (place, change) in [(evidence.count - 1, 1), (36, 3), (45, 1)] {
            var changed = evidence
            changed[place] ^= UInt8(change)
            let false_ = LogWords(
                log: said.log,
                known: said.known,
                words: Words(settlement: nil, evidence: changed, certificate: said.words.certificate)
            )
            #expect(try fault(false_) == .falseEvidence, "byte \(place)")
        }
    }
}
