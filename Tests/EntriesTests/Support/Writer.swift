import Entries
import Sodium
import Testing

/// One device of one person, for tests: its keys are made from a number.
struct Writer {
    static let network = NetworkID(name: "campus")

    let root: SigningKey
    let device: SigningKey
    let certificate: SignedCertificate

    init(_ number: UInt8, network: NetworkID = Writer.network, serial: UInt64 = 1) throws {
        root = try Self.key(number, 1)
        device = try Self.key(number, 2)
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                device: DeviceID(raw: device.publicKey),
                sealingKey: try #require(Bytes32([UInt8](repeating: number, count: 32))),
                serial: serial
            ),
            with: root
        )
    }

    static func key(_ number: UInt8, _ role: UInt8) throws -> SigningKey {
        var seed = [UInt8](repeating: number, count: 31) + [role]
        return try #require(SigningKey(seed: SecretBytes(moving: &seed)))
    }

    var log: LogID { certificate.log }
    var identity: IdentityID { IdentityID(raw: root.publicKey) }
    var deviceID: DeviceID { DeviceID(raw: device.publicKey) }

    func range(of entries: some Sequence<Entry>, from start: UInt64 = 0) -> LogRange {
        var range = LogRange(at: start)
        for entry in entries { range.append(leaf: entry.id.raw) }
        return range
    }

    /// An honest chunk [start, end) of a log of these entries, under the head that covers `size` of them.
    func chunk(of entries: [Entry], _ bounds: Range<Int>, size: Int, withCertificate: Bool = true) -> UnverifiedChunk {
        let root = range(of: entries.prefix(size)).root ?? .zero
        let head = Head(signing: log, size: UInt64(size), root: root, network: Self.network, with: device)
        return UnverifiedChunk(
            log: log,
            certificate: withCertificate ? certificate.bytes : nil,
            start: UInt64(bounds.lowerBound),
            count: UInt64(bounds.count),
            size: UInt64(size),
            signature: head.signature,
            entries: EntryCoding.encode(entries[bounds]),
            right: range(of: entries[bounds.upperBound..<size], from: UInt64(bounds.upperBound)).nodes
        )
    }

    /// What a receiver knows that holds the first of these entries.
    func prefix(of entries: [Entry], _ count: Int) -> LogPrefix {
        LogPrefix(certificate: certificate, range: range(of: entries.prefix(count)))
    }
}
