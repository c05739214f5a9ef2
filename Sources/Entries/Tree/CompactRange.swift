package import Sodium

/// Roots of the perfect subtrees that cover the leaves [start, end), left to right (`protocol/log.md` §4).
///
/// At most about 2 · log₂(end) nodes. Adjacent ranges join; a range from 0 gives the root of the tree of that size. It
/// is a writer's state, a chunk's proof, and the answer about a prefix.
package struct CompactRange<Hash: TreeHash>: Hashable, Sendable {
    package private(set) var bounds: Range<UInt64>
    package private(set) var nodes: [Bytes32]

    /// The empty range at `position`.
    package init(at position: UInt64 = 0) {
        bounds = position..<position
        nodes = []
    }

    /// A range from its nodes; nil if their number does not follow from `bounds`.
    package init?(bounds: Range<UInt64>, nodes: [Bytes32]) {
        guard TreePlace.count(covering: bounds) == nodes.count else { return nil }
        self.bounds = bounds
        self.nodes = nodes
    }

    /// Appends one leaf; reports each interior node that this completes, lowest first.
    package mutating func append(leaf: Bytes32, completed: (TreePlace, Bytes32) -> Void = { _, _ in }) {
        push(leaf, at: TreePlace(level: 0, index: bounds.upperBound), completed: completed)
    }

    /// Appends the range that begins where this one ends; reports each interior node that this completes. False, with
    /// no change, if it begins elsewhere.
    package mutating func append(
        _ next: CompactRange,
        completed: (TreePlace, Bytes32) -> Void = { _, _ in }
    ) -> Bool {
        guard next.bounds.lowerBound == bounds.upperBound else { return false }
        for (place, node) in zip(TreePlace.covering(next.bounds), next.nodes) {
            push(node, at: place, completed: completed)
        }
        return true
    }

    /// Appends the perfect subtree at `place`; traps unless that begins where this range ends.
    package mutating func append(_ node: Bytes32, at place: TreePlace) {
        precondition(place.start == bounds.upperBound, "the next subtree follows the last")
        push(node, at: place, completed: { _, _ in })
    }

    /// The root of the tree of `end` leaves, 32 zero bytes for an empty tree; nil unless the range starts at 0.
    package var root: Bytes32? {
        guard bounds.lowerBound == 0 else { return nil }
        guard var root = nodes.last else { return .zero }
        for node in nodes.dropLast().reversed() {
            root = Hash.node(node, root)
        }
        return root
    }

    private mutating func push(_ node: Bytes32, at place: TreePlace, completed: (TreePlace, Bytes32) -> Void) {
        var node = node
        var place = place
        let end = place.end
        // A left sibling within the range is the last node, since the cut is unique.
        while place.index & 1 == 1, (place.index - 1) << UInt64(place.level) >= bounds.lowerBound,
            let left = nodes.popLast()
        {
            node = Hash.node(left, node)
            place = TreePlace(level: place.level + 1, index: place.index >> 1)
            completed(place, node)
        }
        nodes.append(node)
        bounds = bounds.lowerBound..<end
    }
}

/// The compact range of a log's tree.
package typealias LogRange = CompactRange<LogTreeHash>
