import Entries
import Sodium
import TestSupport
import Testing

/// Chunks that leave entries out, and those that bring what was left out (`protocol/log.md` §6).
struct LeftOutTests {
    private let verifier = ChunkVerifier(network: Writer.network)
    private let writer: Writer
    private let entries: [Entry]
    private let others: [Entry]

    init() throws {
        var random = SeededRandom(seed: 8)
        writer = try Writer(7)
        entries = random.entries(23, log: writer.log)
        others = entries[..<5] + random.entries(18, log: writer.log, from: 5)
    }

    /// Entries `bounds` to somebody who asked from `from`, and what lies between as nodes.
    private func window(_ bounds: Range<Int>, from: Int, size: Int = 23, of history: [Entry]? = nil) -> UnverifiedChunk
    {
        let history = history ?? entries
        var chunk = writer.chunk(of: history, bounds, size: size)
        chunk.left = writer.range(of: history[from..<bounds.lowerBound], from: UInt64(from)).nodes
        chunk.askedFrom = UInt64(from)
        return chunk
    }

    /// Entries `bounds` of what lies before `until`.
    private func filling(_ bounds: Range<Int>, until: Int, of history: [Entry]? = nil) -> UnverifiedChunk {
        let chunk = writer.chunk(of: history ?? entries, bounds, size: until)
        return UnverifiedChunk(
            log: chunk.log,
            certificate: nil,
            start: chunk.start,
            count: chunk.count,
            size: chunk.size,
            proof: .known,
            entries: chunk.entries,
            right: chunk.right
        )
    }

    private func gap(_ bounds: Range<Int>) -> LogGap? {
        LogGap(
            before: writer.range(of: entries[..<bounds.lowerBound]),
            rest: writer.range(of: entries[bounds], from: UInt64(bounds.lowerBound))
        )
    }

    private func prefix(_ size: Int, gap bounds: Range<Int>?) -> LogPrefix {
        LogPrefix(
            certificate: writer.certificate,
            range: writer.range(of: entries.prefix(size)),
            gap: bounds.flatMap(gap)
        )
    }

    private func verified(_ outcome: ChunkOutcome) -> VerifiedChunk? {
        guard case .verified(let chunk) = outcome else { return nil }
        return chunk
    }

