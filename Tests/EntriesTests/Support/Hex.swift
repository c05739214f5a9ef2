import Sodium

struct Malformed: Error {
    let text: String
}

/// The bytes that pairs of hexadecimal digits spell; spaces and line breaks are skipped.
func hex(_ text: String) throws -> [UInt8] {
    let digits = Array(text.filter { !$0.isWhitespace })
    guard digits.count.isMultiple(of: 2) else { throw Malformed(text: text) }
    return try stride(from: 0, to: digits.count, by: 2).map { place in
        guard let byte = UInt8(String(digits[place...place + 1]), radix: 16) else { throw Malformed(text: text) }
        return byte
    }
}

func hex32(_ text: String) throws -> Bytes32 {
    guard let value = Bytes32(try hex(text)) else { throw Malformed(text: text) }
    return value
}

func number(_ text: String) throws -> UInt64 {
    guard let value = UInt64(text) else { throw Malformed(text: text) }
    return value
}

extension [UInt8] {
    /// The same bytes with one bit changed.
    func flipping(bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }

    func text() -> String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
