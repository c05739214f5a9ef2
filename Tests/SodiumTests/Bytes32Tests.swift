import Sodium
import Testing

struct Bytes32Tests {
    @Test(arguments: [0, 1, 31, 33, 64])
    func `Another length than 32 is refused`(count: Int) {
        let bytes = [UInt8](repeating: 7, count: count)
        #expect(Bytes32(bytes) == nil)
        #expect(bytes.withUnsafeBytes { Bytes32(raw: $0) } == nil)
    }

    @Test func `Bytes come back as they went in`() {
        let bytes = [UInt8](0..<32)
        #expect(Bytes32(bytes)?.bytes == bytes)
        #expect(bytes.withUnsafeBytes { Bytes32(raw: $0) }?.bytes == bytes)
        #expect(Bytes32.zero.bytes == [UInt8](repeating: 0, count: 32))
    }

    @Test(arguments: 0..<32)
    func `Order is that of the byte strings`(place: Int) throws {
        // The smaller one is larger in every later byte, so that only the first difference can decide.
        let smaller = (0..<32).map { UInt8($0 < place ? 5 : $0 == place ? 1 : 255) }
        let larger = (0..<32).map { UInt8($0 < place ? 5 : $0 == place ? 255 : 0) }
        let left = try #require(Bytes32(smaller))
        let right = try #require(Bytes32(larger))
        #expect(left < right)
        #expect(!(right < left))
        #expect(!(left < left))
        #expect(left != right)
    }

    @Test func `The prefix is read big-endian`() {
        #expect(Bytes32([UInt8](1...32))?.prefix64 == 0x0102_0304_0506_0708)
    }

    @Test func `The description is hexadecimal`() {
        #expect(Bytes32([UInt8](repeating: 0xa5, count: 32))?.description == String(repeating: "a5", count: 32))
    }
}
