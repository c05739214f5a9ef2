import Entries

/// Properties of the overlay network that the active views form.
package struct OverlayFigures: Hashable, Sendable {
    /// Share of the nodes alive in the largest component that is connected by mutual links.
    package var largestPart: Double
    /// Share of the links between nodes alive that are mutual.
    package var symmetric: Double
    /// Mean number of neighbours alive.
    package var neighbours: Double
    /// Nodes whose views are malformed: too large, with the node itself in one, or with a node twice.
    package var wrongViews: Int
}

extension GossipTown {
    package var overlay: OverlayFigures {
        var links = 0
        var mutual = 0
        var wrong = 0
        var parts = [Int](residents.indices)
        func root(_ node: Int) -> Int {
            var node = node
            while parts[node] != node {
                parts[node] = parts[parts[node]]
                node = parts[node]
            }
            return node
        }
        let alive = alive.map(Int.init)
        for node in alive {
            let views = residents[node].views
            if !views.isWellFormed { wrong += 1 }
            for name in views.active {
                let other = Int(Self.node(name))
                guard residents[other].isAlive else { continue }
                links += 1
                guard residents[other].views.active.contains(views.own) else { continue }
                mutual += 1
                parts[root(node)] = root(other)
            }
        }
        var sizes: [Int: Int] = [:]
        for node in alive { sizes[root(node), default: 0] += 1 }
        return OverlayFigures(
            largestPart: Double(sizes.values.max() ?? 0) / Double(max(alive.count, 1)),
            symmetric: links == 0 ? 1 : Double(mutual) / Double(links),
            neighbours: Double(links) / Double(max(alive.count, 1)),
            wrongViews: wrong
        )
    }
}

extension HyParView {
    fileprivate var isWellFormed: Bool {
        let all = Set(active).union(passive)
        return active.count <= GossipLimits.activeViewCount && passive.count <= GossipLimits.passiveViewCount
            && all.count == active.count + passive.count && !all.contains(own)
    }
}
