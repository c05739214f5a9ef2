import ArgumentParser
import Foundation
import Simulation

// usage: simulate gossip [--nodes N] [--seed N] [--spreading tree,lists,flood,compare] [--failing reset|silent]

struct GossipTrials: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gossip",
        abstract: "How far, how fast and how often an entry goes, before and after many nodes fail at once.",
        discussion: """
            Light nodes: each has the views (HyParView) and the tree (Plumtree) of the papers, and no store, channel or \
            entry. A real node has a tree of its own, and no views. Virtual time, one entry a second by anybody. Of control \
            traffic it says messages and bytes for each node and minute: views, then tree, then one KeepAlive a cycle to \
            each neighbour.
            """
    )

    @Option(help: "Nodes.")
    var nodes = 1_000

    @Option(help: "What every choice follows from.")
    var seed: UInt64 = 1

    @Option(help: "tree; lists: tree, and first lists on new links; flood; compare: no push. Several with commas.")
    var spreading = "tree,lists,flood"

    @Option(help: "reset: neighbours hear at once of those that failed; silent: who sends to them does.")
    var failing = "reset"

    func run() throws {
        let named = spreading.split(separator: ",").map { GossipTown.Spreading(rawValue: String($0)) }
        let spreadings = named.compactMap(\.self)
        guard spreadings.count == named.count, !spreadings.isEmpty else {
            throw ValidationError("--spreading: tree, lists, flood or compare")
        }
        guard (10...100_000).contains(nodes) else { throw ValidationError("--nodes: 10 to 100,000") }
        guard let failing = GossipTown.Failing(rawValue: failing) else {
            throw ValidationError("--failing: reset or silent")
        }
        print("nodes \(nodes), seed \(seed), failing \(failing.rawValue)")
        print(
            "| by | failed | when | reliability | worst | whole | last hop | RMR | last, s "
                + "| views/min | tree/min | alive/min | connected | symmetric |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
        let clock = ContinuousClock()
        let begun = clock.now
        var trial = GossipTrial(nodes: nodes, seed: seed)
        trial.failing = failing
        trial.run(spreadings) { row in
            print(Self.line(row))
            // A row may take a minute.
            fflush(nil)
        }
        print("took \((clock.now - begun).components.seconds) s")
    }

    private static func line(_ row: GossipTrial.Row) -> String {
        let figures = row.figures
        let cells = [
            row.spreading.rawValue,
            String(format: "%.0f %%", row.failed * 100),
            row.moment.rawValue,
            String(format: "%.2f %%", figures.reliability * 100),
            String(format: "%.2f %%", figures.worst * 100),
            String(format: "%.0f %%", figures.whole * 100),
            String(format: "%.1f", figures.lastHop),
            String(format: "%.3f", figures.redundancy),
            String(format: "%.2f", figures.lastMilliseconds / 1_000),
            String(format: "%.1f, %.0f B", figures.membershipMessages, figures.membershipBytes),
            String(format: "%.1f, %.0f B", figures.treeMessages, figures.treeBytes),
            String(format: "%.0f B", figures.aliveBytes),
            String(format: "%.2f %%", row.overlay.largestPart * 100),
            String(format: "%.2f %%", row.overlay.symmetric * 100),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
