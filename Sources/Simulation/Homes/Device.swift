package import Entries
package import Sodium

/// One device of a person: its keys, and its certificate, which the root key signed.
package struct Device: Sendable {
    package let person: Int
    /// The person's root key, which the recovery words stand for.
    package let root: SigningKey
    package let key: SigningKey
    package let certificate: SignedCertificate

    package var log: LogID { certificate.log }
    package var identity: IdentityID { certificate.certificate.identity }

    /// Derives all keys from the seed and the numbers.
    package init(seed: UInt64, person: Int, number: Int, serial: UInt64, network: NetworkID) {
        self.person = person
        root = Author.key(seed, "root \(person)")
        key = Author.key(seed, "device \(person) \(number)")
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                device: DeviceID(raw: key.publicKey),
                sealingKey: Author.bytes(seed, "sealing \(person)"),
                serial: serial
            ),
            with: root
        )
    }
}
