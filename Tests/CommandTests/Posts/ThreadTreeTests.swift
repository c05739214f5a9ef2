import Entries
import Sodium
import Storage
import Testing

@testable import scurry

struct ThreadTreeTests {
    private static func id(_ number: Int) throws -> EntryID {
        try #require(EntryID((0..<32).map { $0 < 28 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (31 - $0))) }))
    }

    @Test func `What is missing stands where its replies are`() throws {
        let tree = ThreadTree([.missing(try Self.id(1))])
        let rows = tree.rows(from: try Self.id(1))
        #expect(rows.count == 1)
        #expect(rows.first?.post == nil)
    }

    @Test func `What nothing holds stands below what opened the thread, and not below a reply`() throws {
        let tree = ThreadTree(try [1, 2, 3].map { .missing(try Self.id($0)) })
        let rows = tree.rows(from: try Self.id(1))
        #expect(rows.map(\.id) == (try [1, 2, 3].map(Self.id)))
        #expect(rows.map(\.depth) == [0, 1, 1])
        #expect(tree.rows(from: try Self.id(2)).count == 1)
    }

    @Test func `Of a long thread what is asked for is there, and what hangs on posts that were left out`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("root")
        var ids = [root]
        for text in ["one", "two", "three"] {
            let written = try home.json("reply", ids[ids.count - 1], text).first
            ids.append(try #require(written?["id"] as? String))
        }
        let store = try StoreReader(path: home.path + "/store.sqlite", network: nil)
        var rows: [PostRow] = []
        for text in ids {
            let bytes = try #require(Base32.decode(text))
            let id = try #require(EntryID(bytes))
            rows.append(try #require(try store.post(id, reader: nil)))
        }
        // The second was left out, and with it what the third and fourth hang on.
        let whole: [ThreadPost] = [.post(rows[0]), .missing(rows[2].id), .post(rows[3])]
        let tree = ThreadTree(whole, with: rows[1])
        #expect(tree.rows(from: rows[1].id).map { $0.post?.id } == [rows[1].id])
        let torn: [ThreadPost] = [.post(rows[0]), .post(rows[2]), .post(rows[3])]
        let drawn = ThreadTree(torn, with: rows[0]).rows(from: rows[0].id)
        #expect(drawn.map { $0.post?.id } == [rows[0].id, rows[2].id, rows[3].id])
        #expect(drawn.map(\.depth) == [0, 1, 2])
    }

    @Test func `A post that is unknown is a place without a post`() throws {
        let rows = ThreadTree([]).rows(from: try Self.id(2))
        #expect(rows.map(\.depth) == [0])
        #expect(rows.first?.post == nil)
    }
}
