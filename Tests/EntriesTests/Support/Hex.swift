import TestSupport

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
