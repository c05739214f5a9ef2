internal import CSodium

/// A 64-byte Ed25519 signature (RFC 8032), not verified.
package struct Signature: Hashable, Sendable {
    package let first: Bytes32
    package let second: Bytes32

    package static let count = 64

    /// Copies 64 bytes; nil for any other length.
    package init?(_ bytes: some Collection<UInt8>) {
        // Halves of a collection of any type are taken byte by byte.
        let whole = bytes.withContiguousStorageIfAvailable { Self(raw: UnsafeRawBufferPointer($0)) }
        guard let signature = whole ?? Array(bytes).withUnsafeBytes({ Self(raw: $0) }) else { return nil }
        self = signature
    }

    /// Copies 64 raw bytes; nil for any other length.
    package init?(raw: UnsafeRawBufferPointer) {
        guard raw.count == Self.count,
            let first = Bytes32(raw: UnsafeRawBufferPointer(rebasing: raw[..<Bytes32.count])),
            let second = Bytes32(raw: UnsafeRawBufferPointer(rebasing: raw[Bytes32.count...]))
        else { return nil }
        self.first = first
        self.second = second
    }

    package var bytes: [UInt8] { first.bytes + second.bytes }
}

/// Ed25519 by libsodium alone: implementations disagree on edge cases, and here validity is consensus.
package enum Ed25519 {
    /// Whether `signature` is valid for `message` and `publicKey` (`crypto_sign_verify_detached`).
    ///
    /// libsodium rejects a non-canonical S, a key of small order and a non-canonical encoding of either point
    /// (`protocol/README.md` §4).
    package static func isValid(_ signature: Signature, of message: [UInt8], by publicKey: Bytes32) -> Bool {
        Library.start()
        return publicKey.withUnsafeBytes { key in
            crypto_sign_verify_detached(signature.bytes, message, UInt64(message.count), key.start) == 0
        }
    }
}

/// An Ed25519 key pair whose secret half stays in guarded memory.
package final class SigningKey: Sendable {
    package let publicKey: Bytes32
    private let secret: SecretBytes

    /// Derives the pair from a 32-byte seed (`crypto_sign_seed_keypair`); nil for any other length.
    package init?(seed: SecretBytes) {
        guard seed.count == 32 else { return nil }
        var publicKey = Bytes32()
        secret = SecretBytes(count: Int(crypto_sign_SECRETKEYBYTES)) { secret in
            publicKey.withUnsafeMutableBytes { publicKey in
                seed.withUnsafeBytes { seed in
                    _ = crypto_sign_seed_keypair(
                        publicKey.start,
                        secret.start,
                        seed.start
                    )
                }
            }
        }
        self.publicKey = publicKey
    }

    /// Signs deterministically (`crypto_sign_detached`, RFC 8032).
    package func sign(_ message: [UInt8]) -> Signature {
        let bytes = [UInt8](unsafeUninitializedCapacity: Signature.count) { out, count in
            secret.withUnsafeBytes { secret in
                let status = crypto_sign_detached(
                    out.start,
                    nil,
                    message,
                    UInt64(message.count),
                    secret.start
                )
                precondition(status == 0, "signing cannot fail")
            }
            count = Signature.count
        }
        guard let signature = Signature(bytes) else { preconditionFailure("a signature has 64 bytes") }
        return signature
    }
}
