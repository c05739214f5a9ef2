import Entries
import Sync
import Testing

@testable import Transport

/// What a running node keeps of peers that have gone.
@Suite struct PeerMemoryTests {
    private let directory = TemporaryDirectory()

    @Test func `What is learned again and again is written now and then, and at the end`() async throws {
        let home = try directory.home("a")
        func learned(_ port: UInt16) -> PeerTarget {
            PeerTarget(address: PeerAddress(host: "oak", port: port), node: nil, origin: .learned)
        }
        func written() throws -> [PeerTarget] {
            try PeerList(reading: home.layout, known: KnownNodes()).learned
        }
        try await withNode(home) { node in
            for port in 1...UInt16(40) { await node.perform(.learnPeers([learned(port)])) }
            #expect(await node.isLearningResting)
            #expect(await node.learned == [learned(40)], "it waits")
            await node.take(.learningRested)
            #expect(await node.learned == nil)
            #expect(await node.isLearningResting)
            await node.perform(.learnPeers([learned(41)]))
        }
        #expect(try written() == [learned(41)])
    }

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
