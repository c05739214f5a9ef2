import Entries
import Foundation
import GRDB
import Testing

@testable import Storage

/// What was copied before a migration, and when it goes.
@Suite struct MigrationCopyTests {
    private static let next = Schema(
        steps: Schema.current.steps + [
            { db, _ in try db.execute(sql: "CREATE TABLE more (x INTEGER) STRICT") }
        ]
    )

    /// A store that was just migrated, with a post to erase.
    private func migrated(_ home: TestHome, _ device: Device) throws -> EntryStore {
        try device.post("quetzalcoatl", time: 1)
        let store = try home.open()
        try store.take(device.chunk())
        try store.close()
        return try reopened(home)
    }

    private func reopened(_ home: TestHome) throws -> EntryStore {
        try EntryStore(.file(home.path), network: Device.network, creation: .never, schema: Self.next)
    }

    private func copies(_ home: TestHome) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.directory).filter { $0.contains(".before-v") }
    }

    @Test func `It outlives what erases nothing`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        let store = try migrated(home, device)
        try device.post("another", time: 2)
        try store.take(device.chunk(1..<2))
        #expect(try copies(home) == ["store.sqlite.before-v\(Self.next.version)"])
        #expect(try home.contains("quetzalcoatl"))
    }

    /// What is dropped so wipes nothing, and whoever withholds bodies brings it about as often as it likes.
    @Test func `It outlives a log that is begun anew without its bodies`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        let store = try migrated(home, device)
        let other = try Device(person: 2)
        for number in 0..<4 { try other.post("\(number)", time: 1) }
        try store.take(other.chunk(0..<2, size: 4, withheld: [0, 1]))
        var batch = TakeBatch()
        batch.restarts = [other.log]
        #expect(try store.take(batch).stored == [LogSize(log: other.log, size: 0)])
        #expect(try copies(home).count == 1)
        // With their bodies, these are wiped.
        try store.take(other.chunk(0..<2, size: 4))
        _ = try store.take(batch)
        #expect(try copies(home).isEmpty)
    }

    @Test func `The first erasure removes it`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        let store = try migrated(home, device)
        try device.delete(device.entries[0].id, time: 2)
        try store.take(device.chunk(1..<2))
        #expect(try copies(home).isEmpty)
        #expect(try !home.contains("quetzalcoatl"))
    }

    /// Looks which copies are there when a transaction commits.
    private final class CommitWatch: TransactionObserver {
        let look: () -> [String]
        var seen: [[String]] = []

        init(_ look: @escaping () -> [String]) {
            self.look = look
        }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseWillCommit() { seen.append(look()) }
        func databaseDidCommit(_ db: Database) {}
        func databaseDidRollback(_ db: Database) {}
    }

    @Test func `It has gone before what it holds is erased for good, so that no killed process leaves it`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        let store = try migrated(home, device)
        let watch = CommitWatch { (try? self.copies(home)) ?? ["unreadable"] }
        store.writer.add(transactionObserver: watch, extent: .databaseLifetime)
        try device.post("another", time: 2)
        try store.take(device.chunk(1..<2))
        try device.delete(device.entries[0].id, time: 3)
        try store.take(device.chunk(2..<3))
        #expect(watch.seen.first?.count == 1 && watch.seen.last == [])
    }

    @Test func `A delete of what gave way meanwhile removes it too`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        let store = try migrated(home, device)
        try store.writer.write { db in
            let key = try Prepared(db, "SELECT key FROM entries").first { EntryKey($0.integer(0)) }
            var candidates = [EvictionCandidate(key: try #require(key), rank: .notFollowed, time: 1, age: 1)][...]
            _ = try BodyEviction(db).evict(&candidates, bytes: .max)
        }
        #expect(try copies(home).count == 1 && store.roomUse().evictedBodies == 1)
        try device.delete(device.entries[0].id, time: 2)
        try store.take(device.chunk(1..<2))
        #expect(try copies(home).isEmpty)
    }

    @Test func `An erasure of a later run removes it too`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        try migrated(home, device).close()
        let store = try reopened(home)
        #expect(try copies(home).count == 1)
        try device.delete(device.entries[0].id, time: 2)
        try store.take(device.chunk(1..<2))
        #expect(try copies(home).isEmpty)
    }

    @Test func `It goes when the new version has proven itself`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        let store = try migrated(home, device)
        store.dropMigrationCopies()
        #expect(try copies(home).isEmpty)
    }

    @Test func `It goes after a day whoever opens the store`() throws {
        let (home, device) = (try TestHome(), try Device(person: 1))
        try migrated(home, device).close()
        try reopened(home).close()
        let copy = home.directory + "/" + (try #require(try copies(home).first))
        for (age, count) in [(80_000.0, 1), (90_000, 0)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)],
                ofItemAtPath: copy
            )
            try reopened(home).close()
            #expect(try copies(home).count == count)
        }
    }
}
