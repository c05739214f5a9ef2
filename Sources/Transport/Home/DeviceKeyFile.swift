internal import Entries
internal import Sodium

/// The format of `device.key`, open or under a passphrase; integers are big-endian.
///
/// Open: `"scurry devicekey" ‖ signing seed 32 ‖ sealing secret 32 ‖ certificate and signature 200`. The file that
/// `unlock` leaves in memory has this form too.
///
/// Locked: `"scurry lockedkey" ‖ passes u32 ‖ memory in KiB u32 ‖ salt 16 ‖ nonce 24 ‖ certificate and signature 200 ‖
/// sealed 80 ‖ SHA-256 of all that 32`. `sealed` is XChaCha20-Poly1305 of seed and secret, under the key that Argon2id
/// derives from the passphrase, with everything before it as associated data. The hash is no authentication: it tells a
/// damaged file from a wrong passphrase. The certificate is not secret: a locked node must know its own log.
enum DeviceKeyFile {
    static let openMark = Array("scurry devicekey".utf8)
    static let lockedMark = Array("scurry lockedkey".utf8)
    static let markBytes = 16
    static let secretsBytes = 64
    static let openBytes = markBytes + secretsBytes + SignedCertificate.count
    static let headBytes =
        markBytes + 8 + PasswordHash.saltCount + XChaChaPoly.nonceCount + SignedCertificate.count
    static let lockedBytes = headBytes + secretsBytes + XChaChaPoly.tagCount + Bytes32.count

    enum Content {
        case open(DeviceSecrets)
        case locked(LockedDeviceKey)
    }

    /// Nil if there is no file: a hub.
    static func read(_ path: String, network: NetworkID) throws(HomeError) -> Content? {
        guard let content = try KeyFile.read(path) else { return nil }
        if content.hasPrefix(openMark), let secrets = DeviceSecrets(content, network: network) { return .open(secrets) }
        if content.hasPrefix(lockedMark), content.count == lockedBytes,
            let locked = LockedDeviceKey(content.bytes(0..<lockedBytes), network: network)
        {
            return .locked(locked)
        }
        throw isForeign(content, network) ? .foreignNetwork(path) : .damaged(path)
    }

    /// Whether the file's certificate is valid for another network.
    private static func isForeign(_ content: SecretBytes, _ network: NetworkID) -> Bool {
        let start = content.hasPrefix(openMark) ? markBytes + secretsBytes : headBytes - SignedCertificate.count
        guard [openBytes, lockedBytes].contains(content.count),
            let signed = try? SignedCertificate(trusting: content.bytes(start..<start + SignedCertificate.count)),
            signed.certificate.network != network
        else { return false }
        return (try? SignedCertificate(verifying: signed.bytes, network: signed.certificate.network)) != nil
    }

    static func write(_ secrets: DeviceSecrets, to path: String) throws(HomeError) {
        try KeyFile.write([secrets.secrets], mark: openMark, rest: secrets.certificate.bytes, to: path)
    }

    static func write(_ locked: LockedDeviceKey, to path: String) throws(HomeError) {
        try HomeError.wrap { () throws(SystemError) in try FileSystem.replace(path, with: locked.bytes) }
    }
}

/// Both secrets of a device, with their certificate.
struct DeviceSecrets {
    /// Signing seed ‖ sealing secret, 64 bytes.
    let secrets: SecretBytes
    let certificate: SignedCertificate
    let key: DeviceKey

    /// Nil unless the secrets match the public halves in the certificate.
    init?(_ secrets: SecretBytes, certificate: SignedCertificate) {
        guard secrets.count == DeviceKeyFile.secretsBytes, let signing = SigningKey(seed: secrets.part(0..<32)),
            let sealing = AgreementKey(secret: secrets.part(32..<64)),
            certificate.certificate.device.raw == signing.publicKey,
            certificate.certificate.sealingKey == sealing.publicKey
        else { return nil }
        self.secrets = secrets
        self.certificate = certificate
        key = DeviceKey(signing: signing, sealing: sealing, certificate: certificate)
    }

    /// Parses an open file; nil for another length, an invalid certificate, or secrets that do not match it.
    init?(_ content: SecretBytes, network: NetworkID) {
        let start = DeviceKeyFile.markBytes
        let end = start + DeviceKeyFile.secretsBytes
        guard content.count == DeviceKeyFile.openBytes,
            let certificate = try? SignedCertificate(
                verifying: content.bytes(end..<content.count),
                network: network
            )
        else { return nil }
        self.init(content.part(start..<end), certificate: certificate)
    }
}
