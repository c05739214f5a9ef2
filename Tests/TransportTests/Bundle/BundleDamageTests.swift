import Entries
import Storage
import Sync
import Testing

@testable import Transport

/// A file that was cut or changed anywhere: it is noticed, what came before stays, and nothing untrue gets in.
struct BundleDamageTests {
    /// Two people's logs in three frames, small enough to be damaged everywhere.
    private static func small() throws -> (whole: [UInt8], store: EntryStore, sizes: [LogID: [EntryID]]) {
        let (hazel, rowan) = (try BundleAuthor(1), try BundleAuthor(2))
        let ids = [hazel.log: [try hazel.post("a"), try hazel.post("b")], rowan.log: [try rowan.post("c")]]
        let parts = try hazel.chunks(bytes: 2_400)
        #expect(parts.count == 2, "the log is in two frames")
        let frames = try parts.map { [$0] } + [rowan.chunks()]
        let whole = try TestBundle.bytes(frames)
        let store = try TestBundle.emptyStore()
        let summary = try TestBundle.take(whole, into: store)
        #expect(summary.isComplete && summary.entries == 3 && summary.people == 2)
        return (whole, store, ids)
    }

    /// Every entry in the store is one that was written, in its place.
    private func expectOnlyTruth(_ store: EntryStore, _ sizes: [LogID: [EntryID]], _ what: String) throws {
        for (log, ids) in sizes {
            let size = try store.size(of: log)
            #expect(size <= UInt64(ids.count), "\(what)")
            var range = LogRange()
            for id in ids.prefix(Int(size)) { range.append(leaf: id.raw) }
            let held = try store.prefixes(of: [log])[log]?.range ?? LogRange()
            #expect(held == range, "\(what)")
        }
        #expect(try store.reader.status().logs <= sizes.count, "\(what)")
    }

