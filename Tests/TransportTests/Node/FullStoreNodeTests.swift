import Entries
import Storage
import Sync
import Testing

@testable import Transport

/// A node whose store takes nothing for a while.
@Suite struct FullStoreNodeTests {
    private let directory = TemporaryDirectory()

    @Test func `The status says why the last write failed until one succeeds`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                await second.hasPeers(1)
                let before = await second.report()
                #expect(before.storeFailure == nil)
                let store = second.work.store
                try store.setRoom(.exhausted)
                var posts: [EntryID] = []
                for _ in 0..<4 { posts.append(try await first.post(String(repeating: "x", count: 60_000))) }
                let isFull = await second.wait(milliseconds: patience) { _ in store.writeFailure == .diskFull }
                #expect(isFull == .reached)
                let full = await second.report()
                #expect(full.storeFailure == "the disk is full; nothing was changed")
                #expect(full.isStoreBehind == true)
                try store.setRoom(.unlimited)
                try await second.holds(posts)
                let after = await second.report()
                #expect(after.storeFailure == nil && after.isStoreBehind == false)
            }
        }
    }
}
