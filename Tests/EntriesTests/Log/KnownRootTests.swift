import Entries
import Sodium
import TestSupport
import Testing

/// Chunks and prefixes that are proven by what the receiver knows besides heads.
struct KnownRootTests {
    private let verifier = ChunkVerifier(network: Writer.network)
    private let writer: Writer
    /// Two histories that differ from entry 4 on.
    private let left: [Entry]
    private let right: [Entry]

    init() throws {
        var random = SeededRandom(seed: 5)
        writer = try Writer(6)
        left = random.entries(9, log: writer.log)
        right = left[..<4] + random.entries(5, log: writer.log, from: 4)
    }

    private func known(_ entries: [Entry], _ size: Int) -> KnownRoot {
        KnownRoot(size: UInt64(size), root: writer.range(of: entries.prefix(size)).root ?? .zero)
    }

    private func chunk(_ entries: [Entry], _ bounds: Range<Int>, size: Int) -> UnverifiedChunk {
        let chunk = writer.chunk(of: entries, bounds, size: size)
        return UnverifiedChunk(
            log: chunk.log,
            certificate: chunk.certificate,
            start: chunk.start,
            count: chunk.count,
            size: chunk.size,
            proof: .known,
            entries: chunk.entries,
            right: chunk.right
        )
    }

    private func prefix(
        _ entries: [Entry],
        _ count: Int,
        cut: KnownRoot? = nil,
        settled: KnownRoot? = nil,
        side: LogRange? = nil
    ) -> LogPrefix {
        LogPrefix(
            certificate: writer.certificate,
            range: writer.range(of: entries.prefix(count)),
            cut: cut,
            settled: settled,
            side: side
        )
    }

    private func verified(_ outcome: ChunkOutcome) -> VerifiedChunk? {
        guard case .verified(let chunk) = outcome else { return nil }
        return chunk
    }

    @Test func `A settled root proves what continues the stored history`() throws {
        let settled = known(left, 8)
        let chunk = verified(verifier.verify(chunk(left, 3..<6, size: 8), over: prefix(left, 3, settled: settled)))
        #expect(chunk?.proof == .settled(settled) && chunk?.head == nil && chunk?.pending == nil)
        #expect(chunk?.prefix == prefix(left, 6, settled: settled))
    }

    @Test func `The root at the cut proves what both branches have`() throws {
        let cut = known(left, 4)
        let chunk = verified(verifier.verify(chunk(left, 1..<4, size: 4), over: prefix(left, 1, cut: cut)))
        #expect(chunk?.proof == .cut(cut) && chunk?.reachesHead == true)
    }

    @Test func `A settled history is verified beside the stored one`() throws {
        let settled = known(right, 9)
        let side = writer.range(of: right.prefix(5))
        let held = prefix(left, 7, settled: settled, side: side)
        let chunk = verified(verifier.verify(chunk(right, 5..<7, size: 9), over: held))
        #expect(chunk?.proof == .settled(settled))
        #expect(chunk?.prefix.range == held.range && chunk?.prefix.side == writer.range(of: right.prefix(7)))
        #expect(verifier.verify(self.chunk(right, 7..<9, size: 9), over: held) == .doesNotFit)
    }

    @Test func `Of a settlement and a cut of one size either may be meant`() throws {
        let (settled, cut) = (known(right, 6), known(left, 6))
        let held = prefix(left, 2, cut: cut, settled: settled)
        #expect(verified(verifier.verify(chunk(right, 2..<5, size: 6), over: held))?.proof == .settled(settled))
        #expect(verified(verifier.verify(chunk(left, 2..<6, size: 6), over: held))?.proof == .cut(cut))
        let beside = prefix(left, 5, cut: cut, settled: settled, side: writer.range(of: right.prefix(5)))
        #expect(verified(verifier.verify(chunk(right, 5..<6, size: 6), over: beside))?.proof == .settled(settled))
        #expect(verified(verifier.verify(chunk(left, 5..<6, size: 6), over: beside))?.proof == .cut(cut))
    }

