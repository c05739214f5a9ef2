import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct PeerCursorsTests {
    private let store = StoreID([UInt8](repeating: 9, count: 16))

    private func node(_ number: UInt64) -> NodeID { NodeID(raw: Author.bytes(number, "node")) }

    @Test func `Of too many those that were met longest ago go`() throws {
        let cursor = Cursor(store: try #require(store), number: 1, scope: nil)
        var cursors = PeerCursors([TakeBatch.PeerCursor(peer: node(0), cursor: cursor)])
        let limit = UInt64(Limits.peerCursorsCount)
        let most = limit + limit / 8
        for number in 1..<most { cursors.set(cursor, of: node(number)) }
        let isFull = cursors.isFull
        #expect(!isFull)
        // One that is heard of again is one of the latest.
        cursors.set(cursor, of: node(2))
        cursors.set(cursor, of: node(most))
        let kept = node(1)
        #expect(cursors.isFull)
        let dropped = cursors.trim(keeping: [kept])
        #expect(cursors.count == Limits.peerCursorsCount)
        #expect(dropped.first == node(0) && dropped.count == Int(most + 1 - limit))
        #expect(cursors[kept] != nil && cursors[node(2)] != nil && cursors[node(3)] == nil)
    }
}
