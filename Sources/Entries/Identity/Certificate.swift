package import Sodium

/// A root key's statement about a device: `network ‖ root key ‖ device key ‖ sealing key ‖ serial u64`, 136 bytes
/// (`protocol/identity.md` §3).
package struct Certificate: Hashable, Sendable {
    package let network: NetworkID
    package let identity: IdentityID
    package let device: DeviceID
    /// X25519 public key for messages sealed to this device.
    package let sealingKey: Bytes32
    /// Greater than the identity's earlier serials, as far as they were known.
    package let serial: UInt64

    package init(network: NetworkID, identity: IdentityID, device: DeviceID, sealingKey: Bytes32, serial: UInt64) {
        self.network = network
        self.identity = identity
        self.device = device
        self.sealingKey = sealingKey
        self.serial = serial
    }

    package static let count = 136
    /// Where the root key lies in these bytes, as in those of a `Settlement`.
    private static let identityRange = 32..<64
    /// Where the serial lies in these bytes.
    package static let serialRange = 128..<136

    /// The identity that bytes of a certificate or settlement name, before anything is verified; nil for fewer than 64
    /// bytes.
    package static func claimedIdentity(in bytes: [UInt8]) -> IdentityID? {
        guard bytes.count >= identityRange.upperBound else { return nil }
        return bytes[identityRange].withUnsafeBytes { Bytes32(raw: $0) }.map { IdentityID(raw: $0) }
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: Self.count)
        writer.append(network)
        writer.append(identity)
        writer.append(device)
        writer.append(sealingKey)
        writer.append(serial)
        return writer.bytes
    }

    /// `H("scurry/log", certificate)`, without the signature, so that signing again makes no second log.
    package var log: LogID { LogID(raw: Blake2b.hash(.log, bytes)) }

    var signedBytes: [UInt8] { Array("scurry certificate v1".utf8) + bytes }
}

/// Why a certificate is refused.
package enum CertificateError: Error, Hashable, Sendable {
    case wrongLength
    case foreignNetwork
    case badSignature
}

/// A certificate with the root's verified signature.
package struct SignedCertificate: Hashable, Sendable {
    package let certificate: Certificate
    package let signature: Signature
    package let log: LogID

    /// Bytes on the wire: the certificate, then the signature.
    package static let count = Certificate.count + Signature.count

    package var bytes: [UInt8] { certificate.bytes + signature.bytes }

    /// Signs with the root key, which must be the one that the certificate names.
    package init(signing certificate: Certificate, with root: SigningKey) {
        precondition(root.publicKey == certificate.identity.raw, "a certificate is signed by the root that it names")
        self.certificate = certificate
        signature = root.sign(certificate.signedBytes)
        log = certificate.log
    }

    /// Verifies untrusted bytes.
    package init(verifying bytes: some Collection<UInt8>, network: NetworkID) throws(CertificateError) {
        let (certificate, signature) = try Self.parse(bytes)
        guard certificate.network == network else { throw .foreignNetwork }
        guard Ed25519.isValid(signature, of: certificate.signedBytes, by: certificate.identity.raw) else {
            throw .badSignature
        }
        self.init(certificate, signature)
    }

    /// Parses bytes from the own store, which were verified before.
    package init(trusting bytes: some Collection<UInt8>) throws(CertificateError) {
        let (certificate, signature) = try Self.parse(bytes)
        self.init(certificate, signature)
    }

    private init(_ certificate: Certificate, _ signature: Signature) {
        self.certificate = certificate
        self.signature = signature
        log = certificate.log
    }

    private static func parse(
        _ bytes: some Collection<UInt8>
    ) throws(CertificateError) -> (Certificate, Signature) {
        guard bytes.count == count else { throw .wrongLength }
        var reader = ByteReader(Array(bytes))
        guard let network = reader.bytes32(), let identity = reader.bytes32(), let device = reader.bytes32(),
            let sealingKey = reader.bytes32(), let serial = reader.integer(UInt64.self),
            let signature = reader.signature()
        else { throw .wrongLength }
        let certificate = Certificate(
            network: NetworkID(raw: network),
            identity: IdentityID(raw: identity),
            device: DeviceID(raw: device),
            sealingKey: sealingKey,
            serial: serial
        )
        return (certificate, signature)
    }
}
