package import Sodium

/// The shared secret of a private network: 16 to 1,024 bytes (`protocol/channel.md` §2).
package struct NetworkSecret: Sendable {
    /// Below 16 bytes it could be guessed from a recorded handshake, since its hash is not slowed like a passphrase's.
    package static let countRange = 16...1_024

    package let bytes: SecretBytes

    /// Nil for another length.
    package init?(_ bytes: SecretBytes) {
        guard Self.countRange.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// The handshake's preshared key: H("scurry/psk", network id ‖ secret), 32 bytes.
    package func presharedKey(in network: NetworkID) -> SecretBytes {
        var id = network.bytes
        return Blake2b.hash(.presharedKey, SecretBytes(joining: [SecretBytes(moving: &id), bytes]))
    }
}
