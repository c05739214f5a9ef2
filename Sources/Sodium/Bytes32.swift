/// Thirty-two bytes, stored inline: the representation of all hashes, keys and identifiers.
///
/// Four machine words in memory order, so that copying, comparing and hashing allocate nothing.
package struct Bytes32: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// Thirty-two zero bytes.
    package init() {
        words = (0, 0, 0, 0)
    }

    /// Copies 32 bytes; nil for any other length.
    package init?(_ bytes: some Sequence<UInt8>) {
        // One copy for contiguous bytes: byte by byte costs more than the rest of reading an id.
        if let whole = bytes.withContiguousStorageIfAvailable({ Self(raw: UnsafeRawBufferPointer($0)) }) {
            guard let whole else { return nil }
            self = whole
            return
        }
        self.init()
        var filled = 0
        for byte in bytes {
            guard filled < Self.count else { return nil }
            withUnsafeMutableBytes { $0[filled] = byte }
            filled += 1
        }
        guard filled == Self.count else { return nil }
    }

    /// Copies 32 raw bytes; nil for any other length.
    package init?(raw: UnsafeRawBufferPointer) {
        guard raw.count == Self.count else { return nil }
        self.init()
        withUnsafeMutableBytes { $0.copyMemory(from: raw) }
    }

    package static let count = 32

    package static let zero = Bytes32()

    package var bytes: [UInt8] {
        withUnsafeBytes { Array($0) }
    }

    /// The first eight bytes as a big-endian integer, for short index keys.
    package var prefix64: UInt64 { words.0.bigEndian }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Swift.withUnsafeBytes(of: words, body)
    }

    package mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try Swift.withUnsafeMutableBytes(of: &words, body)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    package func hash(into hasher: inout Hasher) {
        // One call: each word on its own takes the hasher twice as long.
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Bytes32: Comparable {
    /// Byte order: unsigned, the first byte first.
    package static func < (left: Self, right: Self) -> Bool {
        if left.words.0 != right.words.0 { return left.words.0.bigEndian < right.words.0.bigEndian }
        if left.words.1 != right.words.1 { return left.words.1.bigEndian < right.words.1.bigEndian }
        if left.words.2 != right.words.2 { return left.words.2.bigEndian < right.words.2.bigEndian }
        return left.words.3.bigEndian < right.words.3.bigEndian
    }
}

extension Bytes32: CustomStringConvertible {
    /// Lower-case hexadecimal, for logs and test failures; people see base32.
    package var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
