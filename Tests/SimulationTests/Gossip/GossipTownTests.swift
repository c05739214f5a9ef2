import Simulation
import Testing

/// Towns of light nodes: what the views and the trees of all come to.
@Suite struct GossipTownTests {
    private func town(_ nodes: Int, _ seed: UInt64) -> GossipTown {
        var town = GossipTown(nodes: nodes, seed: seed)
        town.grow(cycles: 5)
        return town
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `A town hangs together and every entry reaches everybody`(seed: UInt64) {
        var town = town(Int(20 + seed * 5), seed)
        let overlay = town.overlay
        #expect(overlay.largestPart == 1, "seed \(seed)")
        #expect(overlay.symmetric == 1, "seed \(seed)")
        #expect(overlay.wrongViews == 0, "seed \(seed)")
        let figures = town.measure(30, by: .anybody, wait: 10_000)
        #expect(figures.worst == 1, "seed \(seed)")
        #expect(town.traffic.violations == 0, "seed \(seed)")
    }

    /// Where the connections of the dead are reset, as in the papers, everybody finds back to one part.
    @Test(arguments: [2, 5, 9, 14, 17, 20] as [UInt64])
    func `A town that loses half heals and has symmetric views`(seed: UInt64) {
        var town = townWithoutHalf(.reset, seed)
        let overlay = town.overlay
        #expect(overlay.largestPart == 1, "seed \(seed)")
        #expect(overlay.symmetric == 1, "seed \(seed)")
        #expect(overlay.wrongViews == 0, "seed \(seed)")
        let figures = town.measure(20, by: .anybody, wait: 10_000)
        #expect(figures.worst == 1, "seed \(seed)")
    }

    /// Who dies in silence stays in passive views: two nodes that know of none but the dead and each other are lost to
    /// the views, as HyParView has no way to join two parts. What joins them is the peer list, and the comparison.
    @Test(arguments: [1, 8, 17] as [UInt64])
    func `A town that loses half in silence keeps its views in order`(seed: UInt64) {
        let overlay = townWithoutHalf(.silent, seed).overlay
        #expect(overlay.largestPart >= 0.9, "seed \(seed)")
        #expect(overlay.symmetric == 1, "seed \(seed)")
        #expect(overlay.wrongViews == 0, "seed \(seed)")
    }

    private func townWithoutHalf(_ failing: GossipTown.Failing, _ seed: UInt64) -> GossipTown {
        var town = town(100, seed)
        _ = town.measure(20, by: .anybody, wait: 10_000)
        town.fail(share: 0.5, failing)
        _ = town.measure(20, by: .anybody, wait: 10_000)
        town.run(until: town.now + 300_000)
        return town
    }

    @Test func `A tree sends each entry once and a flood many times`() {
        var tree = town(300, 7)
        var flood = tree
        flood.spreading = .flood
        _ = tree.measure(50, by: .anybody, wait: 10_000)
        #expect(tree.measure(30, by: .anybody, wait: 10_000).redundancy < 0.1)
        let flooded = flood.measure(30, by: .anybody, wait: 10_000)
        #expect(flooded.worst == 1)
        #expect(flooded.redundancy > 2)
    }

    @Test func `What is compared only reaches everybody too and once`() {
        var town = town(100, 3)
        town.spreading = .compare
        let figures = town.measure(5, by: .anybody, wait: 600_000)
        #expect(figures.worst == 1)
        #expect(figures.redundancy < 0.5)
    }

    @Test func `Control traffic does not grow with the network`() {
        let figures = [100, 400].map { nodes in
            var town = town(nodes, 5)
            _ = town.measure(50, by: .anybody, wait: 10_000)
            return town.measure(60, by: .anybody, wait: 10_000)
        }
        #expect(figures[1].membershipBytes < figures[0].membershipBytes * 1.3)
        #expect(figures[1].treeBytes < figures[0].treeBytes * 1.3)
    }

    @Test func `The same seed does the same`() {
        func run() -> [GossipTrial.Row] {
            var trial = GossipTrial(nodes: 40, seed: 11)
            trial.entries = 10
            trial.entriesBefore = 20
            var rows: [GossipTrial.Row] = []
            trial.run([.tree, .flood]) { rows.append($0) }
            return rows
        }
        let rows = run()
        #expect(rows == run())
        #expect(rows.count == 2 + 9 + 1 + 9)
    }
}
