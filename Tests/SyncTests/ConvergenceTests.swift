import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Nodes that hear of each other come to hold the same.
struct ConvergenceTests {
    @Test func twoNodesConverge() throws {
        let town = try Town(nodes: 2, seed: 1)
        try town.write("from the first", on: 0)
        try town.write("from the second", on: 1)
        town.link(0, 1)
        try town.startAll()
        #expect(town.world.run(until: town.areEqual, withinMilliseconds: 10_000))
        #expect(town.stores[0].contents.count == 2)
        #expect(town.stores[0].contents == town.stores[1].contents)
        #expect(town.world.run(until: town.isCalm, withinMilliseconds: 10_000))
        #expect(town.reports(0).contains(.caughtUp(town.world.id(1))))
    }
}
