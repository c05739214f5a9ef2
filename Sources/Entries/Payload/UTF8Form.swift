/// Validator of UTF-8 (Unicode §3.9, table 3-7): shortest form, no surrogates, nothing above U+10FFFF.
///
/// Noncharacters, NUL and unassigned code points are valid.
package enum UTF8Form {
    /// Offset of the first malformed sequence; nil if `start..<end` is well formed.
    package static func firstBreak(in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var offset = start
        while offset < end {
            offset = asciiEnd(in: bytes, from: offset, to: end)
            guard offset < end else { return nil }
            if bytes[offset] < 0x80 {
                offset += 1
                continue
            }
            guard let count = sequenceLength(in: bytes, at: offset, end: end) else { return offset }
            offset += count
        }
        return nil
    }

    /// Skips ASCII in steps of eight bytes.
    private static func asciiEnd(in bytes: [UInt8], from start: Int, to end: Int) -> Int {
        bytes.withUnsafeBytes { bytes in
            var offset = start
            while end - offset >= 8 {
                guard bytes[offset..<offset + 8].loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else {
                    break
                }
                offset += 8
            }
            return offset
        }
    }

    /// Length of the sequence at `start`, 2 to 4; nil if it is malformed.
    private static func sequenceLength(in bytes: [UInt8], at start: Int, end: Int) -> Int? {
        let (count, second) = shape(bytes[start])
        guard count > 0, count <= end - start, second.contains(bytes[start + 1]) else { return nil }
        for offset in start + 2..<start + count where !continuation.contains(bytes[offset]) {
            return nil
        }
        return count
    }

    private static let continuation: ClosedRange<UInt8> = 0x80...0xbf

    /// Length of a sequence with this first byte (0: none starts so), and the range of its second byte.
    private static func shape(_ first: UInt8) -> (count: Int, second: ClosedRange<UInt8>) {
        switch first {
        case 0xc2...0xdf: (2, continuation)
        case 0xe0: (3, 0xa0...0xbf)
        case 0xed: (3, 0x80...0x9f)
        case 0xe1...0xef: (3, continuation)
        case 0xf0: (4, 0x90...0xbf)
        case 0xf1...0xf3: (4, continuation)
        case 0xf4: (4, 0x80...0x8f)
        default: (0, continuation)
        }
    }
}
