package import Sodium

/// The hash of an interior node: all in which Scurry's tree differs from RFC 6962's.
package protocol TreeHash: Sendable {
    static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32
}

/// Hash of a log's tree: leaf = entry id, node = `H("scurry/node", left ‖ right)` (`protocol/log.md` §3).
package enum LogTreeHash: TreeHash {
    package static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
        Blake2b.hash(.node, left, right)
    }
}

/// Place of a perfect subtree: `2^level` leaves from leaf `index · 2^level` on.
package struct TreePlace: Hashable, Sendable {
    package let level: Int
    package let index: UInt64

    package init(level: Int, index: UInt64) {
        self.level = level
        self.index = index
    }

    /// First leaf covered.
    package var start: UInt64 { index << UInt64(level) }
    /// First leaf after those covered.
    package var end: UInt64 { (index + 1) << UInt64(level) }
    package var bounds: Range<UInt64> { start..<end }

    /// Both child subtrees; of a leaf, itself twice.
    package var halves: (left: TreePlace, right: TreePlace) {
        guard level > 0 else { return (self, self) }
        return (TreePlace(level: level - 1, index: index << 1), TreePlace(level: level - 1, index: index << 1 | 1))
    }

    /// The perfect subtrees that cover [start, end), left to right: the unique cut of a compact range.
    package static func covering(_ range: Range<UInt64>) -> [TreePlace] {
        var places: [TreePlace] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let aligned = position == 0 ? 63 : position.trailingZeroBitCount
            let fitting = 63 - (range.upperBound - position).leadingZeroBitCount
            let level = min(aligned, fitting)
            places.append(TreePlace(level: level, index: position >> UInt64(level)))
            position += 1 << UInt64(level)
        }
        return places
    }

    /// Number of nodes in a compact range of `range`, without building the list.
    package static func count(covering range: Range<UInt64>) -> Int {
        var count = 0
        var position = range.lowerBound
        while position < range.upperBound {
            let aligned = position == 0 ? 63 : position.trailingZeroBitCount
            let fitting = 63 - (range.upperBound - position).leadingZeroBitCount
            position += 1 << UInt64(min(aligned, fitting))
            count += 1
        }
        return count
    }
}

/// A node of a Merkle tree with its place.
package struct TreeNode: Hashable, Sendable {
    package let place: TreePlace
    package let hash: Bytes32

    package init(place: TreePlace, hash: Bytes32) {
        self.place = place
        self.hash = hash
    }
}
