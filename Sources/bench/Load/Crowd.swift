import Entries
import Sodium
import Storage

/// Many writers, and the posts that they write about as fast as a campus would in a month.
struct Crowd {
    let network: NetworkID
    private(set) var writers: [Writer]
    private var generator: Generator
    /// Unix milliseconds of the next post: one every `step`.
    private var time: UInt64
    private let source: NodeID

    /// Milliseconds between posts.
    private static let step: UInt64 = 25_000

    init(network: NetworkID, count: Int, seed: UInt64, endingAt end: UInt64, posts: Int) throws {
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

    /// One post each by as many writers in turn, of `bytes` bytes of text, and the chunks that carry them.
    mutating func write(posts: Int, bytes: Int) throws -> [VerifiedChunk] {
        guard let channel = Channel("campus") else { throw BenchError("not a channel") }
        for index in 0..<posts {
            let post = try Post(
                salt: Salt(using: &generator),
                text: text(bytes: bytes, number: index),
                channels: [channel]
            )
            time += Self.step
            _ = writers[index % writers.count].write(.post(post), time: time)
        }
        return writers.indices.compactMap { writers[$0].sign() }
    }

    func put(_ chunks: [VerifiedChunk], into store: EntryStore) throws {
        try store.put(chunks, from: source)
    }

    /// Words of the length that English words have, so that sizes and wrapping are those of real posts.
    private mutating func text(bytes: Int, number: Int) -> String {
        var text = "\(number)"
        while text.utf8.count < bytes {
            let letters = (0..<Int.random(in: 2...9, using: &generator)).map { _ in
                Character(UnicodeScalar(UInt8.random(in: 97...122, using: &generator)))
            }
            text += " " + String(letters)
        }
        return String(text.prefix(bytes))
    }
}
