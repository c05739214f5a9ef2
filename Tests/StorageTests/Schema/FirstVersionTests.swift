import Entries
import Foundation
import GRDB
import Testing

@testable import Storage

/// A store that the first version's program left behind, kept as SQL: a person who posted, edited, deleted, voted and
/// followed, and what a peer brought.
@Suite struct FirstVersionTests {
    /// What that program said of it.
    private static let fingerprint = "ejvkrtlh7nym7zlhqq73yj4lw4"
    private static let feed = [
        "6jp2vcwjw2bjfoymybujhmhfpozqdya6kvwxznnqdovhs5hcwi4q",
        "sf5626fnxpbcbhgvec5pwcrahaw6og6hfbhnc2n3c724wecylpia",
        "dyhf2y7cd4f4uivbe5qud4ifngwho5thdc6bjifehozeegwukmlq",
    ]

    private func left() throws -> TestHome {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let sql = try String(contentsOf: folder.appending(path: "Fixtures/store-version-1.sql"), encoding: .utf8)
        let home = try TestHome()
        try DatabaseQueue(path: home.path).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: sql)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        return home
    }

    private func open(_ home: TestHome) throws -> EntryStore {
        try EntryStore(.file(home.path), network: NetworkID(name: "campus"), creation: .never)
    }

    @Test func `What it held is held and reads the same`() throws {
        let home = try left()
        let store = try open(home)
        #expect(try store.reader.fingerprint().fingerprint.description == Self.fingerprint)
        #expect(try store.feed().map(\.description) == Self.feed)
        let edited = try #require(Base32.decode(Self.feed[2]).flatMap { EntryID($0) })
        #expect(try store.text(of: edited) == "Caught this one stealing my second bagel.")
    }

    @Test func `Its fold is the one that the entries give`() throws {
        let home = try left()
        let store = try open(home)
        let before = try store.derivedDump()
        _ = try store.rebuild()
        #expect(try store.derivedDump() == before)
    }

    @Test func `Of what it held nothing is said to have come late, and the times alone decide what is new`() throws {
        let home = try left()
        let reader = try open(home).reader
        let logs = try reader.exportedLogs(after: 0, limit: 9).logs.filter { $0.size > 0 }
        #expect(!logs.isEmpty)
        for log in logs {
            #expect(try reader.firstEntry(of: log, since: 0) == 0)
            #expect(try reader.firstEntry(of: log, since: UInt64(Int64.max)) == nil)
        }
    }

    @Test func `A copy is made before it is touched`() throws {
        let home = try left()
        _ = try open(home)
        let version = Schema.current.version
        let copy = try DatabaseQueue(path: "\(home.path).before-v\(version)")
        #expect(try copy.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1)
        #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entries") } == 12)
        let migrated = try DatabaseQueue(path: home.path)
        #expect(try migrated.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == version)
    }
}
