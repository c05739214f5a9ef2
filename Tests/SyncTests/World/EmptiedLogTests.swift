import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// A log of which nothing counts any more, since its entries behind a gap from the start on were dropped.
struct EmptiedLogTests {
    private let town: Town
    private let author: Author

    init() throws {
        town = try Town(nodes: 1, seed: 931)
        author = Author(seed: 63, network: town.network)
        try town.startAll()
    }

    /// What a file brought: the log up to `size`, behind a gap.
    private func brought(_ size: UInt64, number: UInt64) -> NodeEvent {
        var report = TakeReport.nothing
        report.changes = [
            FrontierRow(
                identity: author.certificate.certificate.identity,
                item: FrontierItem(log: author.log, size: size, root: Author.bytes(size, "root")),
                time: 1,
                number: number,
                source: nil
            )
        ]
        report.stored = [LogSize(log: author.log, size: size)]
        report.gaps = [GapPlace(log: author.log, bounds: 0..<5)]
        return .imported(ImportReport(report: report, bodies: [], own: nil))
    }

    private var emptied: TakeReport {
        var report = TakeReport.nothing
        report.stored = [LogSize(log: author.log, size: 0)]
        report.emptied = [author.log]
        return report
    }

    /// The file's frame was stored before the transaction, which was under way when that was told.
    @Test func `What a file brought before does not bring it back`() throws {
        var machine = try #require(town.world.nodes[0].machine)
        let moment = town.world.moment
        _ = machine.received(brought(10, number: 1), at: moment)
        #expect(machine.frontier.size(of: author.log) == 10)
        machine.dropWindow(author.log, toHave: .newest)
        let effects = machine.received(.timer, at: moment)
        let batches = effects.compactMap { effect -> BatchID? in
            if case .take(let id, let batch) = effect, batch.droppedWindows == [author.log] { id } else { nil }
        }
        let batch = try #require(batches.first)
        _ = machine.received(brought(11, number: 2), at: moment)
        _ = machine.received(.taken(batch, emptied, microseconds: 0), at: moment)
        #expect(machine.frontier.log(author.log) == nil)
        #expect(machine.held(author.log) == 0)
        #expect(!machine.gaps.contains(author.log))
    }

    @Test func `Who was told that all is quiet is told of it`() throws {
        town.world.give(0, brought(10, number: 1))
        let stranger = Stranger(town.world)
        stranger.greet()
        stranger.run(milliseconds: 1_000)
        let before = try #require(stranger.keepAlives.last)
        #expect(before.activity == .quiet && before.count == 1)
        stranger.forget()
        town.world.give(0, .settled(emptied))
        stranger.run(milliseconds: 1_000)
        let after = try #require(stranger.keepAlives.last)
        #expect(after.activity == .quiet && after.count == 0)
    }
}
