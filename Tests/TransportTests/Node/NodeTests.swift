import Entries
import Storage
import Sync
import Testing

@testable import Transport

@Suite struct NodeTests {
    @Test func `Two nodes exchange posts both ways`() async throws {
        let directory = TemporaryDirectory()
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            let old = try await first.post("written before anybody came")
            try b.list(try first.address)
            try await withNode(b) { second in
                try await second.holds([old])
                let live = try await first.post("written while connected")
                let back = try await second.post("and an answer")
                try await second.holds([live])
                try await first.holds([old, live, back])
                #expect(await first.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
                let (one, two) = (await first.report(), await second.report())
                #expect(one.fingerprint == two.fingerprint)
                #expect(one.entries == 3)
            }
        }
    }
}
