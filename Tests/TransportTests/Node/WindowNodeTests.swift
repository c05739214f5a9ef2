import Entries
import Storage
import Sync
import Testing

@testable import Transport

/// A log of which the newest entries come first, over sockets and in real stores.
@Suite struct WindowNodeTests {
    private let directory = TemporaryDirectory()

    @Test func `The whole of a long log has come when two nodes are in step`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try a.fill(posts: 5_200, bytes: 60)
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                #expect(await second.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
                let (one, two) = (await first.report(), await second.report())
                #expect(one.fingerprint == two.fingerprint && two.entries == 5_200)
            }
            let report = try StoreReader(path: b.layout.store, network: b.network).fingerprint()
            #expect(report.isComplete && report.gaps == 0 && report.entries == 5_200)
        }
    }
}
