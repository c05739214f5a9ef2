import Sodium
import Testing

struct ChaChaPolyTests {
    private let plaintext = Array("a squirrel buries nuts".utf8)
    private let associated = Array("tree".utf8)

    @Test func `What was sealed opens`() {
        let key = Self.key(1)
        for message in [[], plaintext] {
            let sealed = ChaChaPoly.seal(message, associated: associated, key: key, counter: 5)
            #expect(sealed.count == message.count + ChaChaPoly.tagCount)
            #expect(ChaChaPoly.open(sealed, associated: associated, key: key, counter: 5) == message)
        }
    }

    @Test func `A flipped bit in any byte is refused`() {
        let key = Self.key(1)
        let sealed = ChaChaPoly.seal(plaintext, associated: associated, key: key, counter: 5)
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << UInt8(bit)
                #expect(ChaChaPoly.open(changed, associated: associated, key: key, counter: 5) == nil)
            }
        }
    }

    @Test func `Another key, counter or associated text is refused`() {
        let sealed = ChaChaPoly.seal(plaintext, associated: associated, key: Self.key(1), counter: 5)
        #expect(ChaChaPoly.open(sealed, associated: associated, key: Self.key(2), counter: 5) == nil)
        #expect(ChaChaPoly.open(sealed, associated: associated, key: Self.key(1), counter: 6) == nil)
        #expect(ChaChaPoly.open(sealed, associated: associated, key: Self.key(1), counter: 5 + 1 << 32) == nil)
        #expect(ChaChaPoly.open(sealed, associated: [], key: Self.key(1), counter: 5) == nil)
    }

    @Test(arguments: [0, 1, 15])
    func `Less than a tag is refused`(count: Int) {
        let sealed = [UInt8](repeating: 0, count: count)
        #expect(ChaChaPoly.open(sealed, associated: [], key: Self.key(1), counter: 0) == nil)
        var output = [UInt8](repeating: 0, count: 16)
        let isGood = output.withUnsafeMutableBytes { output in
            sealed.withUnsafeBytes {
                ChaChaPoly.open($0, associated: [], key: Self.key(1), counter: 0, into: output)
            }
        }
        #expect(!isGood)
    }

    @Test func `Sealing where the plaintext lies gives the same bytes`() {
        let expected = ChaChaPoly.seal(plaintext, associated: [], key: Self.key(1), counter: 9)
        var buffer = plaintext + [UInt8](repeating: 0, count: ChaChaPoly.tagCount)
        let count = plaintext.count
        buffer.withUnsafeMutableBytes { buffer in
            ChaChaPoly.seal(
                UnsafeRawBufferPointer(rebasing: buffer[..<count]),
                associated: [],
                key: Self.key(1),
                counter: 9,
                into: buffer
            )
        }
        #expect(buffer == expected)
    }

    private static func key(_ byte: UInt8) -> SecretBytes {
        var bytes = [UInt8](repeating: byte, count: 32)
        return SecretBytes(moving: &bytes)
    }
}
