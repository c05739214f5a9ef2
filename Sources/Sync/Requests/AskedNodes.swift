import Entries

/// Whom something that nobody has was asked of in a round, which may last for a day: a few, however many come and go.
struct AskedNodes {
    private var nodes: [NodeID] = []

    /// Nobody, or the one who sent it without what is missing.
    init(_ first: NodeID? = nil) {
        nodes = first.map { [$0] } ?? []
    }

    var count: Int { nodes.count }
    func contains(_ node: NodeID) -> Bool { nodes.contains(node) }

    /// One more was asked. Of too many those are forgotten that are not `ready` any more: where they come back, they are
    /// asked again.
    mutating func note(_ node: NodeID, ready: [NodeID]) {
        if nodes.count >= Limits.askedNodesCount { nodes.removeAll { !ready.contains($0) } }
        nodes.append(node)
    }
}
