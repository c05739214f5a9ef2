import Entries
import Logging
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

    @Test func `That strangers come and go is told once of their host, and of a listed peer each time`() async throws {
        let (lines, entrance) = AsyncStream.makeStream(of: String.self)
        let log = Logger(label: "test", factory: { _ in ErrorLines(entrance: entrance, logLevel: .notice) })
        let (own, listed) = (try directory.home("own"), try directory.home("listed"))
        let name = try listed.nodeID().description
        try own.list("\(name)@127.0.0.1:9")
        let node = try await Node.open(own, options: .local, log: log)
        let running = Task { await node.run() }
        for peer in [try directory.home("a"), try directory.home("b"), listed, listed] {
            try peer.list(try node.address)
            try await withNode(peer, options: .silent) { other in
                let post = try await other.post("a nut")
                try await node.holds([post])
            }
            await node.hasPeers(0)
        }
        node.stop()
        await running.value
        entrance.finish()
        let said = await lines.reduce(into: [String]()) { $0.append($1) }
        for beginning in ["connected: ", "connection lost: "] {
            let told = said.filter { $0.hasPrefix(beginning) }
            #expect(told.count == 3 && told.filter { $0.contains("(\(name.prefix(8)))") }.count == 2, "\(said)")
        }
    }
}
