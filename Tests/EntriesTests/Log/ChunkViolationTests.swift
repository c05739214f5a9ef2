import Entries
import Sodium
import TestSupport
import Testing

extension UnverifiedChunk {
    /// The same chunk with some of its fields changed.
    func with(
        log: LogID? = nil,
        certificate: [UInt8]? = nil,
        start: UInt64? = nil,
        count: UInt64? = nil,
        size: UInt64? = nil,
        signature: Signature? = nil,
        entries: [UInt8]? = nil,
        right: [Bytes32]? = nil
    ) -> UnverifiedChunk {
        UnverifiedChunk(
            log: log ?? self.log,
            certificate: certificate ?? self.certificate,
            start: start ?? self.start,
            count: count ?? self.count,
            size: size ?? self.size,
            proof: signature.map { .head($0) } ?? proof,
            entries: entries ?? self.entries,
            right: right ?? self.right
        )
    }
}

struct ChunkViolationTests {
    private let verifier = ChunkVerifier(network: Writer.network)

    private func expect(_ violation: ChunkViolation, of chunk: UnverifiedChunk, _ comment: Comment? = nil) {
        #expect(verifier.verify(chunk, over: .none) == .violation(violation), comment)
    }

    private static func honest() throws -> UnverifiedChunk {
        var random = SeededRandom(seed: 8)
        let writer = try Writer(10)
        return writer.chunk(of: random.entries(8, log: writer.log), 0..<5, size: 8)
    }

    @Test func `Bounds that no log has are refused before anything is read`() throws {
        let chunk = try Self.honest()
        for size: UInt64 in [1 << 32, 1 << 63, .max] { expect(.impossibleBounds, of: chunk.with(size: size)) }
        for start: UInt64 in [4, 8, 9, .max - 4, .max] { expect(.impossibleBounds, of: chunk.with(start: start)) }
        for count: UInt64 in [9, 1 << 32, .max] { expect(.impossibleBounds, of: chunk.with(count: count)) }
        expect(.impossibleBounds, of: chunk.with(start: .max, count: .max, size: .max))
        expect(.impossibleBounds, of: chunk.with(size: 4))
        expect(.emptyChunk, of: chunk.with(count: 0))
        expect(.emptyChunk, of: chunk.with(start: 8, count: 0))
    }

    @Test func `A huge log whose entries are not there costs nothing`() throws {
        let size = EntryLimits.maximumLogEntries
        let chunk = try Self.honest().with(count: size, size: size, right: [])
        expect(.entries(.truncated), of: chunk)
    }

    @Test func `Nodes too few, too many or changed are refused`() throws {
        let chunk = try Self.honest()
        expect(.wrongNodeCount, of: chunk.with(right: []))
        expect(.wrongNodeCount, of: chunk.with(right: chunk.right.dropLast()))
        expect(.wrongNodeCount, of: chunk.with(right: chunk.right + [.zero]))
        for place in chunk.right.indices {
            for bit in 0..<256 {
                var right = chunk.right
                right[place] = try #require(Bytes32(right[place].bytes.flipping(bit: bit)))
                expect(.badProof, of: chunk.with(right: right))
            }
        }
    }

    @Test func `A certificate that is not this log's is refused`() throws {
        let chunk = try Self.honest()
        let bytes = try #require(chunk.certificate)
        expect(.certificate(.wrongLength), of: chunk.with(certificate: bytes + [0]))
        expect(.certificate(.foreignNetwork), of: chunk.with(certificate: bytes.flipping(bit: 0)))
        expect(.certificate(.badSignature), of: chunk.with(certificate: bytes.flipping(bit: 1599)))
        expect(.certificateOfAnotherLog, of: chunk.with(certificate: try Writer(11).certificate.bytes))
        expect(.certificateOfAnotherLog, of: chunk.with(log: LogID(raw: .zero)))
    }

    @Test func `A head by another device or of another size is no proof`() throws {
        var random = SeededRandom(seed: 9)
        let writer = try Writer(10)
        let entries = random.entries(8, log: writer.log)
        let chunk = writer.chunk(of: entries, 0..<5, size: 8)
        let good = try #require(chunk.signature)
        for bit in 0..<512 {
            let signature = try #require(Signature(good.bytes.flipping(bit: bit)))
            expect(.badProof, of: chunk.with(signature: signature))
        }
        expect(.badProof, of: chunk.with(signature: writer.chunk(of: entries, 0..<5, size: 7).signature))
        let root = try #require(writer.range(of: entries).root)
        for key in [writer.root, try Writer(11).device] {
            let head = Head(signing: writer.log, size: 8, root: root, network: Writer.network, with: key)
            expect(.badProof, of: chunk.with(signature: head.signature))
        }
        let elsewhere = NetworkID(name: "elsewhere")
        let head = Head(signing: writer.log, size: 8, root: root, network: elsewhere, with: writer.device)
        expect(.badProof, of: chunk.with(signature: head.signature))
    }

    @Test func `Each way that entries can be misspelt is named`() throws {
        let chunk = try Self.honest()
        expect(.entries(.truncated), of: chunk.with(entries: chunk.entries.dropLast()))
        expect(.entries(.trailingBytes), of: chunk.with(entries: chunk.entries + [0]))
        expect(.entries(.malformed), of: chunk.with(entries: [8]))
        expect(.entries(.payloadTooLong), of: chunk.with(entries: [2, 1, 10, 0, 0x81, 0x80, 4]))
        let vote = [1, 3, 10, 0, 3] + [UInt8](repeating: 0, count: 32)
        expect(.entries(.bodyRequired), of: chunk.with(entries: vote))
    }

    @Test func `No change of any byte of an honest chunk's entries is taken`() throws {
        let chunk = try Self.honest()
        for bit in 0..<chunk.entries.count * 8 {
            switch verifier.verify(chunk.with(entries: chunk.entries.flipping(bit: bit)), over: .none) {
            case .violation(.badProof), .violation(.entries): break
            default: Issue.record("bit \(bit) changed, and taken")
            }
        }
    }

    @Test func `No numbers trap`() throws {
        var random = SeededRandom.announced()
        let writer = try Writer(10)
        let entries = random.entries(8, log: writer.log)
        let chunk = writer.chunk(of: entries, 0..<5, size: 8)
        for _ in 0..<5_000 {
            let changed = chunk.with(
                start: random.chance(2) ? random.edgy() : 0,
                count: random.edgy(),
                size: random.chance(2) ? random.edgy() : 8
            )
            if case .verified = verifier.verify(changed, over: writer.prefix(of: entries, random.below(8))) {
                #expect(changed == chunk)
            }
        }
    }
}
