package import Entries
package import Sodium
internal import Storage

/// The secrets of a home, in guarded memory (`DESIGN`: keys are files, 0600 in a 0700 directory).
package struct HomeKeys: Sendable {
    /// The node's channel key: its public half is the node's id.
    package let node: AgreementKey
    package let person: Person

    /// What this home has of a person.
    package enum Person: Sendable {
        /// A hub.
        case none
        case open(DeviceKey, protection: Protection)
        case locked(LockedDeviceKey)
    }

    package enum Protection: Hashable, Sendable {
        case none
        /// A passphrase, which was given since the machine started.
        case passphrase
    }

    /// Nil on a hub, and while the key is locked.
    package var device: DeviceKey? {
        switch person {
        case .open(let key, _): key
        case .none, .locked: nil
        }
    }

    /// Nil on a hub; no secret, so there while the key is locked.
    package var certificate: SignedCertificate? {
        switch person {
        case .none: nil
        case .open(let key, _): key.certificate
        case .locked(let key): key.certificate
        }
    }

    /// What `device` being nil means.
    var missing: EntryStore.MissingKey {
        switch person {
        case .none: .absent
        case .open, .locked: .locked
        }
    }

    /// Reads both files, and the opened key in memory if the one on disk is protected.
    ///
    /// - Throws: `.exposed` or `.foreignOwner` where others could read them, `.damaged` where the secret halves do not
    ///   give the public halves beside them, or the certificate is not of this network.
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

/// What lets this home write one log.
package struct DeviceKey: Sendable {
    package let signing: SigningKey
    /// Opens what is sealed to this device.
    package let sealing: AgreementKey
    package let certificate: SignedCertificate
}
