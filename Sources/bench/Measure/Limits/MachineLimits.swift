import Entries
import Foundation
import Sodium

/// The best rates of this machine for each operation that a post costs, in isolation: on one thread, but live posts,
/// which need one for each side.
struct MachineLimits {
    /// Ed25519 verifications a second.
    let verifications: Double
    /// Ed25519 signatures made a second.
    let signatures: Double
    /// Entries hashed a second: payload and header, as each post is.
    let entryHashes: Double
    /// Bytes sealed a second, ChaCha20-Poly1305 in messages of 64 KiB.
    let sealedBytes: Double
    /// Posts a second that SQLite inserts through its C functions, by the wall clock.
    let inserts: Double
    /// Processor microseconds of such an insert.
    let insertMicroseconds: Double
    /// Microseconds of a commit of one post that is synced to disk.
    let durableCommitMicroseconds: Double
    /// Microseconds of a commit of one post that another process sees.
    let commitMicroseconds: Double
    /// Microseconds to read the newest twenty posts.
    let pageMicroseconds: Double
    /// Bytes a second over loopback TCP, one connection.
    let loopbackBytes: Double
    let roundTripMicroseconds: Double
    /// Live posts at a rate.
    let paced: PacedPosts
    /// Live posts back to back, each upon the one before.
    let busy: PacedPosts

    /// Measures for about six seconds; `liveRate` is the rate of live posts, a second.
    init(posts: Int, writers: Int, bytes: Int, liveRate: Int = 100) throws {
        var generator = Generator(seed: 1)
        let key = try Self.key(&generator)
        verifications = Self.verifications(key, &generator)
        signatures = Self.signatures(key, &generator)
        entryHashes = Self.entryHashes(bytes + 30, &generator)
        sealedBytes = try Self.sealedBytes(&generator)
        let store = try RawInserts(TemporaryHome(of: .hub), writers: writers)
        let spent = try store.insert(posts: posts, bytes: bytes)
        inserts = Double(posts) / spent.wall
        insertMicroseconds = spent.cpu * 1e6 / Double(posts)
        pageMicroseconds = posts < 20 ? .nan : try store.pageMicroseconds()
        durableCommitMicroseconds = try store.commitMicroseconds(posts: 200, bytes: bytes, .disk)
        commitMicroseconds = try store.commitMicroseconds(posts: 200, bytes: bytes, .process)
        loopbackBytes = try LoopbackStream.bytesPerSecond()
        roundTripMicroseconds = try LoopbackStream.roundTripMicroseconds()
        paced = try PacedPosts(count: min(3 * liveRate, 1_000), rate: liveRate, bytes: bytes)
        busy = try PacedPosts(count: 1_000, rate: nil, bytes: bytes)
    }

    var figures: Figures {
        var figures = Figures()
        figures.add("verifications_per_second", verifications)
        figures.add("signatures_per_second", signatures)
        figures.add("entry_hashes_per_second", entryHashes)
        figures.add("sealed_megabytes_per_second", sealedBytes / 1e6)
        figures.add("sqlite_posts_per_second", inserts)
        figures.add("sqlite_cpu_microseconds_per_post", insertMicroseconds)
        figures.add("sqlite_durable_commit_microseconds", durableCommitMicroseconds)
        figures.add("sqlite_commit_microseconds", commitMicroseconds)
        figures.add("sqlite_page_microseconds", pageMicroseconds)
        figures.add("loopback_megabytes_per_second", loopbackBytes / 1e6)
        figures.add("loopback_round_trip_microseconds", roundTripMicroseconds)
        figures.add("paced_saved_p50_milliseconds", paced.savedMilliseconds)
        figures.add("paced_stored_p50_milliseconds", paced.storedMilliseconds)
        figures.add("busy_saved_p50_milliseconds", busy.savedMilliseconds)
        figures.add("busy_stored_p50_milliseconds", busy.storedMilliseconds)
        return figures
    }

    /// Maps a figure to the figure of its share of this machine's best.
    static let shares = [
        "first_sync_posts_per_second": "first_sync_share_of_sqlite_posts_per_second",
        "first_sync_cpu_microseconds_per_post": "first_sync_share_of_cpu_floor",
        "new_milliseconds": "new_share_of_limit", "live_p50_milliseconds": "live_share_of_limit",
        "sustained_stored_posts_per_second": "sustained_share_of_cpu_limit",
        "store_page_milliseconds": "store_page_share_of_sqlite", "feed_milliseconds": "feed_share_of_program_start",
        "frontier_campus_bytes": "frontier_campus_cursor_share_of_bytes",
    ]

    /// The least processor microseconds of a post on both sides: a row in the store, two hashes, each byte on the wire
    /// sealed and opened, and its writer's share of two signatures, certificate and head.
    func floorMicroseconds(wireBytes: Double, postsPerWriter: Double) -> Double {
        insertMicroseconds + 1e6 / entryHashes + 2 * wireBytes * 1e6 / sealedBytes
            + 2 * 1e6 / (verifications * max(1, postsPerWriter))
    }

    /// The least milliseconds for new posts, each by another writer: two round trips, one signature and two hashes for
    /// each, and an insert each.
    func catchUpMilliseconds(new: Int) -> Double {
        let each = 1e6 / verifications + 1e6 / entryHashes + insertMicroseconds
        return (2 * roundTripMicroseconds + Double(new) * each + commitMicroseconds) / 1_000
    }

    /// Posts a second that one thread verifies, one signature each, and stores.
    var verifiedPosts: Double {
        1e6 / (1e6 / verifications + 1e6 / entryHashes + insertMicroseconds)
    }
}

/// The parts that need no disk and no socket.
extension MachineLimits {
    private static func key(_ generator: inout Generator) throws -> SigningKey {
        var seed = generator.bytes(32)
        guard let key = SigningKey(seed: SecretBytes(moving: &seed)) else { throw BenchError("a key has 32 bytes") }
        return key
    }

    private static func verifications(_ key: SigningKey, _ generator: inout Generator) -> Double {
        let message = generator.bytes(120)
        let signature = key.sign(message)
        return perSecond(of: 1) { _ = Ed25519.isValid(signature, of: message, by: key.publicKey) }
    }

    private static func signatures(_ key: SigningKey, _ generator: inout Generator) -> Double {
        let message = generator.bytes(120)
        return perSecond(of: 1) { _ = key.sign(message) }
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

    /// The rate of `work`, which does `amount` operations each time, a second: the best of five runs of 50 ms.
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
