/// A town that grows, speaks, loses many at once, and heals: the trial of both papers.
package struct GossipTrial: Sendable {
    package struct Row: Hashable, Sendable {
        package var spreading: GossipTown.Spreading
        /// What of the nodes failed before; 0: nothing yet.
        package var failed: Double
        package var moment: Moment
        package var figures: GossipFigures
        package var overlay: OverlayFigures
    }

    package enum Moment: String, CaseIterable, Sendable {
        /// Everybody writes now and then.
        case stable
        /// All entries are by one author.
        case oneAuthor = "one author"
        /// The first entry after the failure, in the same instant.
        case first = "first entry"
        /// Those of the minute that follows.
        case after = "next minute"
        /// Ten cycles later.
        case healed
    }

    package var nodes: Int
    package var seed: UInt64
    package var shares = [0.1, 0.5, 0.8]
    package var failing = GossipTown.Failing.reset
    /// Entries that are measured at each moment.
    package var entries = 50
    /// Entries by which the tree has grown before anything is measured.
    package var entriesBefore = 100
    private static let settlingCycles: UInt64 = 10

    package init(nodes: Int, seed: UInt64) {
        self.nodes = nodes
        self.seed = seed
    }

    /// Gives each row as soon as it is there.
    package func run(_ spreadings: [GossipTown.Spreading], _ report: (Row) -> Void) {
        var young = GossipTown(nodes: nodes, seed: seed)
        young.grow(cycles: Self.settlingCycles)
        for spreading in spreadings {
            var town = young
            town.spreading = spreading
            // What goes from cycle to cycle only takes some of them.
            let wait: UInt64 = spreading == .compare ? 600_000 : 10_000
            if spreading.isTree { _ = town.measure(entriesBefore, by: .anybody, wait: wait) }
            func row(_ failed: Double, _ moment: Moment, _ figures: GossipFigures, _ town: GossipTown) {
                report(
                    Row(spreading: spreading, failed: failed, moment: moment, figures: figures, overlay: town.overlay)
                )
            }
            row(0, .stable, town.measure(entries, by: .anybody, wait: wait), town)
            if spreading.isTree {
                // A town of its own: the tree that one author grows serves nobody else as well.
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
                hurt.run(until: hurt.now + Self.settlingCycles * 30_000)
                // The tree that lost its branches grows again by entries, not by time.
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
