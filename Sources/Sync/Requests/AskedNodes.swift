import Entries

/// The nodes asked, in one round, for an entry body or gap that none has supplied yet.
///
/// A round may last for a day: a few nodes are kept, however many come and go.
struct AskedNodes {
    private var nodes: [NodeID] = []

    /// Begins with the node, if any, that sent the entry without its body.
    init(_ first: NodeID? = nil) {
        nodes = first.map { [$0] } ?? []
    }

    var count: Int { nodes.count }
    func contains(_ node: NodeID) -> Bool { nodes.contains(node) }

    mutating func forget(_ node: NodeID) {
        nodes.removeAll { $0 == node }
    }

    /// Adds a node. At the bound, nodes that are not in `ready` are forgotten; if they come back, they are asked again.
    mutating func note(_ node: NodeID, ready: [NodeID]) {
        if nodes.count >= Limits.askedNodesCount { nodes.removeAll { !ready.contains($0) } }
        nodes.append(node)
    }
}
