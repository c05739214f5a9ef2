import Entries
import Sync
import Testing

@testable import Transport

/// What a running node keeps of peers that have gone.
@Suite struct PeerMemoryTests {
    private let directory = TemporaryDirectory()

    @Test func `However many keys were in step once, only so many are remembered`() async throws {
        try await withNode(try directory.home("a")) { node in
            var random = TestRandomness()
            for _ in 0..<1_000 {
                let key = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
                await node.tell(.caughtUp(try #require(NodeID(key))))
            }
            #expect(await node.lastEqual.count <= 2 * Limits.sessionsCount)
        }
    }
}
