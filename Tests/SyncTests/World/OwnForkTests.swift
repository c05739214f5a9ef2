import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Forks and settlements of the log that a node writes itself: it signs nothing more.
struct OwnForkTests {
    /// A node that has sent three entries, and a writer with the same keys.
    private func scene(seed: UInt64 = 940) throws -> (Town, Stranger, ForkedWriter) {
        let town = try Town(nodes: 1, seed: seed)
        var writer = ForkedWriter(author: town.authors[0])
        writer.branch(3)
        writer.branch(5, from: 0, at: 2)
        try town.startAll()
        let stranger = Stranger(town.world)
        stranger.greet(Stranger.hello(version: 2))
        for chunk in writer.branches[0] {
            let append = try town.stores[0].append(chunk)
            town.world.give(0, .appended(append))
        }
        // It was greeted anew: only a Hello asks what a peer holds of the log.
        let again = Stranger(town.world, seed: 79)
        again.greet(Stranger.hello(version: 2))
        again.run(milliseconds: 1_000)
        #expect(town.stores[0].published == 3)
        return (town, again, writer)
    }

    private func isStopped(_ town: Town) -> Bool { town.world.nodes[0].machine?.isSigningStopped ?? false }

    @Test func aForkThatAPeerShowsIsTold() throws {
        let (town, stranger, writer) = try scene()
        let theirs = LightStore()
        _ = try theirs.take(writer.batch(1))
        stranger.serve(theirs)
        stranger.send(.changes(writer.saying(theirs)))
        stranger.run(milliseconds: 2_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.forked(writer.log, at: 2)))
        #expect(town.stores[0].size(writer.log) == 2)
        #expect(town.violations(0).isEmpty)
        #expect(stranger.changes.last?.verdicts.first?.words?.evidence != nil)
    }

    @Test func evidenceEndsTheSigning() throws {
        let (town, stranger, writer) = try scene()
        stranger.send(.changes(writer.saying(evidence: writer.evidence(0, 1, at: 2).bytes)))
        stranger.run(milliseconds: 1_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.ownLogEnded(.forked)))
    }

    @Test func aSettlementEndsTheSigning() throws {
        let (town, stranger, writer) = try scene()
        stranger.send(.changes(writer.saying(settlement: writer.settlement(0, 3).bytes)))
        stranger.run(milliseconds: 1_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.ownLogEnded(.settled)))
        #expect(town.stores[0].size(writer.log) == 3)
    }

    @Test func theEndOfTheAccountEndsTheSigning() throws {
        let (town, stranger, writer) = try scene()
        let log = LogID(endOf: writer.end.settlement.identity, in: town.network)
        stranger.send(.changes(writer.saying(settlement: writer.end.bytes, log: log)))
        stranger.run(milliseconds: 1_000)
        #expect(isStopped(town))
        #expect(town.reports(0).contains(.ownLogEnded(.accountEnded)))
    }
}
