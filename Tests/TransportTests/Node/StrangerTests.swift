import Entries
import Sodium
import Sync
import Testing

@testable import Transport

/// Whatever comes in at the port, the node and its peers go on.
@Suite struct StrangerTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [1, 2, 48, 5_000, 2_000_000])
    func `Random bytes end their own connection and nothing else`(count: Int) async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                await first.hasPeers(1)
                let port = try #require(first.listening).port
                let isClosed = try await blocking {
                    let socket = try RawSocket(port: port)
                    socket.send(Randomness.bytes(count))
                    return socket.isClosedByPeer()
                }
                #expect(isClosed)
                let post = try await second.post("still here")
                try await first.holds([post])
            }
        }
    }

    @Test func `One who says nothing is closed at the deadline, and keeps nobody out meanwhile`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            let port = try #require(first.listening).port
            async let isClosed = blocking { try RawSocket(port: port).isClosedByPeer() }
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                let post = try await second.post("meanwhile")
                try await first.holds([post])
            }
            let wasClosed = try await isClosed
            #expect(wasClosed)
        }
    }
}
