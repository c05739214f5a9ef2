internal import CSodium

/// ChaCha20-Poly1305 with a 96-bit nonce (RFC 8439), as Noise uses it.
package enum ChaChaPoly {
    /// Bytes that sealing adds to the plaintext.
    package static let tagCount = 16

    /// The nonce of Noise §12: four zero bytes, then the counter, little-endian.
    private static func withNonce<Result>(_ counter: UInt64, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        let nonce: (UInt32, UInt32, UInt32) = (
            0, UInt32(truncatingIfNeeded: counter).littleEndian, UInt32(truncatingIfNeeded: counter >> 32).littleEndian
        )
        return withUnsafeBytes(of: nonce) { body($0.start) }
    }

    /// Writes the sealed plaintext, `tagCount` bytes longer, to the start of `output`.
    ///
    /// The key has 32 bytes and must never be used twice with one counter.
    package static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        associated: [UInt8],
        key: SecretBytes,
        counter: UInt64,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count == 32 && output.count >= plaintext.count + tagCount)
        withNonce(counter) { nonce in
            key.withUnsafeBytes { key in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    output.start,
                    nil,
                    plaintext.start,
                    UInt64(plaintext.count),
                    associated,
                    UInt64(associated.count),
                    nil,
                    nonce,
                    key.start
                )
            }
        }
    }

    /// Opens `sealed` into `output` (`sealed.count - tagCount` bytes); false if authentication fails.
    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        associated: [UInt8],
        key: SecretBytes,
        counter: UInt64,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard sealed.count >= tagCount, output.count >= sealed.count - tagCount else { return false }
        precondition(key.count == 32)
        return withNonce(counter) { nonce in
            key.withUnsafeBytes { key in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    output.start,
                    nil,
                    nil,
                    sealed.start,
                    UInt64(sealed.count),
                    associated,
                    UInt64(associated.count),
                    nonce,
                    key.start
                ) == 0
            }
        }
    }

    package static func seal(_ plaintext: [UInt8], associated: [UInt8], key: SecretBytes, counter: UInt64) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: plaintext.count + tagCount) { out, count in
            plaintext.withUnsafeBytes {
                seal($0, associated: associated, key: key, counter: counter, into: UnsafeMutableRawBufferPointer(out))
            }
            count = plaintext.count + tagCount
        }
    }

    /// The plaintext; nil if authentication fails.
    package static func open(_ sealed: [UInt8], associated: [UInt8], key: SecretBytes, counter: UInt64) -> [UInt8]? {
        guard sealed.count >= tagCount else { return nil }
        var isGood = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: max(sealed.count - tagCount, 1)) { out, count in
            isGood = sealed.withUnsafeBytes {
                open($0, associated: associated, key: key, counter: counter, into: UnsafeMutableRawBufferPointer(out))
            }
            count = isGood ? sealed.count - tagCount : 0
        }
        return isGood ? plaintext : nil
    }
}
