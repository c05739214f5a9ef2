/// Base32 in lower case without padding (RFC 4648 §6), for ids that people see (`protocol/README.md` §5).
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        if bits > 0 {
            text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes; nil for a character outside the alphabet, upper case included, an impossible length, or left-over bits
    /// that are not zero: one id has one spelling.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        // Reserved at once: growing would leave copies of a secret behind.
        bytes.reserveCapacity(text.utf8.count * 5 / 8 + 1)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = character - UInt8(ascii: "2") + 26
            default: return nil
            }
            buffer = buffer << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= (1 << UInt32(bits)) - 1
            }
        }
        guard bits < 5, buffer == 0 else { return nil }
        return bytes
    }
}
