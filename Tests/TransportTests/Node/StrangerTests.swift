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

    enum Acquaintance: Sendable {
        case listed
        case learned
    }

    /// Both are of one host, and known by their addresses alone.
    @Test(arguments: [(.listed, 2), (.learned, 1)] as [(Acquaintance, Int)])
    func `That listed peers were called is told each time, with the address, and of others once of their host`(
        acquaintance: Acquaintance,
        told count: Int
    ) async throws {
        let (lines, entrance) = AsyncStream.makeStream(of: String.self)
        let log = Logger(label: "test", factory: { _ in ErrorLines(entrance: entrance, logLevel: .notice) })
        let own = try directory.home("own")
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        let expected = try await withNode(a) { first in
            try await withNode(b) { second in
                let addresses = [try first.address, try second.address]
                var options = NodeOptions.silent
                switch acquaintance {
                case .listed: try own.list(addresses[0], addresses[1])
                case .learned:
                    let targets = try addresses.map { address in
                        PeerTarget(address: try PeerLine(parsing: address).address, node: nil, origin: .learned)
                    }
                    try PeerList.writeLearned(targets, to: own.layout)
                    options.dialling = .listedAndLearned
                }
                let node = try await Node.open(own, options: options, log: log)
                let running = Task { await node.run() }
                await node.hasPeers(2)
                node.stop()
                await running.value
                return try zip(addresses, [a, b]).map { address, home in
                    "connected: \(address) (\(try home.nodeID().description.prefix(8))) (scurry)"
                }
            }
        }
        entrance.finish()
        let said = await lines.reduce(into: [String]()) { $0.append($1) }
        let told = said.filter { $0.hasPrefix("connected: ") }
        #expect(told.count == count && Set(told).isSubset(of: expected), "\(said)")
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
