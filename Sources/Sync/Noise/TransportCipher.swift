/// One direction after the handshake: a cipher that takes its next key at fixed numbers of messages (Noise §11.3).
struct TransportCipher: Sendable {
    private var cipher: CipherState
    private let rekeyInterval: UInt64

    init(_ cipher: CipherState, rekeyInterval: UInt64) {
        self.cipher = cipher
        self.rekeyInterval = rekeyInterval
    }

    /// Seals in place; the last 16 bytes of `buffer` are the room for the tag.
    mutating func seal(_ buffer: UnsafeMutableRawBufferPointer) {
        cipher.encryptInPlace(buffer)
        rekeyIfDue()
    }

    mutating func open(_ sealed: UnsafeRawBufferPointer) throws(NoiseError) -> [UInt8] {
        let plaintext = try cipher.decrypt(sealed, associated: [])
        rekeyIfDue()
        return plaintext
    }

    /// The counter goes on, so both sides count to the same message.
    private mutating func rekeyIfDue() {
        if cipher.counter.isMultiple(of: rekeyInterval) {
            cipher.rekey()
        }
    }
}
