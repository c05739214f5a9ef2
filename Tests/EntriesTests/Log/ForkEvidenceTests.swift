import Entries
import Sodium
import TestSupport
import Testing

struct ForkEvidenceTests {
    /// Two histories of one writer that differ from `place` on.
    private struct Fork {
        let writer: Writer
        let left: [Entry]
        let right: [Entry]
        let place: Int

        init(at place: Int, count: Int = 8, _ random: inout SeededRandom) throws {
            writer = try Writer(3)
            left = random.entries(count, log: writer.log)
            right = left[..<place] + random.entries(count - place, log: writer.log, from: UInt64(place))
            self.place = place
        }

        func branch(_ entries: [Entry], size: Int, leaf: EntryID? = nil) throws -> ForkEvidence.Branch {
            let root = try #require(writer.range(of: entries.prefix(size)).root)
            let network = Writer.network
            let head = Head(signing: writer.log, size: UInt64(size), root: root, network: network, with: writer.device)
            return ForkEvidence.Branch(
                size: UInt64(size),
                signature: head.signature,
                leaf: leaf ?? entries[place].id,
                right: writer.range(of: entries[place + 1..<size], from: UInt64(place) + 1)
            )
        }

        func evidence(_ first: ForkEvidence.Branch, _ second: ForkEvidence.Branch) -> ForkEvidence {
            ForkEvidence(
                log: writer.log,
                sequence: UInt64(place),
                prefix: writer.range(of: left[..<place]),
                branches: ForkEvidence.Branches(first: first, second: second)
            )
        }

        func isProof(_ evidence: ForkEvidence) -> Bool {
            evidence.isProof(network: Writer.network, device: writer.deviceID)
        }
    }

    @Test func `Every fork of small logs is proven, and its bytes come back`() throws {
        var random = SeededRandom.announced()
        for place in 0..<8 {
            let fork = try Fork(at: place, &random)
            for size in place + 1...8 {
                let evidence = fork.evidence(
                    try fork.branch(fork.left, size: 8),
                    try fork.branch(fork.right, size: size)
                )
                #expect(fork.isProof(evidence))
                #expect(ForkEvidence(evidence.bytes) == evidence)
                #expect(!evidence.isProof(network: NetworkID(name: "elsewhere"), device: fork.writer.deviceID))
                let other = DeviceID(raw: fork.writer.root.publicKey)
                #expect(!evidence.isProof(network: Writer.network, device: other))
            }
        }
    }

    @Test func `Two heads of one history prove nothing`() throws {
        var random = SeededRandom.announced()
        let fork = try Fork(at: 3, &random)
        #expect(!fork.isProof(fork.evidence(try fork.branch(fork.left, size: 8), try fork.branch(fork.left, size: 5))))
    }

    @Test func `Any bit changed is no proof, and any other length no evidence`() throws {
        var random = SeededRandom.announced()
        let fork = try Fork(at: 5, &random)
        let bytes = fork.evidence(try fork.branch(fork.left, size: 8), try fork.branch(fork.right, size: 7)).bytes
        for bit in 0..<bytes.count * 8 {
            if let changed = ForkEvidence(bytes.flipping(bit: bit)) { #expect(!fork.isProof(changed)) }
        }
        for count in 0..<bytes.count { #expect(ForkEvidence(bytes.prefix(count)) == nil) }
        #expect(ForkEvidence(bytes + [0]) == nil)
        #expect(ForkEvidence(bytes + [UInt8](repeating: 0, count: 32)) == nil)
    }

    @Test func `A size that does not cover the leaf, or passes the limit, is no evidence`() throws {
        var random = SeededRandom.announced()
        let fork = try Fork(at: 5, &random)
        let bytes = fork.evidence(try fork.branch(fork.left, size: 8), try fork.branch(fork.right, size: 7)).bytes
        let size = 40 + 2 * 32
        for wrong: UInt64 in [0, 4, 5, 1 << 32, .max] {
            var writer = ByteWriter()
            writer.append(wrong)
            #expect(ForkEvidence(bytes[..<size] + writer.bytes + bytes[(size + 8)...]) == nil)
        }
        for wrong: UInt64 in [(1 << 32) - 1, 1 << 32, .max] {
            var writer = ByteWriter()
            writer.append(wrong)
            #expect(ForkEvidence(bytes[..<32] + writer.bytes + bytes[40...]) == nil)
        }
    }

    @Test func `Random bytes never trap`() {
        var random = SeededRandom.announced()
        for _ in 0..<20_000 {
            var bytes = random.bytes(random.below(400))
            for place in 32..<39 where place < bytes.count { bytes[place] = 0 }
            if let evidence = ForkEvidence(bytes) {
                #expect(!evidence.isProof(network: Writer.network, device: DeviceID(raw: .zero)))
            }
        }
    }
}
