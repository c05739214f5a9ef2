package import Sodium

/// The roots of the perfect subtrees that cover a run of leaves [start, end), left to right.
///
/// At most about 2 · log₂(end) nodes. Adjacent ranges join; a range that starts at 0 has the root of the tree of that
/// size. This one shape is the state of a writer, the proof beside a chunk and the answer about a prefix
/// (`protocol/log.md`, Compact ranges).
package struct CompactRange<Hash: TreeHash>: Hashable, Sendable {
    package private(set) var bounds: Range<UInt64>
    package private(set) var nodes: [Bytes32]

    /// The empty range at `position`.
    package init(at position: UInt64 = 0) {
        bounds = position..<position
        nodes = []
    }

    /// A range from its nodes; nil if their number is not the one that `bounds` asks for.
    package init?(bounds: Range<UInt64>, nodes: [Bytes32]) {
        guard TreePlace.count(covering: bounds) == nodes.count else { return nil }
        self.bounds = bounds
        self.nodes = nodes
    }

    /// Appends one leaf, and tells each interior node that this completed, lowest first.
    package mutating func append(leaf: Bytes32, completed: (TreePlace, Bytes32) -> Void = { _, _ in }) {
        push(leaf, at: TreePlace(level: 0, index: bounds.upperBound), completed: completed)
    }

    /// Appends the range that begins where this one ends, and tells each interior node that this completed; false, and
    /// nothing changed, if it begins elsewhere.
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

    /// Appends the perfect subtree that begins where this range ends: the caller has seen to that.
    package mutating func append(_ node: Bytes32, at place: TreePlace) {
        precondition(place.start == bounds.upperBound, "the next subtree follows the last")
        push(node, at: place, completed: { _, _ in })
    }

    /// The root of the tree of `end` leaves; nil unless the range starts at 0. Of an empty tree: 32 zero bytes.
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
        // A left sibling that lies inside the range is the last node: the cut is canonical.
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

/// The compact range of a log.
package typealias LogRange = CompactRange<LogTreeHash>
