/// Sixteen random bytes in each erasable payload, without which the hash of a short text could be guessed.
package struct Salt: Hashable, Sendable {
    private let words: (UInt64, UInt64)

    /// Takes exactly 16 bytes; nil for any other length.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == PayloadLimits.saltBytes else { return nil }
        if let whole = bytes.withContiguousStorageIfAvailable({ Self.words(of: UnsafeRawBufferPointer($0)) }) {
            words = whole
            return
        }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
        words = (high, low)
    }

    /// Draws 16 bytes; a node passes the system's generator.
    package init(using generator: inout some RandomNumberGenerator) {
        words = (generator.next(), generator.next())
    }

    package var bytes: [UInt8] {
        (0..<PayloadLimits.saltBytes).map { place in
            UInt8(truncatingIfNeeded: (place < 8 ? words.0 : words.1) >> UInt64(8 * (7 - place % 8)))
        }
    }

    private static func words(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        let high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        let low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        return (UInt64(bigEndian: high), UInt64(bigEndian: low))
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}
