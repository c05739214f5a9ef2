import Entries
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

@Suite struct OpeningTests {
    private func error(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    private func filled() throws -> TestHome {
        let home = try TestHome()
        let store = try home.open()
        let device = try Device(person: 1)
        for number in 0..<300 { try device.post("post \(number)", time: UInt64(number)) }
        try store.take(device.chunk())
        try store.close()
        return home
    }

    @Test func `An absent database is not made by reading`() throws {
        let home = try TestHome()
        #expect(error { _ = try StoreReader(path: home.path, network: nil) } == .absent)
        #expect(
            error { _ = try EntryStore(.file(home.path), network: Device.network, creation: .never) } == .absent
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.directory).isEmpty)
    }

    @Test func `Another networks database is refused`() throws {
        let home = try filled()
        let other = NetworkID(name: "other")
        #expect(error { _ = try EntryStore(.file(home.path), network: other, creation: .never) } == .foreignNetwork)
        #expect(error { _ = try StoreReader(path: home.path, network: other) } == .foreignNetwork)
    }

    @Test func `A newer database is left as it is`() throws {
        let home = try filled()
        try DatabaseQueue(path: home.path).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        let before = try Data(contentsOf: URL(fileURLWithPath: home.path))
        let newer = StorageError.newerVersion(found: 99, known: Schema.current.version)
        #expect(error { _ = try home.open() } == newer)
        #expect(error { _ = try StoreReader(path: home.path, network: nil) } == newer)
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.path)) == before)
    }

    @Test func `A file that is no database is damaged`() throws {
        for content in ["", "this is no database, but it is long enough to have a header of one, is it not?"] {
            let home = try TestHome()
            try Data(content.utf8).write(to: URL(fileURLWithPath: home.path))
            guard case .damaged? = error({ _ = try StoreReader(path: home.path, network: nil) }) else {
                Issue.record("a reader takes \(content)")
                continue
            }
        }
        let home = try TestHome()
        try DatabaseQueue(path: home.path).write { try $0.execute(sql: "CREATE TABLE mine (x)") }
        guard case .damaged? = error({ _ = try home.open() }) else {
            Issue.record("another program's database was opened")
            return
        }
    }

    /// Of a backup that came from somewhere else, for one.
    @Test(arguments: [
        "CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM wants; END",
        "CREATE VIEW posted AS SELECT * FROM entries",
    ])
    func `What would run with every write is refused`(statement: String) throws {
        let home = try filled()
        try DatabaseQueue(path: home.path).write { try $0.execute(sql: statement) }
        let expected = StorageError.damaged("the file has triggers or views, which this program never makes")
        #expect(error { _ = try home.open() } == expected)
        #expect(error { _ = try StoreReader(path: home.path, network: nil) } == expected)
    }

    @Test func `Overwritten pages are damage and never a trap`() throws {
        var random = SeededRandom.announced()
        var damaged = 0
        for _ in 0..<25 {
            let home = try filled()
            var file = try Data(contentsOf: URL(fileURLWithPath: home.path))
            for _ in 0..<3 {
                let start = 4_096 * (1 + random.below(file.count / 4_096 - 1))
                let count = 1 + random.below(4_096)
                file.replaceSubrange(start..<start + count, with: random.bytes(count))
            }
            try file.write(to: URL(fileURLWithPath: home.path))
            let failure = error {
                let store = try home.open()
                _ = try store.state()
                _ = try store.feed()
                _ = try store.rebuild()
                let log = try Device(person: 1).log
                _ = try store.ranges([RangeWant(log: log, from: 0, certificate: .send)], byteLimit: 1 << 20)
            }
            switch failure {
            case .damaged: damaged += 1
            case nil: break
            // A page that reads well but breaks a constraint or a type.
            case .other: damaged += 1
            default: Issue.record("\(String(describing: failure)) is no word for damage")
            }
        }
        #expect(damaged > 0)
    }

    @Test func `A full database takes nothing and goes on once there is room`() throws {
        let home = try filled()
        let store = try home.open()
        let device = try Device(person: 2)
        for number in 0..<500 { try device.post(String(repeating: "long ", count: 50), time: UInt64(number)) }
        let before = try store.derivedDump()
        let state = try store.state()
        let pages = try store.writer.writeWithoutTransaction { db in
            let pages = try Schema.pragma(db, "page_count")
            _ = try Schema.pragma(db, "max_page_count = \(pages)")
            return pages
        }
        #expect(error { try store.take(device.chunk()) } == .diskFull)
        #expect(try store.derivedDump() == before)
        #expect(try store.state() == state)
        _ = try store.writer.writeWithoutTransaction { try Schema.pragma($0, "max_page_count = \(pages + 10_000)") }
        #expect(try store.take(device.chunk()).changes.count == 1)
    }

    @Test func `A read only database is read and not written`() throws {
        // Whoever is root may write anything.
        guard geteuid() != 0 else { return }
        let home = try filled()
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: home.path)
        #expect(error { _ = try home.open() } == .readOnly)
        #expect(try StoreReader(path: home.path, network: nil).status().entries == 300)
    }

    @Test func `A migration makes a copy first`() throws {
        let home = try filled()
        let step: @Sendable (Database, NetworkID) throws -> Void = { db, _ in
            try db.execute(sql: "CREATE TABLE more (x INTEGER) STRICT")
        }
        let next = Schema(steps: Schema.current.steps + [step])
        do {
            let store = try EntryStore(.file(home.path), network: Device.network, creation: .never, schema: next)
            #expect(try store.feed().count == 300)
            try store.close()
        }
        #expect(error { _ = try home.open() } == .newerVersion(found: next.version, known: Schema.current.version))
        let copy = home.path + ".before-v\(next.version)"
        #expect(try StoreReader(path: copy, network: Device.network).status().entries == 300)
        #expect(
            try !FileManager.default.contentsOfDirectory(atPath: home.directory).contains { $0.hasSuffix(".partial") }
        )
    }

    @Test func `A migration that fails leaves the old version`() throws {
        let home = try filled()
        let step: @Sendable (Database, NetworkID) throws -> Void = { db, _ in
            try db.execute(sql: "DELETE FROM entries")
            try db.execute(sql: "SELECT nothing FROM nowhere")
        }
        let broken = Schema(steps: Schema.current.steps + [step])
        #expect(
            error {
                _ = try EntryStore(.file(home.path), network: Device.network, creation: .never, schema: broken)
            } != nil
        )
        #expect(try home.open().feed().count == 300)
    }

    @Test func `A reader sees what another connection writes and that it changed`() throws {
        let home = try filled()
        let store = try home.open()
        let reader = try StoreReader(path: home.path, network: Device.network)
        let version = try reader.dataVersion()
        #expect(try reader.dataVersion() == version)
        let device = try Device(person: 2)
        try device.post("new", time: 999)
        try store.take(device.chunk())
        #expect(try reader.dataVersion() != version)
        #expect(try reader.feed(FeedQuery(now: .max, reader: nil)).posts.first?.id == device.entries[0].id)
        #expect(try reader.status() == store.reader.status())
    }

    @Test func `A database is not in the way of its readers`() throws {
        let home = try filled()
        let store = try home.open()
        let reader = try StoreReader(path: home.path, network: Device.network)
        try store.writer.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
                try db.execute(sql: "DELETE FROM posts")
                #expect(try reader.feed(FeedQuery(now: .max, reader: nil)).posts.count == 20)
                return .rollback
            }
        }
    }
}
