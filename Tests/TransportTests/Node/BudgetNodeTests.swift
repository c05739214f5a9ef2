import Entries
import Foundation
import GRDB
import Logging
import Sync
import Synchronization
import Testing

@testable import Storage
@testable import Transport

/// A node with a budget, and a peer that has more than fits: the disk keeps within, and both hold the same.
@Suite struct BudgetNodeTests {
    private let directory = TemporaryDirectory()
    private static let budget = 24_000_000
    /// For so small a budget less is kept free than one batch takes in the file and in the log; for the least that a
    /// person can set it is enough.
    private static let batch = 10_000_000

    private static func size(_ home: Home) -> Int {
        ["", "-wal"].reduce(0) { sum, ending in
            let facts = try? FileManager.default.attributesOfItem(atPath: home.layout.store + ending)
            return sum + ((facts?[.size] as? Int) ?? 0)
        }
    }

    @Test func `A file that is imported where no node runs is kept within the budget too`() throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try a.fill(posts: 700, bytes: 60_000)
        var bytes: [UInt8] = []
        _ = try BundleExport(a, since: nil).run(to: { bytes += $0 })
        let budget = DiskBudget(bytes: Self.budget)
        #expect(try BundleImport(b, budget: budget).run(.bytes(bytes)).entries == 700)
        #expect(Self.size(b) <= Self.budget)
        let (one, two) = (try Self.reader(a).fingerprint(), try Self.reader(b).fingerprint())
        #expect(one.fingerprint == two.fingerprint && two.entries == 700 && two.evictedBodies > 300)
    }

    private static func reader(_ home: Home) throws -> StoreReader {
        try StoreReader(path: home.layout.store, network: home.network)
    }

    /// Every eviction fails from now on, and nothing else does.
    private static func stopEvictions(in store: EntryStore) throws {
        try store.writer.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER stuck BEFORE INSERT ON dropped_bodies BEGIN SELECT RAISE(ABORT, 'stuck'); END
                    """
            )
        }
    }

    @Test func `Where nothing gives way all is stored, the log says so once, and the status why`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try a.fill(posts: 600, bytes: 60_000)
        var options = NodeOptions.silent
        options.budget = DiskBudget(bytes: Self.budget)
        let (lines, entrance) = AsyncStream.makeStream(of: String.self)
        let log = Logger(label: "test", factory: { _ in ErrorLines(entrance: entrance) })
        try await withNode(a) { first in
            try b.list(try first.address)
            let second = try await Node.open(b, options: options, log: log)
            try Self.stopEvictions(in: second.work.store)
            let running = Task { await second.run() }
            let end = await second.wait(milliseconds: patience) { status in
                status.sessions.contains { $0.isQuiet && $0.isEqual }
            }
            #expect(end == .reached)
            let report = await second.report()
            #expect(report.entries == 600 && report.droppedBodies == 0)
            #expect(report.budgetFailure == "the database failed: stuck")
            second.stop()
            await running.value
        }
        entrance.finish()
        let said = await lines.reduce(into: [String]()) { $0.append($1) }
        #expect(said == ["nothing gives way to the disk budget: the database failed: stuck"])
    }

    @Test func `The disk keeps within the budget, the frontiers meet, and without a budget all comes back`()
        async throws
    {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try a.fill(posts: 800, bytes: 60_000)
        try b.fill(posts: 20, bytes: 20_000)
        var options = NodeOptions.silent
        options.budget = DiskBudget(bytes: Self.budget)
        let highest = Mutex(0)
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: options) { second in
                let end = await second.wait(milliseconds: patience) { status in
                    highest.withLock { $0 = max($0, Self.size(b)) }
                    return status.sessions.contains { $0.isQuiet && $0.isEqual }
                }
                #expect(end == .reached)
                let (one, two) = (await first.report(), await second.report())
                #expect(one.fingerprint == two.fingerprint && two.entries == 820)
                #expect(two.diskBudgetBytes == Self.budget)
                #expect((two.droppedBodies ?? 0) > 300)
                #expect(two.wantedBodies == 0, "what gave way is not asked for")
            }
            #expect(highest.withLock { $0 } <= Self.budget + Self.batch)
            #expect(Self.size(b) <= Self.budget)
            let store = try StoreReader(path: b.layout.store, network: b.network)
            let own = try #require(try store.ownIdentity())
            var query = FeedQuery(now: .max, reader: own)
            query.authors = .one(own)
            query.limit = 99
            let kept = try store.feed(query).posts.filter { if case .shown = $0.content { true } else { false } }
            #expect(kept.count == 20, "own posts never give way")

            try await withNode(b, options: .silent) { second in
                let end = await second.wait(milliseconds: patience) { status in
                    status.wantedBodies == 0 && status.sessions.contains { $0.isQuiet && $0.isEqual }
                }
                #expect(end == .reached)
            }
            #expect(try store.status().evictedBodies == 0)
            #expect(try store.fingerprint().isComplete)
        }
    }
}
