import Entries
import Sodium

/// Inclusion and consistency proofs of RFC 9162 §2.1.3 and §2.1.4, checked and made.
enum TreeProof<Hash: TreeHash> {
    /// The root that an inclusion proof leads to (§2.1.3.2); nil if the index or the length of the path is impossible.
    static func root(ofLeaf leaf: Bytes32, at index: UInt64, size: UInt64, path: [Bytes32]) -> Bytes32? {
        guard index < size else { return nil }
        var first = index
        var last = size - 1
        var root = leaf
        for sibling in path {
            guard last > 0 else { return nil }
            if first & 1 == 1 || first == last {
                root = Hash.node(sibling, root)
                while first & 1 == 0, first != 0 {
                    first >>= 1
                    last >>= 1
                }
            } else {
                root = Hash.node(root, sibling)
            }
            first >>= 1
            last >>= 1
        }
        return last == 0 ? root : nil
    }

    /// True if the path shows that the tree (newSize, newRoot) begins with the tree (oldSize, oldRoot) (§2.1.4.2).
    ///
    /// False for the empty tree: it begins every tree, so nothing about it can be shown.
    static func isConsistent(
        oldSize: UInt64,
        oldRoot: Bytes32,
        newSize: UInt64,
        newRoot: Bytes32,
        path: [Bytes32]
    ) -> Bool {
        guard oldSize > 0, oldSize <= newSize else { return false }
        if oldSize == newSize { return path.isEmpty && oldRoot == newRoot }
        var rest = path[...]
        if oldSize & (oldSize - 1) == 0 { rest = [oldRoot] + path }
        guard let seed = rest.popFirst() else { return false }
        var first = oldSize - 1
        var last = newSize - 1
        while first & 1 == 1 {
            first >>= 1
            last >>= 1
        }
        var old = seed
        var new = seed
        for node in rest {
            guard last > 0 else { return false }
            if first & 1 == 1 || first == last {
                old = Hash.node(node, old)
                new = Hash.node(node, new)
                while first & 1 == 0, first != 0 {
                    first >>= 1
                    last >>= 1
                }
            } else {
                new = Hash.node(new, node)
            }
            first >>= 1
            last >>= 1
        }
        return last == 0 && old == oldRoot && new == newRoot
    }

    /// The inclusion path of leaf `index` in the tree of `size` leaves (§2.1.3.1).
    ///
    /// `node` gives the root of a perfect subtree that lies wholly inside the tree; the index is below the size.
    static func inclusionPath(
        of index: UInt64,
        size: UInt64,
        node: (TreePlace) throws -> Bytes32
    ) rethrows -> [Bytes32] {
        try path(to: index..<index + 1, within: 0..<size, node: node)
    }

    /// The consistency path from the tree of `oldSize` leaves to that of `newSize` (§2.1.4.1).
    static func consistencyPath(
        from oldSize: UInt64,
        to newSize: UInt64,
        node: (TreePlace) throws -> Bytes32
    ) rethrows -> [Bytes32] {
        guard oldSize > 0, oldSize < newSize else { return [] }
        return try subproof(oldSize, 0..<newSize, isWhole: true, node: node)
    }

    /// The root of any run of leaves that a tree of RFC 9162 has as one subtree, from its perfect parts.
    static func root(of range: Range<UInt64>, node: (TreePlace) throws -> Bytes32) rethrows -> Bytes32 {
        var root: Bytes32?
        for place in TreePlace.covering(range).reversed() {
            let left = try node(place)
            root = root.map { Hash.node(left, $0) } ?? left
        }
        return root ?? .zero
    }

    /// The largest power of two smaller than the count (§2.1.1).
    private static func split(_ range: Range<UInt64>) -> UInt64 {
        let count = range.upperBound - range.lowerBound
        return range.lowerBound + 1 << UInt64(63 - (count - 1).leadingZeroBitCount)
    }

    private static func path(
        to leaf: Range<UInt64>,
        within range: Range<UInt64>,
        node: (TreePlace) throws -> Bytes32
    ) rethrows -> [Bytes32] {
        guard range.upperBound - range.lowerBound > 1 else { return [] }
        let middle = split(range)
        if leaf.lowerBound < middle {
            return try path(to: leaf, within: range.lowerBound..<middle, node: node)
                + [root(of: middle..<range.upperBound, node: node)]
        }
        return try path(to: leaf, within: middle..<range.upperBound, node: node)
            + [root(of: range.lowerBound..<middle, node: node)]
    }

    // §2.1.4.1's SUBPROOF; `isWhole` is its flag b: the old tree is the whole of what was given so far.
    private static func subproof(
        _ old: UInt64,
        _ range: Range<UInt64>,
        isWhole: Bool,
        node: (TreePlace) throws -> Bytes32
    ) rethrows -> [Bytes32] {
        if old == range.upperBound {
            return isWhole ? [] : [try root(of: range, node: node)]
        }
        let middle = split(range)
        if old <= middle {
            return try subproof(old, range.lowerBound..<middle, isWhole: isWhole, node: node)
                + [root(of: middle..<range.upperBound, node: node)]
        }
        return try subproof(old, middle..<range.upperBound, isWhole: false, node: node)
            + [root(of: range.lowerBound..<middle, node: node)]
    }
}
