import Entries
import Foundation
import Sodium
import Storage

/// Many writers, with posts as a campus writes them in a month.
struct Crowd {
    let network: NetworkID
    private(set) var writers: [Writer]
    private var generator: Generator
    /// Time of the next post, Unix milliseconds; it grows by `step`.
    private var time: UInt64
    /// The peer recorded as the source of the posts.
    let source: NodeID

    /// Milliseconds between posts.
    private static let step: UInt64 = 25_000

    private init(network: NetworkID, count: Int, seed: UInt64, endingAt end: UInt64, posts: Int) throws {
        self.network = network
        var generator = Generator(seed: seed)
        let start = end - UInt64(posts) * Self.step
        writers = try (0..<count).map {
            try Writer(network: network, generator: &generator, serial: start + UInt64($0))
        }
        time = start
        guard let source = NodeID(generator.bytes(32)) else { throw BenchError("a node id has 32 bytes") }
        self.source = source
        self.generator = generator
    }

    /// A crowd whose posts end a day ago.
    init(_ size: SizeOptions, seed: UInt64) throws {
        try self.init(count: size.writers, seed: seed, posts: size.posts)
    }

    init(count: Int, seed: UInt64, posts: Int) throws {
        try self.init(
            network: NetworkID(name: TemporaryHome.network),
            count: count,
            seed: seed,
            endingAt: UInt64(Date().timeIntervalSince1970 * 1000) - 86_400_000,
            posts: posts
        )
    }

    /// Writes one post of `bytes` bytes of text by each writer in turn; returns the chunks that carry them.
    mutating func write(posts: Int, bytes: Int) throws -> [VerifiedChunk] {
        guard let channel = Channel("campus") else { throw BenchError("not a channel") }
        for index in 0..<posts {
            let post = try Post(
                salt: Salt(using: &generator),
                text: generator.text(bytes: bytes),
                channels: [channel]
            )
            time += Self.step
            _ = writers[index % writers.count].write(.post(post), time: time)
        }
        return writers.indices.compactMap { writers[$0].sign() }
    }

    /// Writes a thread: a post, and then one reply after another by the next writers in turn.
    mutating func write(thread replies: Int, bytes: Int) throws -> (root: EntryID, chunks: [VerifiedChunk]) {
        var root: EntryID?
        for index in 0...replies {
            let post = try Post(
                salt: Salt(using: &generator),
                text: generator.text(bytes: bytes),
                reply: root.map { Post.Reply(parent: $0, root: $0) }
            )
            time += Self.step
            let id = writers[index % writers.count].write(.post(post), time: time)
            root = root ?? id
        }
        guard let root else { throw BenchError("a thread has a first post") }
        return (root, writers.indices.compactMap { writers[$0].sign() })
    }
}
