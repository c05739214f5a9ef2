import Entries
import Testing

struct SaltTests {
    @Test func `Sixteen bytes come back in order and any other number is refused`() throws {
        let bytes: [UInt8] = [0xff, 1, 2, 3, 4, 5, 6, 0x87, 0x80, 9, 10, 11, 12, 13, 14, 0xfe]
        #expect(try #require(Salt(bytes)).bytes == bytes)
        #expect(Salt(Array(bytes.dropLast())) == nil)
        #expect(Salt(bytes + [0]) == nil)
        #expect(Salt([]) == nil)
    }

    @Test func `A drawn salt has sixteen bytes of its own`() {
        var random = PayloadRandom(seed: 3)
        let first = Salt(using: &random)
        let second = Salt(using: &random)
        #expect(first != second)
        #expect(Salt(first.bytes) == first)
    }
}
