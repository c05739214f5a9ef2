import Entries
import GRDB
import Testing

@testable import Storage

/// A text that gave way to the disk budget is told from one that has not come.
@Suite struct EvictedTextTests: CampusSuite {
    let campus: Campus

    init() throws {
        campus = try Campus()
    }

    /// Notes that the body of an entry, which is not here, gave way.
    private func evict(_ id: EntryID) throws {
        try store.writer.write { db in
            let key = try #require(try EntryTable(db).entry(with: id)).entry.key
            try Prepared(db, "DELETE FROM body_wants WHERE entry = ?").run(key)
            try Prepared(db, "INSERT INTO dropped_bodies (entry) VALUES (?)").run(key)
        }
    }

    private func row(_ id: EntryID) throws -> PostRow {
        try #require(try store.reader.post(id, reader: nil))
    }

    @Test func `Of two texts that are not here one gave way`() throws {
        let gone = try hazel.post("gone", time: 1)
        let wanted = try hazel.post("to come", time: 2)
        let here = try hazel.post("here", time: 3)
        try store.take(hazel.chunk(withheld: [0, 1]))
        try evict(gone)
        #expect(try row(gone).isEvicted && row(gone).content == .wanted)
        #expect(try !row(wanted).isEvicted && row(wanted).content == .wanted)
        #expect(try !row(here).isEvicted)
        let feed = try store.reader.feed(FeedQuery(now: .max, reader: nil)).posts
        #expect(feed.map(\.isEvicted) == [false, false, true])
        #expect(try store.reader.history(of: gone).map(\.isEvicted) == [true])
    }

    @Test func `Of an edited post the edit's text is there`() throws {
        let post = try hazel.post("first", time: 1)
        try hazel.edit(post, to: "second", time: 2)
        try store.take(hazel.chunk(withheld: [0]))
        try evict(post)
        #expect(try !row(post).isEvicted && store.text(of: post) == "second")
        #expect(try store.reader.history(of: post).map(\.isEvicted) == [false, true])
    }

    @Test func `A deleted post says nothing of its text`() throws {
        let post = try hazel.post("gone", time: 1)
        try store.take(hazel.chunk(withheld: [0]))
        try evict(post)
        try hazel.delete(post, time: 2)
        try store.take(hazel.chunk(1..<2))
        #expect(try row(post).isDeleted && !row(post).isEvicted)
    }
}
