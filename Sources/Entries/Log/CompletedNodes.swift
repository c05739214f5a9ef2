internal import Sodium

/// The nodes that entries complete, out of those that came to be while they were checked.
struct CompletedNodes {
    private var found: [TreeNode] = []
    private let start: UInt64

    /// In the order in which the entries complete them, lowest first.
    var nodes: [TreeNode] {
        found.sorted { ($0.place.end, $0.place.level) < ($1.place.end, $1.place.level) }
    }

    /// The entries begin here: what ends before is of others.
    init(from start: UInt64) {
        self.start = start
    }

    mutating func add(_ place: TreePlace, _ hash: Bytes32) {
        guard place.level >= EntryLimits.lowestKeptLevel, place.end > start else { return }
        found.append(TreeNode(place: place, hash: hash))
    }
}
