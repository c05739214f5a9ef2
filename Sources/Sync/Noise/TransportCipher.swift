/// The cipher of one direction after the handshake, with a rekey after every `rekeyInterval` messages (Noise §11.3).
struct TransportCipher: Sendable {
    private var cipher: CipherState
    private let rekeyInterval: UInt64

    init(_ cipher: CipherState, rekeyInterval: UInt64) {
        self.cipher = cipher
        self.rekeyInterval = rekeyInterval
    }

    /// Encrypts in place; the last 16 bytes of `buffer` are room for the tag.
    mutating func seal(_ buffer: UnsafeMutableRawBufferPointer) {
        cipher.encryptInPlace(buffer)
        rekeyIfDue()
    }

    mutating func open(_ sealed: UnsafeRawBufferPointer) throws(NoiseError) -> [UInt8] {
        let plaintext = try cipher.decrypt(sealed, associated: [])
        rekeyIfDue()
        return plaintext
    }

    /// The nonce is not reset, so both sides rekey at the same message.
    private mutating func rekeyIfDue() {
        if cipher.counter.isMultiple(of: rekeyInterval) {
            cipher.rekey()
        }
    }
}
