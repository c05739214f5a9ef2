internal import CSodium

/// XChaCha20-Poly1305, for files: its 24-byte nonce may be random.
package enum XChaChaPoly {
    package static let nonceCount = 24
    package static let tagCount = 16

    /// Seals a secret, 16 bytes longer (`crypto_aead_xchacha20poly1305_ietf_encrypt`).
    package static func seal(_ secret: SecretBytes, associated: [UInt8], key: SecretBytes, nonce: [UInt8]) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == nonceCount)
        return [UInt8](unsafeUninitializedCapacity: secret.count + tagCount) { out, count in
            secret.withUnsafeBytes { secret in
                key.withUnsafeBytes { key in
                    _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                        out.start,
                        nil,
                        secret.start,
                        UInt64(secret.count),
                        associated,
                        UInt64(associated.count),
                        nil,
                        nonce,
                        key.start
                    )
                }
            }
            count = secret.count + tagCount
        }
    }

    /// The secret; nil if the key is another one or a single bit was changed.
    package static func open(_ sealed: [UInt8], associated: [UInt8], key: SecretBytes, nonce: [UInt8]) -> SecretBytes? {
        precondition(key.count == 32 && nonce.count == nonceCount)
        guard sealed.count >= tagCount else { return nil }
        var isGood = false
        let secret = SecretBytes(count: sealed.count - tagCount) { out in
            key.withUnsafeBytes { key in
                isGood =
                    crypto_aead_xchacha20poly1305_ietf_decrypt(
                        out.start,
                        nil,
                        nil,
                        sealed,
                        UInt64(sealed.count),
                        associated,
                        UInt64(associated.count),
                        nonce,
                        key.start
                    ) == 0
            }
        }
        return isGood ? secret : nil
    }
}
