package import Sodium

/// A digest of a set of frontier items: 16 bytes, independent of order (`protocol/log.md` §9, Negentropy V1).
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    package let bytes: [UInt8]

    package static let count = 16

    /// Copies 16 bytes; nil for any other length.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = Array(bytes)
    }

    package var description: String { Base32.encode(bytes) }
}

/// The sum behind a fingerprint, updated in constant time.
package struct FingerprintSum: Hashable, Sendable {
    // Little-endian words of the sum modulo 2^256.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    package private(set) var count: UInt64 = 0

    package init() {}

    package mutating func insert(_ item: Bytes32) {
        let addend = Self.words(of: item)
        var carry: UInt64 = 0
        words.0 = Self.add(words.0, addend.0, &carry)
        words.1 = Self.add(words.1, addend.1, &carry)
        words.2 = Self.add(words.2, addend.2, &carry)
        words.3 = Self.add(words.3, addend.3, &carry)
        count += 1
    }

    /// Removes an item of the set.
    package mutating func remove(_ item: Bytes32) {
        let taken = Self.words(of: item)
        var borrow: UInt64 = 0
        words.0 = Self.subtract(words.0, taken.0, &borrow)
        words.1 = Self.subtract(words.1, taken.1, &borrow)
        words.2 = Self.subtract(words.2, taken.2, &borrow)
        words.3 = Self.subtract(words.3, taken.3, &borrow)
        count -= 1
    }

    /// Adds another set, disjoint from this one.
    package mutating func insert(_ other: FingerprintSum) {
        var carry: UInt64 = 0
        words.0 = Self.add(words.0, other.words.0, &carry)
        words.1 = Self.add(words.1, other.words.1, &carry)
        words.2 = Self.add(words.2, other.words.2, &carry)
        words.3 = Self.add(words.3, other.words.3, &carry)
        count += other.count
    }

    /// Removes another set, contained in this one.
    package mutating func remove(_ other: FingerprintSum) {
        var borrow: UInt64 = 0
        words.0 = Self.subtract(words.0, other.words.0, &borrow)
        words.1 = Self.subtract(words.1, other.words.1, &borrow)
        words.2 = Self.subtract(words.2, other.words.2, &borrow)
        words.3 = Self.subtract(words.3, other.words.3, &borrow)
        count -= other.count
    }

    /// The first 16 bytes of `SHA-256(sum, 32 bytes little-endian ‖ count)`, the count in base 128, high digit first.
    package var fingerprint: Fingerprint {
        var bytes: [UInt8] = []
        for word in [words.0, words.1, words.2, words.3] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        var digits: [UInt8] = [UInt8(count & 0x7F)]
        var rest = count >> 7
        while rest > 0 {
            digits.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(contentsOf: digits.reversed())
        guard let fingerprint = Fingerprint(SHA256.hash(bytes).bytes.prefix(Fingerprint.count)) else {
            preconditionFailure("a SHA-256 hash has 32 bytes")
        }
        return fingerprint
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.words == right.words && left.count == right.count
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(count)
    }

    private static func words(of item: Bytes32) -> (UInt64, UInt64, UInt64, UInt64) {
        item.withUnsafeBytes { raw in
            let word = { (index: Int) in
                UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return (word(0), word(1), word(2), word(3))
        }
    }

    private static func add(_ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (sum, first) = left.addingReportingOverflow(right)
        let (total, second) = sum.addingReportingOverflow(carry)
        carry = first || second ? 1 : 0
        return total
    }

    private static func subtract(_ left: UInt64, _ right: UInt64, _ borrow: inout UInt64) -> UInt64 {
        let (difference, first) = left.subtractingReportingOverflow(right)
        let (total, second) = difference.subtractingReportingOverflow(borrow)
        borrow = first || second ? 1 : 0
        return total
    }
}
