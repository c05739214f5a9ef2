internal import Entries
internal import Sodium
internal import Storage

/// The crash-safe replacement of the device key: at any moment one of two files holds the key of the log that the store
/// names.
///
/// Writes the new key to `device.key.next`, then the new log to the store, then renames the file. An interrupted change
/// is completed when the store is opened under the home's lock. A key that the store does not name has signed nothing.
/// The new key has no passphrase, whatever the old one had.
struct KeyChange {
    let layout: HomeLayout

    private var next: String { layout.deviceKey + ".next" }

    /// The files of an unfinished change: the key, and temporary files of a `begin` that was killed.
    private func remains() throws(HomeError) -> [String] {
        try HomeError.wrap { () throws(SystemError) in
            try FileSystem.names(in: layout.keys).map { "\(layout.keys)/\($0)" }.filter { $0.hasPrefix(next) }
        }
    }

    func isUnfinished() throws(HomeError) -> Bool { try !remains().isEmpty }

    /// Writes the new key; nothing else has changed.
    func begin(root: SigningKey, network: NetworkID, serial: UInt64) throws(HomeError) -> DeviceKey {
        let secrets = DeviceSecrets(drawnFor: network, root: root, serial: serial)
        try DeviceKeyFile.write(secrets, to: next)
        return secrets.key
    }

    /// Installs the new key if the store names its log, else removes it; the replaced or removed file is wiped.
    func finish(ownLog: LogID?, network: NetworkID) throws(HomeError) {
        let remains = try remains()
        for half in remains where half != next {
            try HomeError.wrap { () throws(SystemError) in try FileSystem.wipe(half) }
        }
        guard remains.contains(next) else { return }
        if let ownLog, try written(network)?.certificate.log == ownLog {
            try replace()
        } else {
            try HomeError.wrap { () throws(SystemError) in
                try FileSystem.wipe(next)
                try FileSystem.synchronizeDirectory(of: next)
            }
        }
    }

    /// Whether the new key of a change that was not finished is that of this log.
    func holdsKey(of log: LogID, _ network: NetworkID) -> Bool {
        (try? written(network))?.certificate.log == log
    }

    /// The key that `begin` wrote; nil if it does not parse: the store names only keys that were written whole.
    private func written(_ network: NetworkID) throws(HomeError) -> DeviceKey? {
        do throws(HomeError) {
            guard case .open(let secrets) = try DeviceKeyFile.read(next, network: network) else { return nil }
            return secrets.key
        } catch {
            guard case .damaged = error else { throw error }
            return nil
        }
    }

    private func replace() throws(HomeError) {
        let turn = try KeyTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        guard FileSystem.exists(layout.deviceKey) else { return try move() }
        // Opened before the rename, to overwrite the old file's bytes; copies that a disk keeps are out of reach.
        let old = try HomeError.wrap { () throws(SystemError) in try OpenFile(layout.deviceKey, for: .overwrite) }
        try move()
        try HomeError.wrap { () throws(SystemError) in try old.wipe() }
        _ = try OpenedKey(layout).wipe()
    }

    private func move() throws(HomeError) {
        try HomeError.wrap { () throws(SystemError) in
            try FileSystem.rename(next, to: layout.deviceKey)
            try FileSystem.synchronizeDirectory(of: layout.deviceKey)
        }
    }
}

extension DeviceSecrets {
    /// Draws both secrets and certifies them with the root key, of which it keeps no copy.
    init(drawnFor network: NetworkID, root: SigningKey, serial: UInt64) {
        let seed = SecretBytes.random(count: 32)
        let sealing = SecretBytes.random(count: 32)
        guard let device = SigningKey(seed: seed), let sealingKey = AgreementKey(secret: sealing) else {
            preconditionFailure("32 bytes were asked for")
        }
        let certificate = Certificate(
            network: network,
            identity: IdentityID(raw: root.publicKey),
            device: DeviceID(raw: device.publicKey),
            sealingKey: sealingKey.publicKey,
            serial: serial
        )
        let signed = SignedCertificate(signing: certificate, with: root)
        guard let secrets = DeviceSecrets(SecretBytes(joining: [seed, sealing]), certificate: signed) else {
            preconditionFailure("the certificate was made of these keys")
        }
        self = secrets
    }
}
