import Entries
import Sodium
import TestSupport
import Testing

struct ByteCodingTests {
    @Test func `Integers are big-endian`() {
        var writer = ByteWriter()
        writer.append(UInt8(1))
        writer.append(UInt16(0x0203))
        writer.append(UInt32(0x0405_0607))
        writer.append(UInt64(0x0809_0A0B_0C0D_0E0F))
        #expect(writer.bytes == Array(1...15))
    }

    @Test func `Varints have one spelling`() {
        let spellings: [(UInt64, [UInt8])] = [
            (0, [0]), (127, [0x7F]), (128, [0x80, 1]), (300, [0xAC, 2]),
            (.max, [UInt8](repeating: 0xFF, count: 9) + [1]),
        ]
        for (value, bytes) in spellings {
            var writer = ByteWriter()
            writer.append(varint: value)
            #expect(writer.bytes == bytes)
            var reader = ByteReader(bytes)
            let result1 = reader.varint()
            #expect(result1 == value)
            #expect(reader.isAtEnd)
        }
        let refused: [[UInt8]] = [
            [], [0x80], [0x80, 0], [0xFF, 0x80, 0], [UInt8](repeating: 0xFF, count: 9) + [2],
            [UInt8](repeating: 0x80, count: 10) + [0], [UInt8](repeating: 0xFF, count: 10) + [1],
        ]
        for bytes in refused {
            var reader = ByteReader(bytes)
            let result2 = reader.varint()
            #expect(result2 == nil)
        }
    }

    @Test func `A differences comes back, whatever its sign`() {
        var random = SeededRandom.announced()
        for value in [0, -1, 1, .min, .max] + (0..<1000).map({ _ in Int64(bitPattern: random.edgy()) }) {
            var writer = ByteWriter()
            writer.append(zigzag: value)
            var reader = ByteReader(writer.bytes)
            let result3 = reader.zigzag()
            #expect(result3 == value)
        }
    }

    @Test func `No read goes past the end`() {
        var reader = ByteReader([1, 2, 3][1...])
        let result4 = reader.integer(UInt32.self)
        #expect(result4 == nil)
        let result5 = reader.bytes32()
        #expect(result5 == nil)
        let result6 = reader.bytes(count: -1)
        #expect(result6 == nil)
        let result7 = reader.integer(UInt16.self)
        #expect(result7 == 0x0203)
        let result8 = reader.byte()
        #expect(result8 == nil)
        let result9 = reader.signature()
        #expect(result9 == nil)
    }
}