    @Test func `A size of which no root is known is nobody's fault`() throws {
        #expect(verifier.verify(chunk(left, 0..<3, size: 8), over: .none) == .unknownRoot)
        let held = prefix(left, 3, cut: known(left, 4), settled: known(left, 7))
        #expect(verifier.verify(chunk(left, 3..<6, size: 8), over: held) == .unknownRoot)
    }

    @Test func `Words that cross are nobody's fault, over nothing and over the settled history`() throws {
        let settled = known(right, 8)
        #expect(verifier.verify(chunk(left, 0..<3, size: 8), over: prefix(left, 0, settled: settled)) == .unknownRoot)
        let held = prefix(left, 7, settled: settled, side: writer.range(of: right.prefix(5)))
        #expect(verifier.verify(chunk(left, 5..<8, size: 8), over: held) == .unknownRoot)
    }

    @Test func `Another root over the stored history begins a dispute`() throws {
        let held = prefix(left, 5, settled: known(right, 8))
        guard case .prefixDiffers(let disputed) = verifier.verify(chunk(right, 5..<8, size: 8), over: held) else {
            Issue.record("no dispute")
            return
        }
        #expect(disputed.proof == .known(known(right, 8).root))
        let theirs = writer.range(of: right.prefix(5)).nodes
        #expect(disputed.judge(prefix: theirs, network: Writer.network) == .writerForked)
        let ours = writer.range(of: left.prefix(5)).nodes
        #expect(disputed.judge(prefix: ours, network: Writer.network) == .lie)
    }

    @Test func `Another root at the cut is another branch`() throws {
        let held = prefix(left, 2, cut: known(left, 6))
        guard case .prefixDiffers = verifier.verify(chunk(right, 2..<6, size: 6), over: held) else {
            Issue.record("no dispute")
            return
        }
        #expect(
            verifier.verify(chunk(right, 0..<6, size: 6), over: prefix(left, 0, cut: known(left, 6))) == .unknownRoot
        )
    }

    @Test func `A head that reaches beyond the entries proves them by what stands beside`() throws {
        let chunk = try #require(verified(verifier.verify(writer.chunk(of: left, 0..<6, size: 9), over: .none)))
        let pending = try #require(chunk.pending)
        #expect(pending.right == writer.range(of: left[6...], from: 6))
        let stored = writer.range(of: left[2..<6], from: 2)
        #expect(pending.right(after: stored) == writer.range(of: left[2...], from: 2))
        #expect(pending.right(after: writer.range(of: left[2..<5], from: 2)) == nil)
    }

    @Test func `Prefixes are judged by themselves`() throws {
        let head = try #require(writer.chunk(of: left, 0..<1, size: 9).signature)
        func verdict(_ entries: [Entry], _ proof: ChunkProof, _ held: LogPrefix) throws -> PrefixProof.Verdict {
            let shown = try #require(
                PrefixProof(
                    end: 5,
                    nodes: writer.range(of: entries.prefix(5)).nodes,
                    size: 9,
                    right: writer.range(of: entries[5...], from: 5).nodes,
                    proof: proof
                )
            )
            return shown.judge(log: writer.log, network: Writer.network, device: writer.deviceID, known: held)
        }
        let nothing = prefix(left, 5)
        #expect(try verdict(left, .head(head), nothing) == .proven(.head(size: 9, head)))
        #expect(try verdict(right, .head(head), nothing) == .lie)
        #expect(try verdict(left, .known, nothing) == .unknownRoot)
        #expect(try verdict(left, .known, prefix(left, 5, settled: known(left, 9))) == .proven(.settled(size: 9)))
        #expect(try verdict(left, .known, prefix(left, 5, cut: known(left, 9))) == .proven(.cut(size: 9)))
        // A settlement that came meanwhile names another root: whoever showed this one did not lie.
        #expect(try verdict(left, .known, prefix(left, 5, settled: known(right, 9))) == .unknownRoot)
        let nodes = writer.range(of: left.prefix(5)).nodes
        #expect(PrefixProof(end: 5, nodes: nodes + nodes, size: 9, right: [], proof: .known) == nil)
        #expect(PrefixProof(end: 5, nodes: nodes, size: 4, right: [], proof: .known) == nil)
    }
}
