import Entries
import Sodium
import Storage
import Sync
import Testing

@testable import Transport

/// How often one file has the entries of an identity counted anew (`protocol/bundle.md` §4).
struct BundleRecountsTests {
    private static let most = TransportLimits.bundleRecounts

    /// Somebody with so many posts, and a store that holds them.
    private func author(posts: Int) throws -> (BundleAuthor, EntryStore) {
        let author = try BundleAuthor(1)
        for number in 0..<posts { try author.post("post \(number)") }
        let store = try TestBundle.emptyStore()
        #expect(try TestBundle.take(TestBundle.all(author.store), into: store).isComplete)
        return (author, store)
    }

    /// Settlements of these sizes, each in force over the one before, in a frame of its own.
    private func settling(_ author: BundleAuthor, _ sizes: [Int]) throws -> [Frame] {
        try sizes.enumerated().flatMap { index, size in
            try ChangesFrame.encode([author.words(author.settlement(UInt64(size), serial: 10 + UInt64(index)))])
        }
    }

    private func counted(_ author: BundleAuthor, _ store: EntryStore) throws -> UInt64? {
        try store.reader.exportedLogs(after: 0, limit: 99).logs.first { $0.log == author.log }?.size
    }

    // MARK: What is beyond the bound

    @Test(arguments: [BundleLot.Bounds.frame, .transaction])
    func `Of settlements each of which takes something back a few are taken, and the rest when it is read again`(
        bounds: BundleLot.Bounds
    ) throws {
        let (hazel, store) = try author(posts: Self.most + 4)
        let sizes = (0..<Self.most + 2).map { Self.most + 3 - $0 }
        let bytes = try TestBundle.bytes(frames: settling(hazel, sizes))
        let first = try TestBundle.take(bytes, into: store, bounds: bounds)
        #expect(first.fault == nil && first.laterLogs == 1 && first.passedLogs == 1 && !first.isComplete)
        #expect(first.settledLogs == 1)
        #expect(try counted(hazel, store) == UInt64(sizes[Self.most - 1]))
        let second = try TestBundle.take(bytes, into: store, bounds: bounds)
        #expect(second.isComplete && second.laterLogs == 0 && second.settledLogs == 1)
        #expect(try counted(hazel, store) == sizes.last.map { UInt64($0) })
        let third = try TestBundle.take(bytes, into: store, bounds: bounds)
        #expect(third.isComplete && !third.hasNews)
    }

    @Test func `Settlements that keep one or all by turns come to an end`() throws {
        let (hazel, store) = try author(posts: 12)
        let sizes = (0..<Self.most * 2 + 3).map { $0.isMultiple(of: 2) ? 1 : 12 }
        let bytes = try TestBundle.bytes(frames: settling(hazel, sizes))
        let number = try store.state().number
        #expect(try TestBundle.take(bytes, into: store).passedLogs == 1)
        // Between two that take something back one gives it back.
        #expect(try store.state().number - number == UInt64(Self.most * 2 - 1))
        #expect(try counted(hazel, store) == 1)
        #expect(try TestBundle.take(bytes, into: store).isComplete)
        #expect(try counted(hazel, store) == 1)
    }

    @Test func `The logs of one identity share the bound`() throws {
        let (hazel, store) = try author(posts: 12)
        let other = try BundleAuthor(1, device: 3)
        for number in 0..<12 { try other.post("on the other device \(number)") }
        _ = try TestBundle.take(TestBundle.all(other.store), into: store)
        let sizes = Array((6...11).reversed())
        let frames = zip(try settling(hazel, sizes), try settling(other, sizes)).flatMap { [$0, $1] }
        let summary = try TestBundle.take(TestBundle.bytes(frames: frames), into: store)
        #expect(summary.settledLogs == 2 && summary.passedLogs == 2)
        let left = try [hazel, other].compactMap { try counted($0, store) }
        #expect(left.reduce(0, +) == UInt64(24 - Self.most))
    }

