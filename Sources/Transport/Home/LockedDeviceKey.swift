package import Entries
internal import Sodium

/// A device key under a passphrase (format in `DeviceKeyFile`).
package struct LockedDeviceKey: Hashable, Sendable {
    package let certificate: SignedCertificate
    let bytes: [UInt8]
    private let cost: PasswordHash.Cost
    private let salt: [UInt8]
    private let nonce: [UInt8]
    private let sealed: [UInt8]

    private var head: [UInt8] { Array(bytes.prefix(DeviceKeyFile.headBytes)) }

    /// Parses a file of the right length and mark; nil if its hash, certificate or cost is invalid.
    init?(_ bytes: [UInt8], network: NetworkID) {
        let body = Array(bytes.dropLast(Bytes32.count))
        guard SHA256.hash(body).bytes == Array(bytes.suffix(Bytes32.count)) else { return nil }
        var rest = body.dropFirst(DeviceKeyFile.markBytes)
        let take = { (count: Int) in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        let number = { (bytes: [UInt8]) in bytes.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } }
        cost = PasswordHash.Cost(passes: number(take(4)), memoryKibibytes: number(take(4)))
        salt = take(PasswordHash.saltCount)
        nonce = take(XChaChaPoly.nonceCount)
        guard cost.isSane,
            let certificate = try? SignedCertificate(verifying: take(SignedCertificate.count), network: network)
        else { return nil }
        self.certificate = certificate
        sealed = Array(rest)
        self.bytes = bytes
    }

    /// Encrypts with a fresh salt and nonce; nil if the memory of the key derivation cannot be had.
    init?(sealing device: DeviceSecrets, passphrase: SecretBytes, cost: PasswordHash.Cost) {
        let salt = Randomness.bytes(PasswordHash.saltCount)
        let nonce = Randomness.bytes(XChaChaPoly.nonceCount)
        guard let key = PasswordHash.key(passphrase: passphrase, salt: salt, cost: cost) else { return nil }
        let number = { (value: UInt32) in withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        var body = DeviceKeyFile.lockedMark + number(cost.passes) + number(cost.memoryKibibytes)
        body += salt + nonce + device.certificate.bytes
        let sealed = XChaChaPoly.seal(device.secrets, associated: body, key: key, nonce: nonce)
        body += sealed
        certificate = device.certificate
        bytes = body + SHA256.hash(body).bytes
        self.cost = cost
        self.salt = salt
        self.nonce = nonce
        self.sealed = sealed
    }

    enum Opening {
        case opened(DeviceSecrets)
        case wrongPassphrase
        /// The memory of the key derivation cannot be had.
        case noMemory
    }

    func open(_ passphrase: SecretBytes) -> Opening {
        guard let key = PasswordHash.key(passphrase: passphrase, salt: salt, cost: cost) else { return .noMemory }
        guard let secrets = XChaChaPoly.open(sealed, associated: head, key: key, nonce: nonce),
            let device = DeviceSecrets(secrets, certificate: certificate)
        else { return .wrongPassphrase }
        return .opened(device)
    }
}