    @Test func `Cut at every byte, it is said, and what is whole until there is kept`() throws {
        let (whole, full, sizes) = try Self.small()
        var most: UInt64 = 0
        for cut in 0..<whole.count {
            let store = try TestBundle.emptyStore()
            if cut < BundleFormat.headerBytes {
                #expect(throws: BundleRefusal.notABundle, "\(cut)") {
                    try TestBundle.take(Array(whole[..<cut]), into: store)
                }
                continue
            }
            let summary = try TestBundle.take(Array(whole[..<cut]), into: store)
            #expect(summary.fault?.fault == .truncated, "\(cut)")
            #expect(summary.entries >= most, "\(cut)")
            most = summary.entries
            try expectOnlyTruth(store, sizes, "cut at \(cut)")
        }
        #expect(most == 3)
        let store = try TestBundle.emptyStore()
        // Over what a cut one left behind, the whole one brings the rest.
        _ = try TestBundle.take(Array(whole[..<(whole.count - 200)]), into: store)
        #expect(try TestBundle.take(whole, into: store).isComplete)
        #expect(try store.print == full.print)
    }

    @Test func `Any changed byte is noticed, and brings in nothing that was not written`() throws {
        let (whole, full, sizes) = try Self.small()
        for place in whole.indices {
            var changed = whole
            changed[place] ^= 1 << UInt8.random(in: 0..<8)
            let what = "byte \(place): \(whole[place]) became \(changed[place])"
            let store = try TestBundle.emptyStore()
            do {
                let summary = try TestBundle.take(changed, into: store)
                #expect(summary.fault != nil, "\(what)")
                #expect(place >= BundleFormat.headerBytes, "\(what)")
            } catch is BundleRefusal {
                #expect(place < BundleFormat.headerBytes, "\(what)")
                #expect(try store.reader.status().logs == 0, "\(what)")
            }
            try expectOnlyTruth(store, sizes, what)
            // It is no worse off: the true one still brings everything.
            if place % 8 == 0 {
                #expect(try TestBundle.take(whole, into: store).isComplete, "\(what)")
                #expect(try store.print == full.print, "\(what)")
            }
            // And over everything it changes nothing.
            _ = try? TestBundle.take(changed, into: full)
        }
        #expect(try full.reader.status().entries == 3)
    }

    /// A fork with its proof, a device that was cut off and an account that ended, with the little that counts of them.
    private static func judged() throws -> (whole: [UInt8], full: EntryStore, true: Set<LogStanding>) {
        let (one, two) = (try BundleAuthor(1), try BundleAuthor(1))
        try two.signOn()
        try one.post("a")
        try two.post("b")
        let (cut, gone) = (try BundleAuthor(2), try BundleAuthor(3))
        try cut.post("c")
        try cut.post("d")
        let full = try TestBundle.emptyStore()
        for author in [one, two] {
            _ = try author.store.releaseOwnLog()
            _ = try TestBundle.take(TestBundle.all(author.store), into: full)
        }
        let words = try [cut.words(cut.settlement(1)), gone.endWords(gone.end())]
        let frames = try [ChunksFrame.encode(cut.chunks())] + ChangesFrame.encode(words)
        _ = try TestBundle.take(TestBundle.bytes(frames: frames), into: full)
        let standings = Set(try full.state().standings)
        #expect(standings.count == 3)
        return (try TestBundle.all(full), full, standings)
    }

    /// What is known of settlements, forks and ends is as it was signed; nothing else passes for it.
    private func expectOnlyTrueWords(_ store: EntryStore, _ known: Set<LogStanding>, _ what: String) throws {
        for standing in try store.state().standings {
            let words = standing.words
            let match = known.first { $0.log == standing.log }?.words
            #expect(match != nil, "\(what)")
            #expect(words.settlement == nil || words.settlement == match?.settlement, "\(what)")
            #expect(words.evidence == nil || words.evidence == match?.evidence, "\(what)")
            #expect(words.certificate == match?.certificate, "\(what)")
        }
    }

    @Test func `Words that are cut at any byte lose nothing that came before, and the whole file brings the rest`()
        throws
    {
        let (whole, full, known) = try Self.judged()
        var most = 0
        for cut in BundleFormat.headerBytes..<whole.count {
            let store = try TestBundle.emptyStore()
            let summary = try TestBundle.take(Array(whole[..<cut]), into: store)
            #expect(summary.fault?.fault == .truncated, "\(cut)")
            let count = try store.state().standings.count
            #expect(count >= most, "\(cut)")
            most = count
            try expectOnlyTrueWords(store, known, "cut at \(cut)")
            if cut % 16 == 0 {
                #expect(try TestBundle.take(whole, into: store).isComplete, "\(cut)")
                #expect(try store.print == full.print, "\(cut)")
            }
        }
        #expect(most == 3)
    }

    @Test func `Any changed byte of words is noticed, and nobody is cut off who was not`() throws {
        let (whole, full, known) = try Self.judged()
        let before = try full.print
        for place in whole.indices.dropFirst(BundleFormat.headerBytes) {
            var changed = whole
            changed[place] ^= 1 << UInt8.random(in: 0..<8)
            let what = "byte \(place): \(whole[place]) became \(changed[place])"
            let store = try TestBundle.emptyStore()
            let summary = try TestBundle.take(changed, into: store)
            #expect(summary.fault != nil, "\(what)")
            try expectOnlyTrueWords(store, known, what)
            if place % 16 == 0 {
                #expect(try TestBundle.take(whole, into: store).isComplete, "\(what)")
                #expect(try store.print == before, "\(what)")
            }
            _ = try TestBundle.take(changed, into: full)
        }
        #expect(try full.print == before)
    }

    @Test func `A frame that claims a gigabyte is refused before it is waited for`() throws {
        let header = BundleFormat.header(BundleAuthor.network)
        var asked = 0
        var reader = try BundleReader(
            BundleSource { count in
                asked = max(asked, count)
                return count == header.count ? header : [UInt8](repeating: 0x40, count: count)
            }
        )
        guard case .fault(.frameLength) = try reader.next() else {
            Issue.record("a length of 1 GiB was taken")
            return
        }
        #expect(asked <= BundleFormat.headerBytes)
    }
}
