package import Entries
package import Sodium
internal import Storage

/// The secrets of a home, in guarded memory; on disk they are files, 0600 in a 0700 directory.
package struct HomeKeys: Sendable {
    /// The node's channel key, whose public half is the node id.
    package let node: AgreementKey
    package let person: Person

    /// The home's device key, as far as it has one.
    package enum Person: Sendable {
        /// No device key: a hub.
        case none
        case open(DeviceKey, protection: Protection)
        case locked(LockedDeviceKey)
    }

    package enum Protection: Hashable, Sendable {
        case none
        /// Under a passphrase, which was given since the last boot.
        case passphrase
    }

    /// The device key; nil on a hub and while it is locked.
    package var device: DeviceKey? {
        switch person {
        case .open(let key, _): key
        case .none, .locked: nil
        }
    }

    /// The own certificate, which is not secret and known while the key is locked; nil on a hub.
    package var certificate: SignedCertificate? {
        switch person {
        case .none: nil
        case .open(let key, _): key.certificate
        case .locked(let key): key.certificate
        }
    }

    /// Why `device` is nil.
    var missing: EntryStore.MissingKey {
        switch person {
        case .none: .absent
        case .open, .locked: .locked
        }
    }

    /// Reads the key files, and the opened key in memory if the device key is locked.
    ///
    /// - Throws: `.exposed` or `.foreignOwner` if others could read them; `.missing` without the node's key; `.damaged`
    ///   if secret and public halves do not match, or the certificate is not of this network; `.system` for what is no
    ///   file.
    package init(reading layout: HomeLayout, network: NetworkID) throws(HomeError) {
        try Privacy.checkPrivateDirectory(layout.keys)
        node = try KeyFile.readNodeKey(layout.nodeKey)
        switch try DeviceKeyFile.read(layout.deviceKey, network: network) {
        case nil: person = .none
        case .open(let secrets): person = .open(secrets.key, protection: .none)
        case .locked(let locked):
            let opened = OpenedKey(layout).read(certificate: locked.certificate, network: network)
            person = opened.map { .open($0.key, protection: .passphrase) } ?? .locked(locked)
        }
    }
}

/// The keys and the certificate with which this home writes its log.
package struct DeviceKey: Sendable {
    package let signing: SigningKey
    /// Opens what is sealed to this device.
    package let sealing: AgreementKey
    package let certificate: SignedCertificate
}
