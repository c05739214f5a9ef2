package import Sodium

/// A cipher key and its nonce (Noise §5.1); without a key, messages pass unchanged.
package struct CipherState: Sendable {
    private var key: SecretBytes?

    /// The nonce of the next message; a rekey does not reset it.
    package private(set) var counter: UInt64 = 0

    package init() {
        key = nil
    }

    /// Takes the first 32 bytes of `key`, which may be a whole hash (Noise §5.2).
    package init(key: SecretBytes) {
        self.key = key.leadingKey()
    }

    package var hasKey: Bool { key != nil }

    /// Bytes by which encryption lengthens a message: 16, or 0 without a key.
    package var overhead: Int { hasKey ? ChaChaPoly.tagCount : 0 }

    package mutating func encrypt(_ plaintext: [UInt8], associated: [UInt8]) -> [UInt8] {
        guard let key else { return plaintext }
        return ChaChaPoly.seal(plaintext, associated: associated, key: key, counter: nextCounter())
    }

    /// Encrypts in place; the last 16 bytes of `buffer` are room for the tag.
    package mutating func encryptInPlace(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let key else { preconditionFailure("transport messages have a key") }
        let plaintext = UnsafeRawBufferPointer(rebasing: buffer.dropLast(ChaChaPoly.tagCount))
        ChaChaPoly.seal(plaintext, associated: [], key: key, counter: nextCounter(), into: buffer)
    }

    /// Decrypts and authenticates a message; after an error the nonce is unchanged.
    package mutating func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        associated: [UInt8]
    ) throws(NoiseError) -> [UInt8] {
        guard let key else { return Array(sealed) }
        guard sealed.count >= ChaChaPoly.tagCount else { throw .messageTooShort }
        let counter = self.counter
        var isGood = false
        // One byte at least, so that an empty plaintext has an address too.
        let room = max(sealed.count - ChaChaPoly.tagCount, 1)
        let plaintext = [UInt8](unsafeUninitializedCapacity: room) { out, count in
            isGood = ChaChaPoly.open(
                sealed,
                associated: associated,
                key: key,
                counter: counter,
                into: UnsafeMutableRawBufferPointer(out)
            )
            count = isGood ? sealed.count - ChaChaPoly.tagCount : 0
        }
        guard isGood else { throw .decryptionFailed }
        _ = nextCounter()
        return plaintext
    }

    /// Replaces the key by its encryption of 32 zero bytes under the last nonce (Noise §4.2, §11.3).
    package mutating func rekey() {
        guard let key else { preconditionFailure("there is no key to replace") }
        var sealed = ChaChaPoly.seal([UInt8](repeating: 0, count: 32), associated: [], key: key, counter: .max)
        self.key = SecretBytes(moving: &sealed).leadingKey()
    }

    private mutating func nextCounter() -> UInt64 {
        precondition(counter < .max, "the last nonce is kept for the rekey; no channel lives long enough to get there")
        defer { counter += 1 }
        return counter
    }
}

extension SecretBytes {
    fileprivate func leadingKey() -> SecretBytes {
        SecretBytes(count: 32) { target in
            withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(32))) }
        }
    }
}
