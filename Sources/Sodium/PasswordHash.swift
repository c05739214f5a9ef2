internal import CSodium

/// Argon2id (RFC 9106): derives a key from a passphrase, at a cost that slows guessing.
package enum PasswordHash {
    package static let saltCount = 16
    package static let keyCount = 32

    /// Cost of one derivation; stored beside the salt, so that it can rise later.
    package struct Cost: Hashable, Sendable {
        package let passes: UInt32
        package let memoryKibibytes: UInt32

        package init(passes: UInt32, memoryKibibytes: UInt32) {
            self.passes = passes
            self.memoryKibibytes = memoryKibibytes
        }

        /// libsodium's `MODERATE`: below a second, and 256 MiB.
        package static let standard = Cost(passes: 3, memoryKibibytes: 262_144)

        /// Whether the cost protects a key, and does not let a file demand all memory.
        package var isSane: Bool {
            (1...32).contains(passes) && (8_192...2_097_152).contains(memoryKibibytes)
        }
    }

    /// Derives 32 bytes (`crypto_pwhash`, Argon2id version 1.3, one lane); nil if the memory cannot be had.
    package static func key(passphrase: SecretBytes, salt: [UInt8], cost: Cost) -> SecretBytes? {
        precondition(salt.count == saltCount, "a salt has 16 bytes")
        var isGood = false
        let key = SecretBytes(count: keyCount) { out in
            passphrase.withUnsafeBytes { bytes in
                isGood =
                    crypto_pwhash(
                        out.start,
                        UInt64(out.count),
                        UnsafeRawPointer(bytes.start).assumingMemoryBound(to: CChar.self),
                        UInt64(bytes.count),
                        salt,
                        UInt64(cost.passes),
                        Int(cost.memoryKibibytes) * 1_024,
                        crypto_pwhash_ALG_ARGON2ID13
                    ) == 0
            }
        }
        return isGood ? key : nil
    }
}
