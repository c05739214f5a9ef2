import Entries
import Foundation
import Sodium

/// What this machine can do at best of each thing that a post costs: on one thread, with nothing else around it.
struct MachineLimits {
    /// Ed25519 signatures checked a second.
    let verifications: Double
    /// Entries hashed a second: payload and header, as each post is.
    let entryHashes: Double
    /// Bytes sealed a second, ChaCha20-Poly1305 in messages of 64 KiB.
    let sealedBytes: Double
    /// Posts a second that SQLite takes through its C functions, by the clock and by the processor.
    let inserts: Double
    let insertMicroseconds: Double
    /// Bytes a second over loopback TCP, one connection.
    let loopbackBytes: Double

    /// Measures for about two seconds.
    init(posts: Int, writers: Int, bytes: Int) throws {
        var generator = Generator(seed: 1)
        verifications = try Self.verifications(&generator)
        entryHashes = Self.entryHashes(bytes + 30, &generator)
        sealedBytes = try Self.sealedBytes(&generator)
        let spent = try RawInserts(TemporaryHome(of: .hub), writers: writers).insert(posts: posts, bytes: bytes)
        inserts = Double(posts) / spent.wall
        insertMicroseconds = spent.cpu * 1e6 / Double(posts)
        loopbackBytes = try LoopbackStream.bytesPerSecond()
    }

    /// Processor microseconds that a post costs both sides at the very least: a row in the store, two hashes, each byte
    /// on the wire sealed and opened, and its writer's share of two signatures, certificate and head.
    func floorMicroseconds(wireBytes: Double, postsPerWriter: Double) -> Double {
        insertMicroseconds + 1e6 / entryHashes + 2 * wireBytes * 1e6 / sealedBytes
            + 2 * 1e6 / (verifications * max(1, postsPerWriter))
    }

    private static func verifications(_ generator: inout Generator) throws -> Double {
        var seed = generator.bytes(32)
        guard let key = SigningKey(seed: SecretBytes(moving: &seed)) else { throw BenchError("a key has 32 bytes") }
        let message = generator.bytes(120)
        let signature = key.sign(message)
        return perSecond(of: 1) {
            _ = Ed25519.isValid(signature, of: message, by: key.publicKey)
        }
    }

    private static func entryHashes(_ bytes: Int, _ generator: inout Generator) -> Double {
        let payload = generator.bytes(bytes)
        let header = generator.bytes(EntryHeader.count)
        return perSecond(of: 1) {
            _ = Blake2b.hash(.payload, payload)
            _ = Blake2b.hash(.entry, header)
        }
    }

    private static func sealedBytes(_ generator: inout Generator) throws -> Double {
        var key = generator.bytes(32)
        let secret = SecretBytes(moving: &key)
        let plaintext = generator.bytes(65_519)
        var counter: UInt64 = 0
        return perSecond(of: plaintext.count) {
            _ = ChaChaPoly.seal(plaintext, associated: [], key: secret, counter: counter)
            counter += 1
        }
    }

    /// How often `work`, which does `amount` each time, can be done in a second: the best of five tenths of a second.
    private static func perSecond(of amount: Int, _ work: () -> Void) -> Double {
        var best = 0.0
        for _ in 0..<5 {
            let begun = Stopwatch.now()
            var times = 0
            while Stopwatch.now() - begun < 0.05 {
                for _ in 0..<16 { work() }
                times += 16
            }
            best = max(best, Double(times * amount) / (Stopwatch.now() - begun))
        }
        return best
    }
}
