import Entries
import Sync
import Testing

@testable import Transport

/// Who answers first at an address is remembered; another one is refused, also after a restart.
@Suite struct PinTests {
    private let directory = TemporaryDirectory()

    @Test func `Another node at a known address is refused until a person names it`() async throws {
        let (a, b, c) = (try directory.home("a"), try directory.home("b"), try directory.home("c"))
        var options = NodeOptions.local
        var first: NodeID?
        try await withNode(a, options: options) { node in
            first = node.id
            options.listen = ListenAddress(host: "127.0.0.1", port: try #require(node.listening).port)
            try b.list(try node.address)
            try await withNode(b, options: .silent) { await $0.hasPeers(1) }
        }
        try await withNode(c, options: options) { impostor in
            let address = try PeerLine.address(try impostor.address)
            #expect(try KnownNodes(reading: b.layout.knownNodes)[address] == first)
            try await withNode(b, options: .silent) { node in
                #expect(await node.syncOnce(milliseconds: patience) == .unreachable(tried: 1))
                #expect(await impostor.report().peers.isEmpty)
                #expect(try KnownNodes(reading: b.layout.knownNodes)[address] == first)
                try b.list("\(impostor.id)@\(try impostor.address)")
                await node.readPeers()
                await node.hasPeers(1)
            }
        }
    }
}
