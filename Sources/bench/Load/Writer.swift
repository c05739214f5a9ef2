import Entries
import Sodium

/// A person with one device, derived from a seed, who writes a log in memory, chunk by chunk.
struct Writer {
    let identity: IdentityID
    let certificate: SignedCertificate
    /// Seed of the device key, from which the key is derived at each signature: a key needs guarded and locked memory,
    /// of which there is not enough for a hundred thousand writers.
    private let deviceSeed: [UInt8]
    private var range = LogRange()
    private var clock: UInt64 = 0
    private var waiting: [Entry] = []

    init(network: NetworkID, generator: inout Generator, serial: UInt64) throws {
        var rootSeed = generator.bytes(32)
        deviceSeed = generator.bytes(32)
        guard let root = SigningKey(seed: SecretBytes(moving: &rootSeed)), let device = Self.key(of: deviceSeed),
            let sealing = Bytes32(generator.bytes(32))
        else { throw BenchError("a key has 32 bytes") }
        identity = IdentityID(raw: root.publicKey)
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: identity,
                device: DeviceID(raw: device.publicKey),
                sealingKey: sealing,
                serial: serial
            ),
            with: root
        )
    }

    /// Adds an entry to the next chunk, and returns its id.
    mutating func write(_ payload: Payload, time: UInt64) -> EntryID {
        clock = max(clock + 1, time)
        let kind = payload.kind
        let entry = Entry(
            flags: kind.isErasable ? EntryHeader.erasableFlag : 0,
            kind: kind.rawValue,
            log: certificate.log,
            sequence: range.bounds.upperBound + UInt64(waiting.count),
            time: time,
            clock: clock,
            payload: payload.encode()
        )
        waiting.append(entry)
        return entry.id
    }

    /// Signs the entries since the last chunk; nil if there are none.
    mutating func sign() -> VerifiedChunk? {
        guard !waiting.isEmpty, let device = Self.key(of: deviceSeed) else { return nil }
        let chunk = VerifiedChunk(authoring: waiting, after: range, certificate: certificate, with: device)
        range = chunk.tip
        waiting = []
        return chunk
    }

    private static func key(of seed: [UInt8]) -> SigningKey? {
        var seed = seed
        return SigningKey(seed: SecretBytes(moving: &seed))
    }
}
