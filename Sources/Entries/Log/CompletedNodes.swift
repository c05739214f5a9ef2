internal import Sodium

/// Collects the tree nodes that a chunk's entries complete.
struct CompletedNodes {
    private var found: [TreeNode] = []
    private let start: UInt64

    /// Sorted by the entry that completes them, lowest level first.
    var nodes: [TreeNode] {
        found.sorted { ($0.place.end, $0.place.level) < ($1.place.end, $1.place.level) }
    }

    /// `start` is the first entry of the chunk: nodes that end before it are not its own.
    init(from start: UInt64) {
        self.start = start
    }

    mutating func add(_ place: TreePlace, _ hash: Bytes32) {
        guard place.level >= EntryLimits.lowestKeptLevel, place.end > start else { return }
        found.append(TreeNode(place: place, hash: hash))
    }
}
