import Sodium
import Sync
import Testing

struct CipherStateTests {
    @Test func `Without a key everything passes through`() throws {
        var cipher = CipherState()
        #expect(!cipher.hasKey)
        #expect(cipher.encrypt([1, 2], associated: [3]) == [1, 2])
        #expect(try Self.decrypt([1, 2], &cipher) == [1, 2])
        #expect(cipher.counter == 0)
    }

    @Test func `A refused message does not move the counter`() throws {
        var sender = Self.cipher()
        var receiver = Self.cipher()
        let sealed = sender.encrypt([1, 2, 3], associated: [])
        #expect(throws: NoiseError.messageTooShort) { try Self.decrypt([UInt8](repeating: 0, count: 15), &receiver) }
        #expect(throws: NoiseError.decryptionFailed) { try Self.decrypt(sealed.reversed(), &receiver) }
        #expect(receiver.counter == 0)
        #expect(try Self.decrypt(sealed, &receiver) == [1, 2, 3])
        #expect(receiver.counter == 1)
    }

    @Test func `A message opens once and in order`() throws {
        var sender = Self.cipher()
        var receiver = Self.cipher()
        let first = sender.encrypt([1], associated: [])
        let second = sender.encrypt([2], associated: [])
        #expect(throws: NoiseError.decryptionFailed) { try Self.decrypt(second, &receiver) }
        #expect(try Self.decrypt(first, &receiver) == [1])
        #expect(throws: NoiseError.decryptionFailed) { try Self.decrypt(first, &receiver) }
        #expect(try Self.decrypt(second, &receiver) == [2])
    }

    /// Noise §4.2: the new key is what the old one makes of 32 zero bytes under the nonce 2⁶⁴ − 1.
    @Test func `A rekey changes the key and lets the counter go on`() throws {
        var cipher = Self.cipher()
        _ = cipher.encrypt([1], associated: [])
        cipher.rekey()
        #expect(cipher.counter == 1)
        var next = Array(
            ChaChaPoly.seal([UInt8](repeating: 0, count: 32), associated: [], key: Self.key(), counter: .max).prefix(32)
        )
        let expected = ChaChaPoly.seal([2], associated: [], key: SecretBytes(moving: &next), counter: 1)
        #expect(cipher.encrypt([2], associated: []) == expected)
    }

    private static func decrypt(_ sealed: [UInt8], _ cipher: inout CipherState) throws -> [UInt8] {
        try sealed.withUnsafeBytes { try cipher.decrypt($0, associated: []) }
    }

    private static func cipher() -> CipherState { CipherState(key: key()) }

    private static func key() -> SecretBytes {
        var bytes = [UInt8](0..<32)
        return SecretBytes(moving: &bytes)
    }
}
