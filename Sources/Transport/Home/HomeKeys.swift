package import Entries
package import Sodium

/// The secrets of a home, in guarded memory (`DESIGN`: keys are files, 0600 in a 0700 directory).
package struct HomeKeys: Sendable {
    /// The node's channel key: its public half is the node's id.
    package let node: AgreementKey
    /// Nil on a hub, which has no person.
    package let device: DeviceKey?

    /// Reads both files.
    ///
    /// - Throws: `.exposed` or `.foreignOwner` where others could read them, `.damaged` where the secret halves do not
    ///   give the public halves beside them, or the certificate is not of this network.
    package init(reading layout: HomeLayout, network: NetworkID) throws(HomeError) {
        try Privacy.checkPrivateDirectory(layout.keys)
        node = try KeyFile.readNodeKey(layout.nodeKey)
        device = try KeyFile.readDeviceKey(layout.deviceKey, network: network)
    }
}

/// What lets this home write one log.
package struct DeviceKey: Sendable {
    package let signing: SigningKey
    /// Opens what is sealed to this device.
    package let sealing: AgreementKey
    package let certificate: SignedCertificate
}
