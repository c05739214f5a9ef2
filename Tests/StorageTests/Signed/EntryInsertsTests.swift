import Entries
import Foundation
import GRDB
import Testing

@testable import Storage

/// Rows that are gathered and written many at a time.
struct EntryInsertsTests {
    @Test(arguments: [1, 15, 16, 17, 40, 1_100])
    func `A chunk of any number of entries comes out as it went in`(count: Int) throws {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        let ids = try (0..<count).map { try device.post("post \($0)", time: UInt64(1_000 + $0)) }
        try store.take(try device.chunk())
        #expect(try store.feed(page: 100) == ids.reversed())
        #expect(try store.text(of: ids[count / 2]) == "post \(count / 2)")
        let row = try #require(try store.reader.post(ids[count - 1], reader: nil))
        #expect(row.id == ids[count - 1])
        let before = try store.derivedDump()
        _ = try store.rebuild()
        #expect(try store.derivedDump() == before)
    }

    @Test func `Posts of one transaction arrive in the order of their times`() throws {
        let store = try EntryStore.inMemory()
        let (first, second) = (try Device(person: 1), try Device(person: 2))
        let late = try first.post("late", time: 3_000)
        let middle = try first.post("middle", time: 2_000)
        let early = try second.post("early", time: 1_000)
        try store.take(try first.chunk(), try second.chunk())
        let arrivals = try store.reader.arrivals(after: 0, FeedQuery(now: .max, reader: nil))
        #expect(arrivals.posts.map(\.id) == [early, middle, late])
    }

    @Test func `Where an edited database leaves no number for a body, it is damaged, and nothing traps`() throws {
        let home = try TestHome()
        let device = try Device(person: 1)
        let store = try home.open()
        _ = try device.post("first", time: 1_000)
        try store.take(try device.chunk())
        try store.close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        try DatabaseQueue(path: home.path, configuration: configuration).write { db in
            try db.execute(sql: "UPDATE bodies SET number = 9223372036854775807")
            try db.execute(sql: "UPDATE entries SET body = 9223372036854775807")
        }
        let edited = try home.open()
        _ = try device.post("second", time: 2_000)
        #expect(throws: StorageError.damaged("no number is left for a body")) {
            try edited.take(try device.chunk(1..<2))
        }
    }

    @Test func `A post that is deleted in its own transaction leaves nothing`() throws {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        let posts = try (0..<20).map { try device.post("post \($0)", time: UInt64(1_000 + $0)) }
        let first = try device.chunk()
        try device.delete(posts[3], posts[19], time: 5_000)
        try store.take(first, try device.chunk(20..<21))
        #expect(try store.feed(page: 100) == posts.reversed().filter { $0 != posts[3] && $0 != posts[19] })
        #expect(try store.text(of: posts[3]) == nil)
    }

    @Test func `A store that is closed leaves one file, and nothing in its log`() throws {
        let home = try TestHome()
        let store = try home.open()
        let device = try Device(person: 1)
        _ = try device.post("squirrel", time: 1_000)
        try store.take(try device.chunk())
        _ = try store.feed()
        try store.close()
        let log = FileManager.default.contents(atPath: home.path + "-wal")
        #expect(log?.isEmpty ?? true)
    }
}
