internal import Entries
package import Sodium
internal import Storage

/// Passphrases: `device.key` under one, opened in memory, and closed again.
extension Home {
    package enum UnlockOutcome: Sendable {
        /// Until `lock`, or the machine's next start.
        case unlocked
        case wrongPassphrase
        /// The passphrase fits, and no directory here may hold the opened key: it is for the caller alone.
        case nowhere(OpenDevice)
        /// There is no passphrase, or it was given already.
        case wasOpen
        case hub
        /// 256 MiB, or what the file says, are not to be had.
        case noMemory
    }

    /// An opened key that lies in no file.
    package struct OpenDevice: Sendable {
        package let key: DeviceKey
        let secrets: SecretBytes

        /// For a running node of this home alone.
        package func sealed(for node: AgreementKey) -> [UInt8] {
            AgreementKey.seal(secrets, for: node.publicKey)
        }
    }

    package func unlock(_ passphrase: SecretBytes) throws(HomeError) -> UnlockOutcome {
        // Whoever locks meanwhile waits, and then finds what is written here.
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
        /// There is none, and none was given.
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
            // The old file's bytes, while they still have a name.
            let old = try HomeError.wrap { () throws(SystemError) in try OpenFile(layout.deviceKey, for: .overwrite) }
            try DeviceKeyFile.write(locked, to: layout.deviceKey)
            // What a disk or a snapshot keeps of them besides is out of reach.
            try HomeError.wrap { () throws(SystemError) in try old.wipe() }
            _ = try OpenedKey(layout).wipe()
            return .locked
        }
    }

    /// A change of keys that was killed left a key without a passphrase: it takes its place, or goes, before anything is said to
    /// be locked.
    ///
    /// - Throws: `busy` while the change is under way.
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
        /// There is none.
        case absent
        case noMemory
    }

    /// Whether the key lies under this passphrase; nothing is opened.
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

    /// The key that a command sent to this node, which lies in no file.
    func device(opening sealed: [UInt8]) throws(HomeError) -> DeviceKey? {
        let keys = try keys()
        guard let certificate = keys.certificate, let secrets = keys.node.open(sealed: sealed) else { return nil }
        return DeviceSecrets(secrets, certificate: certificate)?.key
    }
}
