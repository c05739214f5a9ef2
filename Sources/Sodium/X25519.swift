internal import CSodium

/// An X25519 key pair (RFC 7748) whose secret half stays in guarded memory.
package final class AgreementKey: Sendable {
    package let publicKey: Bytes32
    private let secret: SecretBytes

    /// Takes a 32-byte secret scalar (`crypto_scalarmult_base`); nil for any other length.
    package init?(secret: SecretBytes) {
        guard secret.count == 32 else { return nil }
        Library.start()
        var publicKey = Bytes32()
        publicKey.withUnsafeMutableBytes { out in
            secret.withUnsafeBytes { secret in
                _ = crypto_scalarmult_base(
                    out.start,
                    secret.start
                )
            }
        }
        self.publicKey = publicKey
        self.secret = secret
    }

    package static func random() -> AgreementKey {
        guard let key = AgreementKey(secret: .random(count: 32)) else { preconditionFailure("32 bytes were asked for") }
        return key
    }

    /// Diffie-Hellman with `peer` (`crypto_scalarmult`); nil if the peer's key is of small order.
    package func sharedSecret(with peer: Bytes32) -> SecretBytes? {
        var isGood = false
        let shared = SecretBytes(count: 32) { out in
            secret.withUnsafeBytes { secret in
                peer.withUnsafeBytes { peer in
                    isGood =
                        crypto_scalarmult(
                            out.start,
                            secret.start,
                            peer.start
                        ) == 0
                }
            }
        }
        return isGood ? shared : nil
    }

    /// Bytes that sealing adds to a secret.
    package static let sealOverhead = 48

    /// Seals for the holder of `publicKey`'s secret half (`crypto_box_seal`): only they can open it, and the sender
    /// stays anonymous.
    package static func seal(_ secret: SecretBytes, for publicKey: Bytes32) -> [UInt8] {
        Library.start()
        return [UInt8](unsafeUninitializedCapacity: secret.count + sealOverhead) { out, count in
            secret.withUnsafeBytes { secret in
                publicKey.withUnsafeBytes { key in
                    _ = crypto_box_seal(out.start, secret.start, UInt64(secret.count), key.start)
                }
            }
            count = secret.count + sealOverhead
        }
    }

    /// Opens a secret sealed for this key (`crypto_box_seal_open`); nil if authentication fails.
    package func open(sealed: [UInt8]) -> SecretBytes? {
        guard sealed.count >= Self.sealOverhead else { return nil }
        var isGood = false
        let opened = SecretBytes(count: sealed.count - Self.sealOverhead) { out in
            secret.withUnsafeBytes { secret in
                publicKey.withUnsafeBytes { key in
                    isGood =
                        crypto_box_seal_open(out.start, sealed, UInt64(sealed.count), key.start, secret.start) == 0
                }
            }
        }
        return isGood ? opened : nil
    }
}
