import Entries
import Sodium
import Storage
import Sync
import Testing

@testable import Transport

/// A writer with a store of its own in memory: what a home is, without its files.
final class BundleAuthor {
    static let network = NetworkID(name: "bundles")

    let store: EntryStore
    let certificate: SignedCertificate
    private let root: SigningKey
    private let device: SigningKey
    private var time: UInt64 = 1_790_000_000_000

    /// Authors of one number have the same root key; of one device too, they are one home, copied.
    init(_ number: UInt8, device role: UInt8 = 2, network: NetworkID = BundleAuthor.network) throws {
        root = try Self.key(number, 1)
        device = try Self.key(number, role)
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                device: DeviceID(raw: device.publicKey),
                sealingKey: .zero,
                serial: 1
            ),
            with: root
        )
        store = try EntryStore(.memory, network: network, creation: .ifAbsent)
        try store.registerOwnLog(certificate)
    }

    /// One home and a copy of it, which share so many posts and go on apart; published, so that a fork is one.
    static func fork(common: Int, left: Int, right: Int) throws -> (BundleAuthor, BundleAuthor) {
        let (one, two) = (try BundleAuthor(1), try BundleAuthor(1))
        for number in 0..<common { try one.post("common \(number)") }
        if common > 0 { _ = try TestBundle.take(TestBundle.all(one.store), into: two.store) }
        try two.signOn()
        for number in 0..<left { try one.post("left \(number)") }
        for number in 0..<right { try two.post("right \(number)") }
        for author in [one, two] { _ = try author.store.releaseOwnLog() }
        return (one, two)
    }

    var log: LogID { certificate.log }

    @discardableResult
    func post(_ text: String) throws -> EntryID {
        time += 1_000
        var generator = TestRandomness()
        let payload = Payload.post(try Post(salt: Salt(using: &generator), text: text))
        let own = try store.append(payload, with: device, at: time, publication: .held)
        return try #require(own.chunk.entries.last).id
    }

    /// As a person says who is sure that no other home has these keys.
    func signOn() throws {
        _ = try store.resumeOwnLog(with: device, facts: HomeFacts(), at: time)
    }

    func delete(_ post: EntryID) throws {
        time += 1_000
        _ = try store.deleteOwn(post: post, with: device, at: time, publication: .held)
    }

    /// Ends the log after so many entries of it, as its store has them.
    func settlement(_ size: UInt64, serial: UInt64 = 10) throws -> SignedSettlement {
        let known = try #require(try store.reader.settlement(for: log, keeping: .first(size)))
        return signed(log, known, serial: serial)
    }

    /// Ends the account.
    func end() -> SignedSettlement { signed(LogID(raw: .zero), KnownRoot(size: 0, root: .zero), serial: 20) }

    private func signed(_ log: LogID, _ known: KnownRoot, serial: UInt64) -> SignedSettlement {
        SignedSettlement(
            signing: Settlement(
                network: certificate.certificate.network,
                identity: certificate.certificate.identity,
                log: log,
                size: known.size,
                root: known.root,
                serial: serial
            ),
            with: root
        )
    }

    /// A settlement as a file has it; the size that counts stands there for nobody.
    func words(_ settlement: SignedSettlement?, evidence: ForkEvidence? = nil) -> LogWords {
        LogWords(
            log: log,
            known: KnownRoot(size: 0, root: .zero),
            words: Words(
                settlement: settlement?.bytes,
                evidence: evidence?.bytes,
                certificate: certificate.bytes
            )
        )
    }

    /// Bytes that pass for a settlement of the log, with another certificate than its own if one is given.
    func words(bytes: [UInt8], certificate: [UInt8]? = nil) -> LogWords {
        LogWords(
            log: log,
            known: KnownRoot(size: 0, root: .zero),
            words: Words(settlement: bytes, evidence: nil, certificate: certificate ?? self.certificate.bytes)
        )
    }

    func rootKey() throws -> SigningKey { root }

    /// The end of the account as a file has it.
    func endWords(_ end: SignedSettlement) -> LogWords {
        LogWords(
            log: LogID(endOf: certificate.certificate.identity, in: certificate.certificate.network),
            known: KnownRoot(size: 0, root: .zero),
            words: Words(settlement: end.bytes, evidence: nil, certificate: nil)
        )
    }

    /// Chunks of the own log, each of at most so many bytes.
    func chunks(from start: UInt64 = 0, bytes: Int = 1 << 20) throws -> [UnverifiedChunk] {
        var chunks: [UnverifiedChunk] = []
        var next = start
        while true {
            let certificate: RangeWant.CertificateWish = chunks.isEmpty ? .send : .known
            let want = RangeWant(log: log, from: next, certificate: certificate)
            guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: bytes).first else { return chunks }
            chunks.append(chunk)
            next = chunk.start + chunk.count
        }
    }

    private static func key(_ number: UInt8, _ role: UInt8) throws -> SigningKey {
        var seed = [UInt8](repeating: number, count: 31) + [role]
        return try #require(SigningKey(seed: SecretBytes(moving: &seed)))
    }
}

