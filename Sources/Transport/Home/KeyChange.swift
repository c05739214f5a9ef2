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

    /// Installs the new key if the store names its log, else removes it; the replaced or removed file is wiped, but a
    /// key of another home is put aside.
    ///
    /// `former` is the own log before the change, where the caller knows it; without it, only the key of another person
    /// or network is seen to be another home's.
    func finish(ownLog: LogID?, former: LogID? = nil, network: NetworkID) throws(HomeError) {
        let remains = try remains()
        for half in remains where half != next {
            try HomeError.wrap { () throws(SystemError) in try FileSystem.wipe(half) }
        }
        guard remains.contains(next) else { return }
        if let ownLog, let new = try written(network), new.certificate.log == ownLog {
            try replace(by: new.certificate, former: former, network)
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

    private func replace(by new: SignedCertificate, former: LogID?, _ network: NetworkID) throws(HomeError) {
        let turn = try KeyTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        guard FileSystem.exists(layout.deviceKey) else { return try move() }
        if isOthers(than: new, former: former, network) {
            // The only copy of somebody's key may have been moved here by mistake. Killed after this, the change is
            // completed as if no file had been here.
            try putAside()
            try move()
            _ = try OpenedKey(layout).wipe()
            return
        }
        // Opened before the rename, to overwrite the old file's bytes; copies that a disk keeps are out of reach.
        let old = try HomeError.wrap { () throws(SystemError) in try FileSystem.openToWipe(layout.deviceKey) }
        try move()
        try HomeError.wrap { () throws(SystemError) in try old.wipe() }
        _ = try OpenedKey(layout).wipe()
    }

    /// Whether the device key that lies here is another home's; a damaged file is taken for this home's own.
    private func isOthers(than new: SignedCertificate, former: LogID?, _ network: NetworkID) -> Bool {
        let certificate: SignedCertificate
        do throws(HomeError) {
            switch try DeviceKeyFile.read(layout.deviceKey, network: network) {
            case nil: return false
            case .open(let secrets): certificate = secrets.certificate
            case .locked(let locked): certificate = locked.certificate
            }
        } catch {
            // What cannot be read, or lies open to others, may be anybody's.
            guard case .damaged = error else { return true }
            return false
        }
        if certificate.certificate.identity != new.certificate.identity { return true }
        return former.map { certificate.log != $0 } ?? false
    }

    /// Gives the device key file the first free name of those that `HomeLayout.keysPutAside` lists. It keeps its mode.
    private func putAside() throws(HomeError) {
        var path = layout.otherKey
        var number = 2
        while FileSystem.facts(ofItself: path) != nil {
            path = "\(layout.otherKey)-\(number)"
            number += 1
        }
        try HomeError.wrap { () throws(SystemError) in
            try FileSystem.rename(layout.deviceKey, to: path)
            try FileSystem.synchronizeDirectory(of: path)
        }
    }

    private func move() throws(HomeError) {
        try HomeError.wrap { () throws(SystemError) in
            try FileSystem.rename(next, to: layout.deviceKey)
            try FileSystem.synchronizeDirectory(of: layout.deviceKey)
        }
    }
}

extension HomeLayout {
    /// Where another home's device key is put that lay in the place of this home's own; a second one gets a number.
    fileprivate var otherKey: String { deviceKey + ".other" }

    /// The device keys of other homes that were put aside, in order; none if the directory cannot be read.
    package var keysPutAside: [String] {
        ((try? FileSystem.names(in: keys)) ?? []).map { "\(keys)/\($0)" }.filter { $0.hasPrefix(otherKey) }.sorted()
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
