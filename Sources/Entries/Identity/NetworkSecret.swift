package import Sodium

/// What everybody in a private network knows and nobody else: 16 to 1,024 bytes (`protocol/channel.md` §2).
package struct NetworkSecret: Sendable {
    /// Fewer can be guessed by whoever recorded a handshake, which is not made dear as a passphrase is.
    package static let countRange = 16...1_024

    package let bytes: SecretBytes

    /// Nil for another length.
    package init?(_ bytes: SecretBytes) {
        guard Self.countRange.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// The key of the handshake: H("scurry/psk", network id ‖ secret), 32 bytes.
    package func presharedKey(in network: NetworkID) -> SecretBytes {
        var id = network.bytes
        return Blake2b.hash(.presharedKey, SecretBytes(joining: [SecretBytes(moving: &id), bytes]))
    }
}
