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

    @Test func `A post that is unknown is a place without a post`() throws {
        let rows = ThreadTree([]).rows(from: try Self.id(2))
        #expect(rows.map(\.depth) == [0])
        #expect(rows.first?.post == nil)
    }
}
