import Entries
import Sync
import TestSupport
import Testing

@testable import Transport

/// Who answers first at an address is remembered; another one is refused, also after a restart.
@Suite struct PinTests {
    private let directory = TemporaryDirectory()

    @Test func `Who is met while peers are listed anew stays, and what others wrote meanwhile too`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { met in
            try b.list(try met.address)
            let address = try PeerLine.address(try met.address)
            try await withNode(b, options: .silent) { node in
                // Whoever changes the home's files now holds up the node's own change of them.
                let turn = try SettingsTurn(b.layout)
                await node.hasPeers(1)
                await node.readPeers()
                #expect(await node.known[address] == met.id)
                var others = try KnownNodes(reading: b.layout.knownNodes)
                _ = others.pin(PeerAddress(host: "elsewhere", port: 1), to: node.id)
                try others.write(to: b.layout.knownNodes)
                withExtendedLifetime(turn) {}
            }
            // Whatever the node was too late for is written when it stops.
            let written = try KnownNodes(reading: b.layout.knownNodes)
            #expect(written[address] == met.id)
            #expect(written[PeerAddress(host: "elsewhere", port: 1)] != nil)
        }
    }

    @Test func `Another node at a known address is refused until a person names it`() async throws {
        let (a, b, c) = (try directory.home("a"), try directory.home("b"), try directory.home("c"))
        // Nobody else's between the two.
        let port = try ClosedPort()
        var options = NodeOptions.local
        options.listen = ListenAddress(host: "127.0.0.1", port: port.number)
        var first: NodeID?
        try await withNode(a, options: options) { node in
            first = node.id
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
        withExtendedLifetime(port) {}
    }
}
