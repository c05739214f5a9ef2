package import Sodium

package struct Malformed: Error {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}

/// The bytes that pairs of hexadecimal digits spell; spaces and line breaks are skipped.
package func hex(_ text: String) throws -> [UInt8] {
    let digits = Array(text.filter { !$0.isWhitespace })
    guard digits.count.isMultiple(of: 2) else { throw Malformed(text: text) }
    return try stride(from: 0, to: digits.count, by: 2).map { place in
        guard let byte = UInt8(String(digits[place...place + 1]), radix: 16) else { throw Malformed(text: text) }
        return byte
    }
}

package func hex32(_ text: String) throws -> Bytes32 {
    guard let value = Bytes32(try hex(text)) else { throw Malformed(text: text) }
    return value
}

extension [UInt8] {
    /// Bytes from hexadecimal that a test wrote down.
    package init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