    @Test(arguments: [true, false])
    func `Forks that the chunks show, each before the last, count as well`(areInOneFrame: Bool) throws {
        let trunk = try BundleAuthor(1)
        var chunks: [UnverifiedChunk] = []
        for number in 1...Self.most + 2 {
            try trunk.post("post \(number)")
            let copy = try BundleAuthor(1)
            _ = try TestBundle.take(TestBundle.all(trunk.store), into: copy.store)
            try copy.signOn()
            try copy.post("by copy \(number)")
            _ = try copy.store.releaseOwnLog()
            chunks = try copy.chunks(from: UInt64(number)) + chunks
        }
        try trunk.post("the last")
        let store = try TestBundle.emptyStore()
        _ = try TestBundle.take(TestBundle.all(trunk.store), into: store)
        let bytes = try TestBundle.bytes(areInOneFrame ? [chunks] : chunks.map { [$0] })
        let first = try TestBundle.take(bytes, into: store, bounds: .transaction)
        #expect(first.fault == nil && first.forkedLogs == 1 && first.passedLogs == 1 && !first.isComplete)
        #expect(try counted(trunk, store) == 3)
        let second = try TestBundle.take(bytes, into: store, bounds: .transaction)
        #expect(second.isComplete && second.forkedLogs == 1)
        #expect(try counted(trunk, store) == 1)
    }

    @Test func `Entries beyond the bound wait with the words, those of others do not, and an account may end`() throws {
        let (hazel, store) = try author(posts: 12)
        let (other, rowan) = (try BundleAuthor(1, device: 3), try BundleAuthor(2))
        try other.post("on the other device")
        try rowan.post("by somebody else")
        let spent = try settling(hazel, (0..<Self.most).map { 11 - $0 })
        let entries = try [other, rowan].map { try ChunksFrame.encode($0.chunks()) }
        let bytes = try TestBundle.bytes(frames: spent + entries)
        let first = try TestBundle.take(bytes, into: store)
        #expect(first.entries == 1 && first.laterLogs == 1 && first.passedLogs == 1 && first.fault == nil)
        #expect(try store.size(of: other.log) == 0)
        #expect(try store.size(of: rowan.log) == 1)
        let second = try TestBundle.take(bytes, into: store)
        #expect(second.entries == 1 && second.isComplete)
        let ended = try TestBundle.emptyStore()
        _ = try TestBundle.take(TestBundle.all(hazel.store), into: ended)
        let end = try ChangesFrame.encode([hazel.endWords(hazel.end())])
        #expect(try TestBundle.take(TestBundle.bytes(frames: spent + end), into: ended).endedAccounts == 1)
        #expect(try ended.size(of: hazel.log) == 0)
    }

    @Test func `What is false ends the reading beyond the bound too`() throws {
        let (hazel, store) = try author(posts: 12)
        let oak = try BundleAuthor(3)
        try oak.post("behind")
        let true_ = try settling(hazel, (0..<Self.most + 2).map { 11 - $0 })
        var changed = try hazel.settlement(2, serial: 99).bytes
        changed[207] ^= 1
        let false_ = ChangesFrame.encode([hazel.words(bytes: changed)])
        let bytes = try TestBundle.bytes(frames: true_ + false_ + [ChunksFrame.encode(oak.chunks())])
        let summary = try TestBundle.take(bytes, into: store)
        #expect(summary.fault?.fault == .badSettlement)
        #expect(summary.fault?.place.frame == UInt64(Self.most + 3))
        #expect(summary.passedLogs == 1)
        #expect(try store.size(of: oak.log) == 0)
    }

    // MARK: What is not

