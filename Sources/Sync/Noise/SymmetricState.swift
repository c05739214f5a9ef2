package import Sodium

/// The running hash and chaining key of a handshake (Noise §5.2).
package struct SymmetricState: Sendable {
    private var chainingKey: SecretBytes
    private var cipher = CipherState()

    /// A 64-byte hash of everything exchanged so far; after the last message it identifies this channel.
    package private(set) var hash: [UInt8]

    /// Starts from `Noise_…`, at most 64 bytes of ASCII.
    package init(protocolName: String) {
        var name = Array(protocolName.utf8)
        precondition(name.count <= 64, "a longer name would have to be hashed, and none is in use")
        name += [UInt8](repeating: 0, count: 64 - name.count)
        hash = name
        chainingKey = SecretBytes(moving: &name)
    }

    package var hasKey: Bool { cipher.hasKey }

    package mutating func mixHash(_ data: [UInt8]) {
        hash = Blake2b.hash512(hash + data)
    }

    package mutating func mixKey(_ material: SecretBytes) {
        let keys = KeyDerivation.derive(2, from: chainingKey, mixing: material)
        chainingKey = keys[0]
        cipher = CipherState(key: keys[1])
    }

    /// Mixes in an ephemeral public key, which is not secret; only handshakes with preshared keys do so (Noise §9.2).
    package mutating func mixKey(_ publicKey: Bytes32) {
        var bytes = publicKey.bytes
        mixKey(SecretBytes(moving: &bytes))
    }

    /// Mixes in a preshared key (Noise §9.1).
    package mutating func mixKeyAndHash(_ presharedKey: SecretBytes) {
        let keys = KeyDerivation.derive(3, from: chainingKey, mixing: presharedKey)
        chainingKey = keys[0]
        mixHash(keys[1].withUnsafeBytes { Array($0) })
        cipher = CipherState(key: keys[2])
    }

    package mutating func encryptAndHash(_ plaintext: [UInt8]) -> [UInt8] {
        let sealed = cipher.encrypt(plaintext, associated: hash)
        mixHash(sealed)
        return sealed
    }

    package mutating func decryptAndHash(_ sealed: [UInt8]) throws(NoiseError) -> [UInt8] {
        let associated = hash
        let plaintext = try sealed.withUnsafeBufferPointer { bytes throws(NoiseError) in
            try cipher.decrypt(UnsafeRawBufferPointer(bytes), associated: associated)
        }
        mixHash(sealed)
        return plaintext
    }

    /// The two directions' ciphers: the initiator's first.
    package func split() -> (initiator: CipherState, responder: CipherState) {
        let keys = KeyDerivation.derive(2, from: chainingKey, mixing: nil)
        return (CipherState(key: keys[0]), CipherState(key: keys[1]))
    }
}
