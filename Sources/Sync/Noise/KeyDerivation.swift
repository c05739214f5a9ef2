package import Sodium

/// HMAC and HKDF over BLAKE2b (Noise §4.3): 64-byte hash, 128-byte block.
package enum KeyDerivation {
    private static let blockCount = 128
    private static let hashCount = 64

    /// HMAC-BLAKE2b (RFC 2104) of `data`, 64 bytes; the key has at most 128.
    package static func authenticate(_ data: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count <= blockCount, "no key of Noise is longer than a block")
        var inner = pad(key, with: 0x36, following: data.count)
        inner += data
        var digest = Blake2b.hash512(inner)
        inner.wipe()
        var outer = pad(key, with: 0x5c, following: hashCount)
        outer += digest
        digest.wipe()
        defer { outer.wipe() }
        return Blake2b.hash512(outer)
    }

    /// Derives `count` (2 or 3) keys of 64 bytes from a chaining key and input key material.
    package static func derive(_ count: Int, from chainingKey: SecretBytes, mixing input: SecretBytes?) -> [SecretBytes]
    {
        var salt = chainingKey.copiedBytes()
        var material = input?.copiedBytes() ?? []
        var temporary = authenticate(material, key: salt)
        salt.wipe()
        material.wipe()
        defer { temporary.wipe() }

        var outputs: [SecretBytes] = []
        var block: [UInt8] = []
        for number in 1...count {
            block.append(UInt8(truncatingIfNeeded: number))
            var output = authenticate(block, key: temporary)
            block.wipe()
            // Capacity is reserved at once: an array that reallocates leaves its old bytes behind.
            block.reserveCapacity(hashCount + 1)
            block += output
            outputs.append(SecretBytes(moving: &output))
        }
        block.wipe()
        return outputs
    }

    private static func pad(_ key: [UInt8], with mask: UInt8, following count: Int) -> [UInt8] {
        var block: [UInt8] = []
        block.reserveCapacity(blockCount + count)
        for byte in key { block.append(byte ^ mask) }
        for _ in key.count..<blockCount { block.append(mask) }
        return block
    }
}

extension SecretBytes {
    /// A copy outside of the guarded memory, which the caller has to wipe.
    fileprivate func copiedBytes() -> [UInt8] {
        withUnsafeBytes { Array($0) }
    }
}