/// What a seed chooses (SplitMix64); the salts of posts are no part of it.
struct BundleChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Bundles in memory.
enum TestBundle {
    /// One frame for each list of chunks.
    static func bytes(_ frames: [[UnverifiedChunk]], network: NetworkID = BundleAuthor.network) throws -> [UInt8] {
        try bytes(frames: frames.map { ChunksFrame.encode($0) }, network: network)
    }

    static func bytes(frames: [Frame], network: NetworkID = BundleAuthor.network) throws -> [UInt8] {
        let sink = Sink()
        var writer = try BundleWriter(network) { sink.bytes += $0 }
        for frame in frames { try writer.add(frame) }
        try writer.close()
        return sink.bytes
    }

    private final class Sink {
        var bytes: [UInt8] = []
    }

    /// Takes a bundle into a store, a frame at a time, as a node does, or in the largest lots.
    static func take(
        _ bytes: [UInt8],
        into store: EntryStore,
        network: NetworkID = BundleAuthor.network,
        bounds: BundleLot.Bounds = .frame
    ) throws -> ImportSummary {
        var reader = try BundleReader(.bytes(bytes))
        guard reader.network == network else { throw BundleRefusal.otherNetwork(reader.network) }
        let intake = BundleIntake(store, network: network, release: .now)
        var recounts = BundleRecounts()
        return try BundleImport.read(&reader, bounds: bounds) { try intake.take($0.part, &recounts).receipt }
    }

    /// Everything that a store holds, as `export` writes it.
    static func all(
        _ store: EntryStore,
        chunkBytes: Int = 1 << 20,
        network: NetworkID = BundleAuthor.network
    ) throws -> [UInt8] {
        var frames = try ChangesFrame.encode(store.reader.exportedEnds())
        let logs = try store.reader.exportedLogs(after: 0, limit: 1_000).logs
        frames += ChangesFrame.encode(logs.compactMap(\.words))
        for log in logs where log.size > 0 {
            var next: UInt64 = 0
            while next < log.size {
                let want = RangeWant(log: log.log, from: next, certificate: next == 0 ? .send : .known)
                guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: chunkBytes).first else { break }
                frames.append(ChunksFrame.encode([chunk]))
                next = chunk.start + chunk.count
            }
        }
        return try bytes(frames: frames, network: network)
    }

    static func emptyStore(network: NetworkID = BundleAuthor.network) throws -> EntryStore {
        try EntryStore(.memory, network: network, creation: .ifAbsent)
    }
}

extension BundleSource {
    static func bytes(_ bytes: [UInt8]) -> BundleSource {
        var rest = bytes[...]
        return BundleSource { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}

extension EntryStore {
    /// What is held: equal fingerprints, equal entries.
    var print: String { get throws { try reader.fingerprint().fingerprint.description } }

    func size(of log: LogID) throws -> UInt64 {
        try prefixes(of: [log])[log]?.range.bounds.upperBound ?? 0
    }
}
