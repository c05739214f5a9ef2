internal import Entries
package import Sodium
internal import Storage

/// Passphrases: locking `device.key`, opening it in memory, and locking it again.
extension Home {
    package enum UnlockOutcome: Sendable {
        /// The key is open until `lock` or a reboot.
        case unlocked
        case wrongPassphrase
        /// The passphrase is right, but no directory here may hold the opened key: only the caller has it.
        case nowhere(OpenDevice)
        /// There is no passphrase, or the key is open already.
        case wasOpen
        case hub
        /// The memory of the key derivation, 256 MiB or what the file says, cannot be had.
        case noMemory
    }

    /// An opened key that lies in no file.
    package struct OpenDevice: Sendable {
        package let key: DeviceKey
        let secrets: SecretBytes

        /// Sealed for this home's running node.
        package func sealed(for node: AgreementKey) -> [UInt8] {
            AgreementKey.seal(secrets, for: node.publicKey)
        }
    }

    package func unlock(_ passphrase: SecretBytes) throws(HomeError) -> UnlockOutcome {
        // A `lock` at the same time waits, and then finds the file written here.
        let turn = try KeyTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        switch try keys().person {
        case .none: return .hub
        case .open: return .wasOpen
        case .locked(let locked):
            switch locked.open(passphrase) {
            case .wrongPassphrase: return .wrongPassphrase
            case .noMemory: return .noMemory
            case .opened(let secrets):
                switch try OpenedKey(layout).write(secrets) {
                case .written: return .unlocked
                case .nowhere: return .nowhere(OpenDevice(key: secrets.key, secrets: secrets.secrets))
                }
            }
        }
    }

    package enum LockOutcome: Hashable, Sendable {
        case locked
        case wasLocked
        /// No passphrase is set, and none was given.
        case passphraseMissing
        case hub
        case noMemory
    }

    /// Wipes the opened key; a home without a passphrase gets this one first.
    package func lock(
        settingIfNone passphrase: SecretBytes?,
        cost: PasswordHash.Cost = .standard
    ) throws(HomeError) -> LockOutcome {
        try Privacy.checkPrivateDirectory(layout.keys)
        try finishKeyChange()
        let turn = try KeyTurn(layout)
        defer { withExtendedLifetime(turn) {} }
        switch try DeviceKeyFile.read(layout.deviceKey, network: network) {
        case nil: return .hub
        case .locked: return try OpenedKey(layout).wipe() ? .locked : .wasLocked
        case .open(let secrets):
            guard let passphrase else { return .passphraseMissing }
            guard let locked = LockedDeviceKey(sealing: secrets, passphrase: passphrase, cost: cost) else {
                return .noMemory
            }
            // Opened before the rename, to overwrite the old file's bytes.
            let old = try HomeError.wrap { () throws(SystemError) in try FileSystem.openToWipe(layout.deviceKey) }
            try DeviceKeyFile.write(locked, to: layout.deviceKey)
            // Copies that a disk or snapshot keeps are out of reach.
            try HomeError.wrap { () throws(SystemError) in try old.wipe() }
            _ = try OpenedKey(layout).wipe()
            return .locked
        }
    }

    /// Completes or undoes a key change that was killed, which left a key without a passphrase, before the key is
    /// reported as locked.
    ///
    /// - Throws: `busy` while the change is in progress.
    private func finishKeyChange() throws(HomeError) {
        guard try KeyChange(layout: layout).isUnfinished() else { return }
        let lock = try HomeLock(layout)
        defer { withExtendedLifetime(lock) {} }
        let store = try openStore()
        try? store.close()
    }

    package enum PassphraseFit: Hashable, Sendable {
        case fits
        case differs
        /// No passphrase is set.
        case absent
        case noMemory
    }

    /// Whether this passphrase opens the key; leaves it locked.
    package func fit(of passphrase: SecretBytes) throws(HomeError) -> PassphraseFit {
        switch try DeviceKeyFile.read(layout.deviceKey, network: network) {
        case nil, .open: return .absent
        case .locked(let locked):
            return switch locked.open(passphrase) {
            case .opened: .fits
            case .wrongPassphrase: .differs
            case .noMemory: .noMemory
            }
        }
    }

    /// The device key that a command sealed for this node, for a key that lies in no file.
    func device(opening sealed: [UInt8]) throws(HomeError) -> DeviceKey? {
        let keys = try keys()
        guard let certificate = keys.certificate, let secrets = keys.node.open(sealed: sealed) else { return nil }
        return DeviceSecrets(secrets, certificate: certificate)?.key
    }
}
