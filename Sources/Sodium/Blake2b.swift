internal import CSodium

/// Domain separation for one use of BLAKE2b: up to 16 ASCII bytes, padded with NUL, as *personalisation* (RFC 7693
/// §2.8).
///
/// Uses with different tags never share a hash, whatever their input. The table of tags is in `protocol/README.md` §4.
package struct HashTag: Sendable {
    private let padded: (UInt64, UInt64)

    /// A tag of at most 16 bytes; traps on a longer one.
    package init(_ text: StaticString) {
        precondition(text.utf8CodeUnitCount <= 16, "a hash tag has at most 16 bytes")
        var padded: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &padded) { target in
            text.withUTF8Buffer { target.copyMemory(from: UnsafeRawBufferPointer($0)) }
        }
        self.padded = padded
    }

    fileprivate func withBytes<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes(of: padded) { body($0.start) }
    }
}

/// BLAKE2b-256 with a tag, without key or salt (`crypto_generichash_blake2b_salt_personal`).
package enum Blake2b {
    package static func hash(_ tag: HashTag, _ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        var digest = Bytes32()
        tag.withBytes { personal in
            digest.withUnsafeMutableBytes { out in
                let status = crypto_generichash_blake2b_salt_personal(
                    out.start,
                    Bytes32.count,
                    bytes.start,
                    UInt64(bytes.count),
                    nil,
                    0,
                    nil,
                    personal
                )
                precondition(status == 0, "BLAKE2b cannot fail with these lengths")
            }
        }
        return digest
    }

    package static func hash(_ tag: HashTag, _ bytes: [UInt8]) -> Bytes32 {
        bytes.withUnsafeBytes { hash(tag, $0) }
    }

    /// Hashes `left ‖ right` without allocating: the interior node of a Merkle tree.
    package static func hash(_ tag: HashTag, _ left: Bytes32, _ right: Bytes32) -> Bytes32 {
        withUnsafeBytes(of: (left, right)) { hash(tag, $0) }
    }

    /// Hashes a secret to a new secret; both stay in guarded memory.
    package static func hash(_ tag: HashTag, _ secret: SecretBytes) -> SecretBytes {
        SecretBytes(count: Bytes32.count) { out in
            let status = secret.withUnsafeBytes { bytes in
                tag.withBytes { personal in
                    crypto_generichash_blake2b_salt_personal(
                        out.start,
                        out.count,
                        bytes.start,
                        UInt64(bytes.count),
                        nil,
                        0,
                        nil,
                        personal
                    )
                }
            }
            precondition(status == 0, "BLAKE2b cannot fail with these lengths")
        }
    }

    /// BLAKE2b-512 without a tag, for Noise (`crypto_generichash_blake2b`).
    package static func hash512(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 64) { out, count in
            let status = crypto_generichash_blake2b(out.start, 64, bytes, UInt64(bytes.count), nil, 0)
            precondition(status == 0, "BLAKE2b cannot fail with these lengths")
            count = 64
        }
    }
}

/// SHA-256, for the fingerprint of a set (Negentropy V1), the recovery words' checksum, and the vectors of RFC 6962.
package enum SHA256 {
    package static func hash(_ bytes: [UInt8]) -> Bytes32 {
        var digest = Bytes32()
        digest.withUnsafeMutableBytes { out in
            _ = crypto_hash_sha256(out.start, bytes, UInt64(bytes.count))
        }
        return digest
    }
}