    @Test(arguments: [0, 1, 3, 5, 8, 16]) func `The newest entries are proven over what is here`(held: Int) throws {
        for start in held + 1..<23 {
            let chunk = try #require(
                verified(
                    verifier.verify(window(start..<23, from: held), over: held == 0 ? .none : prefix(held, gap: nil))
                )
            )
            #expect(chunk.head?.size == 23 && chunk.reachesHead && chunk.left?.bounds == UInt64(held)..<UInt64(start))
            #expect(chunk.prefix == prefix(23, gap: held..<start))
        }
    }

    @Test func `The newest entries come in several chunks`() throws {
        let first = try #require(verified(verifier.verify(window(12..<15, from: 5), over: prefix(5, gap: nil))))
        #expect(!first.reachesHead && first.pending?.size == 23)
        let next = try #require(
            verified(verifier.verify(writer.chunk(of: entries, 15..<23, size: 23), over: first.prefix))
        )
        #expect(next.reachesHead && next.left == nil && next.prefix == prefix(23, gap: 5..<12))
    }

    @Test func `Nodes too few or too many answer another question`() {
        let whole = window(12..<23, from: 5)
        var chunk = whole
        chunk.left.removeLast()
        #expect(verifier.verify(chunk, over: prefix(5, gap: nil)) == .doesNotFit)
        chunk.left = whole.left + [whole.left[0]]
        #expect(verifier.verify(chunk, over: prefix(5, gap: nil)) == .doesNotFit)
        // Nothing is left out between a place and itself, nor backwards.
        for start in [12, 13] as [UInt64] {
            chunk = whole
            chunk.askedFrom = start
            #expect(verifier.verify(chunk, over: prefix(5, gap: nil)) == .doesNotFit)
        }
    }

    @Test func `A wrong node is a lie to who has nothing and a difference to who has something`() {
        var chunk = window(12..<23, from: 0)
        chunk.left[1] = chunk.left[0]
        #expect(verifier.verify(chunk, over: .none) == .violation(.badProof))
        chunk = window(12..<23, from: 5)
        chunk.left[1] = chunk.left[0]
        guard case .prefixDiffers(let disputed) = verifier.verify(chunk, over: prefix(5, gap: nil)) else {
            Issue.record("the prefix does not differ")
            return
        }
        // The range that is asked about ends where what was left out begins.
        #expect(disputed.rest.bounds == 5..<23)
        #expect(disputed.judge(prefix: writer.range(of: entries.prefix(5)).nodes, network: Writer.network) == .lie)
    }

    @Test func `Another history is told from a lie`() {
        let outcome = verifier.verify(window(12..<23, from: 8, of: others), over: prefix(8, gap: nil))
        guard case .prefixDiffers(let disputed) = outcome else {
            Issue.record("the prefix does not differ")
            return
        }
        let theirs = writer.range(of: others.prefix(8)).nodes
        #expect(disputed.judge(prefix: theirs, network: Writer.network) == .writerForked)
    }

    @Test func `What nobody asked to be left out does not fit`() {
        var chunk = window(12..<23, from: 5)
        chunk.askedFrom = nil
        #expect(verifier.verify(chunk, over: prefix(5, gap: nil)) == .doesNotFit)
        // Nor what was asked from elsewhere, or where something is left out already.
        #expect(verifier.verify(window(12..<23, from: 6), over: prefix(5, gap: nil)) == .doesNotFit)
        #expect(verifier.verify(window(20..<23, from: 18), over: prefix(18, gap: 5..<12)) == .doesNotFit)
        #expect(verified(verifier.verify(window(20..<23, from: 18), over: prefix(18, gap: nil))) != nil)
    }

    @Test func `A known root proves a window, and none in which it lies`() {
        let whole = window(12..<20, from: 5, size: 20)
        var chunk = UnverifiedChunk(
            log: whole.log,
            certificate: nil,
            start: whole.start,
            count: whole.count,
            size: whole.size,
            proof: .known,
            entries: whole.entries,
            right: whole.right
        )
        (chunk.left, chunk.askedFrom) = (whole.left, 5)
        let known = { (size: Int) in
            KnownRoot(size: UInt64(size), root: writer.range(of: entries.prefix(size)).root ?? .zero)
        }
        let held = { (cut: Int?) in
            LogPrefix(
                certificate: writer.certificate,
                range: writer.range(of: entries.prefix(5)),
                cut: cut.map(known),
                settled: known(20)
            )
        }
        #expect(verified(verifier.verify(chunk, over: held(nil)))?.proof == .settled(known(20)))
        #expect(verified(verifier.verify(chunk, over: held(13))) != nil)
        #expect(verifier.verify(chunk, over: held(12)) == .unknownRoot)
    }

    @Test func `What was left out is filled from the bottom`() throws {
        var known = prefix(23, gap: 5..<17)
        for (bounds, rest) in [(5..<6, 6..<17), (6..<14, 14..<17), (14..<17, nil)] as [(Range<Int>, Range<Int>?)] {
            let chunk = try #require(verified(verifier.verify(filling(bounds, until: 17), over: known)))
            #expect(chunk.head == nil && chunk.pending == nil && !chunk.reachesHead)
            #expect(chunk.prefix == prefix(23, gap: rest))
            known = chunk.prefix
        }
    }

    @Test func `What does not give the root, or belongs elsewhere, is nobody's fault`() {
        let held = prefix(23, gap: 5..<17)
        #expect(verifier.verify(filling(5..<9, until: 17, of: others), over: held) == .unknownRoot)
        #expect(verifier.verify(filling(6..<9, until: 17), over: held) == .doesNotFit)
        #expect(verifier.verify(filling(4..<9, until: 17), over: held) == .doesNotFit)
        #expect(verifier.verify(filling(5..<9, until: 16), over: held) == .unknownRoot)
        #expect(verifier.verify(filling(5..<9, until: 18), over: held) == .unknownRoot)
        #expect(verifier.verify(filling(5..<9, until: 17), over: prefix(23, gap: nil)) == .unknownRoot)
        var chunk = filling(5..<9, until: 17)
        chunk = UnverifiedChunk(
            log: chunk.log,
            certificate: nil,
            start: 5,
            count: 4,
            size: 17,
            proof: .known,
            entries: chunk.entries,
            right: chunk.right.dropLast()
        )
        #expect(verifier.verify(chunk, over: held) == .violation(.wrongNodeCount))
    }

    @Test func `A run goes on over both ends of a gap`() throws {
        let first = try #require(verified(verifier.verify(filling(5..<9, until: 17), over: prefix(20, gap: 5..<17))))
        let next = try #require(
            verified(verifier.verify(writer.chunk(of: entries, 20..<23, size: 23), over: first.prefix))
        )
        #expect(next.prefix == prefix(23, gap: 9..<17))
    }

    @Test func `A gap has two ranges that meet, and knows no place inside`() throws {
        #expect(LogGap(before: writer.range(of: entries.prefix(5)), rest: LogRange(at: 5)) == nil)
        #expect(
            LogGap(before: writer.range(of: entries.prefix(4)), rest: writer.range(of: entries[5..<9], from: 5)) == nil
        )
        let gap = try #require(self.gap(5..<17))
        #expect(gap.known?.root == writer.range(of: entries.prefix(17)).root && gap.known?.size == 17)
        #expect((0...23).filter { !gap.knows($0) } == Array(6..<17))
        #expect(gap.present(of: 2..<20) == [2..<5, 17..<20])
        #expect(
            gap.present(of: 6..<9) == [] && gap.present(of: 0..<3) == [0..<3] && gap.present(of: 18..<20) == [18..<20]
        )
    }
}
