package import Entries
package import Storage

/// How the device key that lies in a home stands to the log that its database names.
package enum DeviceKeyFit: Hashable, Sendable {
    /// It is the key of that log, open or locked.
    case own
    /// There is no device key, as in a home restored from a backup.
    case absent
    /// It is the key of another log: a file of another home was put here.
    case other
    /// The home is a hub, or its key file cannot be read.
    case unknown
}

extension Home {
    /// Compares the device key with the own log; a locked key too, since its certificate is in clear.
    package func keyFit(in store: StoreReader) throws(StorageError) -> DeviceKeyFit {
        var fit = DeviceKeyFit.unknown
        // A second look: between file and database `id restore` may have replaced both.
        for _ in 0..<2 where fit != .own {
            guard let log = try store.ownLog() else { return .unknown }
            fit = keyFit(for: log)
        }
        return fit
    }

    /// Whether the own log can go on with the device key as it lies here: it is that log's, and is not locked.
    package func holdsUsableKey(of log: LogID) throws(HomeError) -> Bool {
        // Never locked, and in its place as soon as somebody writes.
        if KeyChange(layout: layout).holdsKey(of: log, network) { return true }
        return try usableKey()?.certificate.log == log
    }

    private func keyFit(for log: LogID) -> DeviceKeyFit {
        // Whoever writes next completes a change that was killed.
        if KeyChange(layout: layout).holdsKey(of: log, network) { return .own }
        do throws(HomeError) {
            switch try DeviceKeyFile.read(layout.deviceKey, network: network) {
            case nil: return .absent
            case .open(let secrets): return secrets.certificate.log == log ? .own : .other
            case .locked(let locked): return locked.certificate.log == log ? .own : .other
            }
        } catch {
            // Reported by whoever reads the keys.
            return .unknown
        }
    }
}
