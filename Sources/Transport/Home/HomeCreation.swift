package import Entries
internal import Sodium
internal import Storage

/// The kind of home to make.
package enum Newcomer {
    /// A hub: relays, and writes nothing of its own.
    case hub
    /// A new person with a new root key. `show` gets the recovery words when everything is on disk and nothing is valid
    /// yet; if it throws, there is no home.
    case person(show: (RecoveryWords) throws -> Void)
    /// A person with recovery words, who gets a new device key.
    case returning(RecoveryWords)
}

extension Home {
    /// Makes a home of a network, which cannot be changed later; throws `HomeError`, and the errors of `show`.
    ///
    /// The mark `unfinished` exists from before the first key until everything is durable: after a crash there is
    /// either a complete home, or one that only the next `create` touches.
    package static func create(
        at layout: HomeLayout,
        network name: String,
        secret: NetworkSecret? = nil,
        for newcomer: Newcomer
    ) throws -> Home {
        guard let name = networkName(name) else { throw HomeError.badNetworkName }
        try Privacy.checkOwner(layout.data)
        try layout.checkVacancy()
        try FileSystem.makeDirectories(layout.data)
        try FileSystem.makeDirectories(layout.settings)
        try Privacy.checkDirectory(layout.data)
        let lock = try HomeLock(layout)
        let isUnfinished = layout.unfinishedMark != nil
        guard isUnfinished || !FileSystem.exists(layout.network) else { throw HomeError.exists(layout.data) }
        // Keys without the mark are not this function's leftovers: never removed.
        guard isUnfinished || !FileSystem.exists(layout.keys) else { throw HomeError.damaged(layout.network) }
        guard !layout.isMarkTaken else { throw HomeError.system(layout.takenMark) }
        try FileSystem.setPermissions(0o700, of: layout.data)
        try removeUnfinished(layout)
        try FileSystem.replace(layout.unfinished, with: UnfinishedMark.creation.rawValue)
        do {
            try fill(layout, network: NetworkID(name: name), secret: secret, for: newcomer)
            try FileSystem.replace(layout.network, with: name + "\n" + (secret == nil ? "" : privateLine + "\n"))
            try FileSystem.remove(layout.unfinished)
            try FileSystem.synchronizeDirectory(of: layout.unfinished)
        } catch {
            try? removeRemains(of: layout)
            try? FileSystem.remove(layout.unfinished)
            throw error
        }
        withExtendedLifetime(lock) {}
        return try Home(opening: layout)
    }

    private static func fill(
        _ layout: HomeLayout,
        network: NetworkID,
        secret: NetworkSecret?,
        for newcomer: Newcomer
    ) throws {
        try FileSystem.makeDirectories(layout.keys)
        try FileSystem.setPermissions(0o700, of: layout.keys)
        if let secret { try NetworkSecretFile.write(secret, network: network, to: layout.networkSecret) }
        try KeyFile.writeNodeKey(.random(count: 32), to: layout.nodeKey)
        switch newcomer {
        case .hub: try makeStore(layout, network: network, ownLog: nil)
        case .person(let show):
            guard let words = RecoveryWords(entropy: .random(count: RecoveryWords.entropyBytes)) else {
                preconditionFailure("16 bytes were asked for")
            }
            try makeStore(layout, network: network, ownLog: try writeDeviceKey(words.rootKey, layout, network))
            try show(words)
        case .returning(let words):
            try makeStore(layout, network: network, ownLog: try writeDeviceKey(words.rootKey, layout, network))
        }
    }

    private static func makeStore(
        _ layout: HomeLayout,
        network: NetworkID,
        ownLog: SignedCertificate?
    ) throws(HomeError) {
        do throws(StorageError) {
            let store = try EntryStore(.file(layout.store), network: network, creation: .ifAbsent)
            if let ownLog { try store.registerOwnLog(ownLog) }
            // A witness of an earlier home at this path.
            layout.witness?.forget()
            _ = try store.check(HomeFacts.read(of: layout.store), witness: layout.witness)
            try store.close()
        } catch {
            throw layout.reason(error)
        }
    }

    private static func writeDeviceKey(
        _ root: SigningKey,
        _ layout: HomeLayout,
        _ network: NetworkID
    ) throws(HomeError) -> SignedCertificate {
        let secrets = DeviceSecrets(drawnFor: network, root: root, serial: SystemClock.wallMilliseconds)
        try DeviceKeyFile.write(secrets, to: layout.deviceKey)
        return secrets.certificate
    }

    /// Removes what `fill` makes, and nothing else.
    static func removeRemains(of layout: HomeLayout) throws(SystemError) {
        if FileSystem.exists(layout.keys) {
            let files = [layout.nodeKey, layout.networkSecret, layout.deviceKey]
            for name in try FileSystem.names(in: layout.keys) {
                let path = layout.keys + "/" + name
                let isRemains = FileSystem.isRemains(name) && files.contains { path.hasPrefix($0) }
                if isRemains || files.contains(path) { try FileSystem.remove(path) }
            }
            FileSystem.removeIfEmpty(layout.keys)
        }
        for suffix in ["", "-wal", "-shm", "-journal"] { try FileSystem.remove(layout.store + suffix) }
        try FileSystem.remove(layout.network)
    }
}