    @Test(arguments: [BundleLot.Bounds.frame, .transaction])
    func `One settlement and one piece of evidence of a log are well within the bound`(bounds: BundleLot.Bounds) throws
    {
        let (one, two) = try BundleAuthor.fork(common: 2, left: 3, right: 4)
        let store = try TestBundle.emptyStore()
        _ = try TestBundle.take(TestBundle.all(one.store), into: store)
        let writer = try TestBundle.emptyStore()
        for author in [two, one] { _ = try TestBundle.take(TestBundle.all(author.store), into: writer) }
        let words = try ChangesFrame.encode([two.words(two.settlement(5))])
        _ = try TestBundle.take(TestBundle.bytes(frames: words), into: writer)
        let bytes = try TestBundle.all(writer, chunkBytes: 2_400)
        for round in 0..<3 {
            let summary = try TestBundle.take(bytes, into: store, bounds: bounds)
            #expect(summary.isComplete && summary.passedLogs == 0, "reading \(round)")
            // The second one may bring texts that the first had no place for.
            #expect(round < 2 || !summary.hasNews, "reading \(round)")
            #expect(try store.print == writer.print, "reading \(round)")
        }
    }

    @Test func `What is no news is not counted`() throws {
        let (hazel, store) = try author(posts: 12)
        let same = try settling(hazel, [8])
        let frames = try Array(repeating: same, count: Self.most + 3).flatMap { $0 } + settling(hazel, [8, 7])
        let summary = try TestBundle.take(TestBundle.bytes(frames: frames), into: store)
        #expect(summary.isComplete)
        #expect(try counted(hazel, store) == 7)
    }

    // MARK: The count

    @Test func `All identities together have a bound too`() throws {
        let identities = (0..<3).map { IdentityID(raw: Blake2b.hash(.payload, [$0])) }
        let half = TransportLimits.bundleRecountedBytes / 2
        var recounts = BundleRecounts()
        recounts.add([.init(identity: identities[0], entries: 0, choiceBytes: half)])
        recounts.add([.init(identity: identities[1], entries: half / 64 - 1)])
        #expect(identities.allSatisfy { !recounts.isSpent($0) })
        recounts.add([.init(identity: identities[1], entries: 1)])
        #expect(identities.allSatisfy { recounts.isSpent($0) })
    }

    @Test func `Beyond the identities that have a place nobody has anything left`() {
        let identities = (0...TransportLimits.bundleRecountedIdentities).map { number in
            IdentityID(raw: Blake2b.hash(.payload, Array("\(number)".utf8)))
        }
        let all = identities.map { TakeReport.Recount(identity: $0, entries: 1) }
        var recounts = BundleRecounts()
        recounts.add(Array(all.dropLast()))
        #expect(!recounts.isSpent(identities[0]) && recounts.isSpent(identities[identities.count - 1]))
        recounts.add(all)
        #expect(!recounts.isSpent(identities[0]) && recounts.isSpent(identities[identities.count - 1]))
        for _ in 2..<Self.most { recounts.add([all[0]]) }
        #expect(recounts.isSpent(identities[0]) && !recounts.isSpent(identities[1]))
    }

    @Test func `A node knows the files that were read last, each by itself`() {
        let identity = IdentityID(raw: Blake2b.hash(.payload, [1]))
        let recount = TakeReport.Recount(identity: identity, entries: 1)
        var readings = BundleReadings()
        /// Reads a frame that makes it be counted anew so often; whether nothing is left then.
        func read(_ file: UInt64?, recounts count: Int) -> Bool {
            var recounts = readings.take(file)
            for _ in 0..<count { recounts.add([recount]) }
            readings.keep(recounts, of: file)
            return recounts.isSpent(identity)
        }
        #expect(!read(1, recounts: 1))
        #expect(read(1, recounts: Self.most - 1))
        // Without a number each frame is a file of its own.
        #expect(read(nil, recounts: Self.most))
        #expect(!read(nil, recounts: 0))
        for file in 1..<UInt64(TransportLimits.bundlesRead) { #expect(!read(1 + file, recounts: 0)) }
        #expect(read(1, recounts: 0))
        for file in 0..<UInt64(TransportLimits.bundlesRead) { #expect(!read(100 + file, recounts: 0)) }
        #expect(!read(1, recounts: 0))
    }
}
