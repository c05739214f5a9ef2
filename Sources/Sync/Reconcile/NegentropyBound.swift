package import Sodium

/// The exclusive upper bound of a range of items (Negentropy V1, Bound; `protocol/sync.md` §13).
///
/// A time and the first 0 to 32 bytes of an id, the others being 0; the greatest is above every item.
package struct NegentropyBound: Hashable, Sendable {
    /// Seconds; `UInt64.max`: above everything, and then without a prefix.
    package let timestamp: UInt64
    /// Bytes of the id that are written.
    package let length: Int
    /// The prefix, padded with zeros.
    package let id: Bytes32

    package static let end = NegentropyBound(timestamp: .max, length: 0, id: .zero)

    init(timestamp: UInt64, length: Int, id: Bytes32) {
        self.timestamp = timestamp
        self.length = length
        self.id = id
    }

    /// The bound equal to this item.
    init(at item: TimedItem) {
        self.init(timestamp: UInt64(item.seconds), length: Bytes32.count, id: item.id)
    }

    /// The shortest bound above the first item and not above the second, which follows it.
    init(between first: TimedItem, _ second: TimedItem) {
        guard first.seconds == second.seconds else {
            self.init(timestamp: UInt64(second.seconds), length: 0, id: .zero)
            return
        }
        var prefix = Bytes32()
        var length = 0
        first.id.withUnsafeBytes { low in
            second.id.withUnsafeBytes { high in
                prefix.withUnsafeMutableBytes { prefix in
                    while length < Bytes32.count {
                        prefix[length] = high[length]
                        length += 1
                        if low[length - 1] != high[length - 1] { return }
                    }
                }
            }
        }
        self.init(timestamp: UInt64(second.seconds), length: length, id: prefix)
    }

    /// Whether the item lies below the bound.
    package func isAbove(_ item: TimedItem) -> Bool {
        let seconds = UInt64(item.seconds)
        return seconds == timestamp ? item.id < id : seconds < timestamp
    }
}

extension NegentropyBound: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        left.timestamp == right.timestamp ? left.id < right.id : left.timestamp < right.timestamp
    }
}
