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
    private let device: SigningKey
    private var time: UInt64 = 1_790_000_000_000

    /// Authors of one number have the same keys: two of them are one home, copied.
    init(_ number: UInt8, network: NetworkID = BundleAuthor.network) throws {
        let root = try Self.key(number, 1)
        device = try Self.key(number, 2)
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

    var log: LogID { certificate.log }

    @discardableResult
    func post(_ text: String) throws -> EntryID {
        time += 1_000
        var generator = SystemRandomNumberGenerator()
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
        return try BundleImport.read(&reader, bounds: bounds) { try intake.take($0.chunks).receipt }
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
