package import Entries
package import Sodium

/// A writer: a root key, a device, and the compact range of the entries written so far.
///
/// A copy can fork the log, which an honest author never does: each copy writes its own history.
package struct Author: Sendable {
    package let root: SigningKey
    package let device: SigningKey
    package let certificate: SignedCertificate
    package private(set) var range = LogRange()

    package var log: LogID { certificate.log }
    package var size: UInt64 { range.bounds.upperBound }

    /// Derives all keys from the seed; further devices of the same person have other numbers.
    package init(seed: UInt64, device number: UInt64 = 0, network: NetworkID) {
        root = Self.key(seed, "root")
        device = Self.key(seed, number == 0 ? "device" : "device \(number)")
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                device: DeviceID(raw: device.publicKey),
                sealingKey: Self.bytes(seed, "sealing"),
                serial: seed + number
            ),
            with: root
        )
    }

    /// Writes one entry for each payload, under one signed head.
    package mutating func write(_ payloads: [[UInt8]], at time: UInt64) -> VerifiedChunk {
        let entries = payloads.enumerated().map { offset, payload in
            Entry(
                flags: EntryHeader.erasableFlag,
                kind: 1,
                log: log,
                sequence: size + UInt64(offset),
                time: time + UInt64(offset),
                clock: time + UInt64(offset),
                payload: payload
            )
        }
        let chunk = VerifiedChunk(authoring: entries, after: range, certificate: certificate, with: device)
        range = chunk.tip
        return chunk
    }

    package mutating func write(_ text: String, at time: UInt64) -> VerifiedChunk {
        write([Array(text.utf8)], at: time)
    }

    /// 32 bytes derived from a seed and a purpose.
    package static func bytes(_ seed: UInt64, _ purpose: String) -> Bytes32 {
        Blake2b.hash(HashTag("simulation"), Array("\(purpose) \(seed)".utf8))
    }

    /// A signing key derived from a seed and a purpose.
    static func key(_ seed: UInt64, _ purpose: String) -> SigningKey {
        var bytes = bytes(seed, purpose).bytes
        guard let key = SigningKey(seed: SecretBytes(moving: &bytes)) else { preconditionFailure("32 bytes") }
        return key
    }
}

extension AgreementKey {
    /// A key derived from a seed and a purpose.
    package static func seeded(_ seed: UInt64, _ purpose: String) -> AgreementKey {
        var bytes = Author.bytes(seed, purpose).bytes
        guard let key = AgreementKey(secret: SecretBytes(moving: &bytes)) else { preconditionFailure("32 bytes") }
        return key
    }
}

extension VerifiedChunk {
    /// The chunk in the form in which a peer sends it.
    package var unverified: UnverifiedChunk {
        UnverifiedChunk(
            log: log,
            certificate: certificate.bytes,
            start: start,
            count: end - start,
            size: size,
            proof: head.map { .head($0.signature) } ?? .known,
            entries: EntryCoding.encode(entries),
            right: []
        )
    }
}
