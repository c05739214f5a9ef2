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
}
