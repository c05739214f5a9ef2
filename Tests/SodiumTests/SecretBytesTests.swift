import Sodium
import Testing

struct SecretBytesTests {
    @Test func `moving empties where the bytes came from`() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(moving: &bytes)
        #expect(bytes.isEmpty)
        #expect(secret.count == 3)
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
    }

    @Test func `no bytes are a secret too`() {
        var bytes: [UInt8] = []
        #expect(SecretBytes(moving: &bytes).count == 0)
    }

    @Test func `equality looks at every byte and at the length`() {
        func secret(_ bytes: [UInt8]) -> SecretBytes {
            var bytes = bytes
            return SecretBytes(moving: &bytes)
        }
        #expect(secret([1, 2, 3]).isEqual(to: secret([1, 2, 3])))
        #expect(!secret([1, 2, 3]).isEqual(to: secret([1, 2, 4])))
        #expect(!secret([1, 2, 3]).isEqual(to: secret([0, 2, 3])))
        #expect(!secret([1, 2, 3]).isEqual(to: secret([1, 2])))
        #expect([UInt8]([1, 2]).isEqualInConstantTime(to: [1, 2]))
        #expect(![UInt8]([1, 2]).isEqualInConstantTime(to: [1, 3]))
        #expect(![UInt8]([1, 2]).isEqualInConstantTime(to: [1]))
    }

    @Test func `an error while filling reaches the caller`() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try SecretBytes(count: 8) { _ throws(Failure) in throw Failure() } }
    }

    @Test func `random secrets differ`() {
        #expect(!SecretBytes.random(count: 32).isEqual(to: .random(count: 32)))
    }

    @Test func `wiping leaves nothing behind`() {
        var bytes: [UInt8] = [1, 2, 3]
        bytes.wipe()
        #expect(bytes.isEmpty)
    }
}
