internal import Entries
internal import Simulation
internal import Sodium
@testable internal import Storage

/// A home's database of which some bytes are others: whatever they are, the store opens or says why not, and every
/// question to it is answered or refused.
enum StoreFuzz {
    private static let network = NetworkID(name: "campus")
    private static let file = ScratchFile("store.sqlite")
    private static let (whole, next) = made()
    private static let logs = [author(1).log, author(2).log]

    static func run(_ input: inout FuzzInput) {
        var bytes = whole
        while !input.isAtEnd {
            let place = Int(input.byte()) << 16 | input.short()
            for (offset, byte) in input.take(1 + Int(input.byte() % 16)).enumerated() {
                bytes[(place + offset) % bytes.count] ^= byte
            }
        }
        file.write(bytes)
        defer { clear() }
        guard let store = try? EntryStore(.file(file.path), network: network, creation: .never) else { return }
        question(store)
        var batch = TakeBatch()
        batch.chunks.append(.init(chunk: next, source: NodeID(raw: Author.bytes(9, "peer"))))
        _ = try? store.take(batch)
        question(store)
        try? store.close()
    }

    private static func question(_ store: EntryStore) {
        _ = try? store.state()
        _ = try? store.prefixes(of: logs)
        _ = try? store.roomUse()
        let reader = store.reader
        _ = try? reader.status()
        _ = try? reader.fingerprint()
        _ = try? reader.examineEntries()
        for log in logs {
            let wants = [RangeWant(log: log, from: 0, certificate: .send)]
            _ = try? store.ranges(wants, byteLimit: 100_000)
            _ = try? store.prefixProof(of: log, end: 3)
            _ = try? reader.posts(of: log, limit: 10, reader: nil)
        }
        var query = FeedQuery(now: 1_700_000_000_000, reader: nil)
        query.limit = 20
        _ = try? reader.feed(query)
        _ = try? reader.channels(now: 1_700_000_000_000)
        _ = try? reader.people(after: nil, limit: 10)
    }

    private static func author(_ seed: UInt64) -> Author { Author(seed: seed, network: network) }

    /// The bytes of a small home's database, and what one of its writers wrote next.
    private static func made() -> ([UInt8], VerifiedChunk) {
        do {
            let store = try EntryStore(.file(file.path), network: network, creation: .ifAbsent)
            var authors = [author(1), author(2)]
            var batch = TakeBatch()
            for place in authors.indices {
                let payloads = try (0..<UInt64(6)).map { number in
                    guard let salt = Salt(Author.bytes(number, "salt").bytes.prefix(16)) else { broken("16 bytes") }
                    let channels = [Channel("campus")].compactMap(\.self)
                    return Payload.post(try Post(salt: salt, text: "post \(number)", channels: channels)).encode()
                }
                let chunk = authors[place].write(payloads, at: 1_600_000_000_000)
                batch.chunks.append(.init(chunk: chunk, source: NodeID(raw: Author.bytes(9, "peer"))))
            }
            _ = try store.take(batch)
            try store.close()
            let bytes = file.read()
            clear()
            return (bytes, authors[0].write("and another", at: 1_600_000_100_000))
        } catch {
            broken("a store could not be made: \(error)")
        }
    }

    private static func clear() {
        for suffix in ["", "-wal", "-shm", "-journal"] { file.remove(suffix: suffix) }
    }
}
