/// The experiment of the HyParView and Plumtree papers: a network grows, broadcasts, loses many nodes at once, and
/// heals.
package struct GossipTrial: Sendable {
    package struct Row: Hashable, Sendable {
        package var spreading: GossipTown.Spreading
        /// Share of the nodes that failed before; 0: none.
        package var failed: Double
        package var moment: Moment
        package var figures: GossipFigures
        package var overlay: OverlayFigures
    }

    package enum Moment: String, CaseIterable, Sendable {
        /// Before any failure, entries by random authors.
        case stable
        /// Before any failure, all entries by one author.
        case oneAuthor = "one author"
        /// The first entry after the failure, at the same instant.
        case first = "first entry"
        /// The entries that follow, one a second.
        case after = "next minute"
        /// Ten cycles later; with a tree, after as many entries again.
        case healed
    }

    package var nodes: Int
    package var seed: UInt64
    package var shares = [0.1, 0.5, 0.8]
    package var failing = GossipTown.Failing.reset
    /// Entries measured at each moment but `first`.
    package var entries = 50
    /// Entries broadcast before the first measurement, so that the tree has grown.
    package var entriesBefore = 100
    private static let settlingCycles: UInt64 = 10

    package init(nodes: Int, seed: UInt64) {
        self.nodes = nodes
        self.seed = seed
    }

    /// Runs the experiment in each mode, and reports each row as soon as it is measured.
    package func run(_ spreadings: [GossipTown.Spreading], _ report: (Row) -> Void) {
        var young = GossipTown(nodes: nodes, seed: seed)
        young.grow(cycles: Self.settlingCycles)
        for spreading in spreadings {
            var town = young
            town.spreading = spreading
            // Without a push an entry takes several cycles to reach every node.
            let wait: UInt64 = spreading == .compare ? 600_000 : 10_000
            if spreading.isTree { _ = town.measure(entriesBefore, by: .anybody, wait: wait) }
            func row(_ failed: Double, _ moment: Moment, _ figures: GossipFigures, _ town: GossipTown) {
                report(
                    Row(spreading: spreading, failed: failed, moment: moment, figures: figures, overlay: town.overlay)
                )
            }
            row(0, .stable, town.measure(entries, by: .anybody, wait: wait), town)
            if spreading.isTree {
                // In a copy of the network: a tree grown by one author serves other authors less well.
                var other = town
                let author = other.anybody()
                _ = other.measure(entries, by: .one(author), wait: wait)
                row(0, .oneAuthor, other.measure(entries, by: .one(author), wait: wait), other)
            }
            for share in shares {
                var hurt = town
                hurt.fail(share: share, failing)
                let overlay = hurt.overlay
                let first = hurt.measure(1, by: .anybody, wait: wait)
                report(Row(spreading: spreading, failed: share, moment: .first, figures: first, overlay: overlay))
                row(share, .after, hurt.measure(entries, by: .anybody, wait: wait), hurt)
                hurt.run(until: hurt.now + Self.settlingCycles * GossipLimits.cycleMilliseconds)
                // A tree that lost branches is repaired by entries, not by time.
                if spreading.isTree { _ = hurt.measure(entries, by: .anybody, wait: wait) }
                row(share, .healed, hurt.measure(entries, by: .anybody, wait: wait), hurt)
            }
        }
    }
}

extension GossipTown.Spreading {
    fileprivate var isTree: Bool {
        switch self {
        case .tree, .lists: true
        case .flood, .compare: false
        }
    }
}
