import Entries
import Testing

struct UTF8FormTests {
    private static func isText(_ bytes: [UInt8]) -> Bool {
        UTF8Form.firstBreak(in: bytes, from: 0, to: bytes.count) == nil
    }

    @Test func `Every scalar is text`() {
        for value in UInt32(0)...0x10ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = Array(UTF8.encode(scalar) ?? .init())
            if !Self.isText(bytes) { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func `It agrees with the standard library on sequences around every edge`() {
        let edges: [UInt8] = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
            0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xff,
        ]
        for first in edges {
            for second in edges {
                for third in edges {
                    for bytes in [[first], [first, second], [first, second, third], [first, second, third, 0x80]] {
                        let expected = String(validating: bytes, as: UTF8.self) != nil
                        if Self.isText(bytes) != expected { Issue.record("\(bytes)") }
                    }
                }
            }
        }
    }

    @Test func `It says where the first broken sequence starts, and never looks past the end`() {
        #expect(UTF8Form.firstBreak(in: [0x41, 0xc3, 0xa9, 0xff, 0xff], from: 0, to: 5) == 3)
        #expect(UTF8Form.firstBreak(in: [0x41, 0xc3, 0xa9, 0xff, 0xff], from: 1, to: 3) == nil)
        #expect(UTF8Form.firstBreak(in: [0x41, 0xc3, 0xa9], from: 0, to: 2) == 1)
        #expect(UTF8Form.firstBreak(in: [], from: 0, to: 0) == nil)
    }
}
