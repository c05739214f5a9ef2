import GRDB
import TestSupport
import Testing

@testable import Storage

/// What is left of a dead row: exactly what does not lie in pages of its own.
@Suite struct BodyLayoutTests {
    @Test func `A row that is cut has no overflow pages, and one that has none is not cut`() throws {
        var random = SeededRandom.announced()
        let edges = [0, 1, 57, 58, 488, 4_056, 4_057, 4_058, 4_100, 8_149, 8_150, 8_185, 8_186, 12_000, 65_535, 65_536]
        let lengths = edges + (0..<300).map { _ in random.below(65_537) }
        let store = try EntryStore.inMemory()
        try store.transaction(.replicated) { db in
            try BodyIndex.make(db)
            let rows = try BodyRows(db)
            let insert = try Prepared(db, "INSERT INTO bodies (number, payload) VALUES (?, zeroblob(?))")
            let empty = try Prepared(db, "UPDATE bodies SET payload = x'' WHERE number = ?")
            for (place, bytes) in lengths.enumerated() {
                let row = BodyRow(number: Int64(place + 1), bytes: bytes, entry: nil)
                try insert.run(row.number, bytes)
                let full = try FileRoom(db)
                try rows.cut(row)
                let cut = try FileRoom(db)
                #expect((cut.freePages > full.freePages) == (bytes > 4_057), "\(bytes) bytes")
                let kept = try #require(try rows.all(in: row.number...row.number).first).bytes
                #expect(kept == rows.layout.keptBytes(of: bytes))
                #expect(rows.layout.keptBytes(of: kept) == kept)
                try empty.run(row.number)
                #expect(try FileRoom(db) == cut, "\(bytes) bytes")
            }
        }
    }

    @Test func `A body that is needed is neither cut nor deleted`() throws {
        let store = try EntryStore.inMemory()
        let device = try Device(person: 1)
        let id = try device.post(String(repeating: "x", count: 9_000), time: 1)
        try store.take(device.chunk())
        try store.transaction(.replicated) { db in
            try BodyIndex.make(db)
            let rows = try BodyRows(db)
            let row = try #require(try rows.all(in: 1...1).first)
            #expect(!row.isDead)
            try rows.cut(row)
            try rows.delete(1...1)
        }
        #expect(try store.text(of: id) == String(repeating: "x", count: 9_000))
    }
}
