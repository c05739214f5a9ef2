import Entries
import Storage
import Sync
import TestSupport
import Testing

@testable import Transport

@Suite struct NodeTests {
    private let directory = TemporaryDirectory()

    @Test func `Two nodes exchange posts both ways`() async throws {
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
                #expect(one.peers.map(\.direction) == [.incoming])
                #expect(two.peers.map(\.node) == [one.node])
                #expect(two.peers.map(\.address) == [try first.address])
                #expect(one.bytesReceived > 0 && one.bytesReceived == two.bytesSent)
            }
        }
    }

    @Test(arguments: [(1_500, 100), (120, 60_000)])
    func `A long log is caught up, beyond every window and queue`(count: Int, bytes: Int) async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try a.fill(posts: count, bytes: bytes)
        try await withNode(a) { first in
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                #expect(await second.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
                let (one, two) = (await first.report(), await second.report())
                #expect(one.fingerprint == two.fingerprint)
                #expect(two.entries == count)
                #expect(two.bytesReceived > UInt64(count * bytes))
            }
        }
    }

    @Test func `Posts pass through a node in the middle`() async throws {
        let (a, b, c) = (try directory.home("a"), try directory.home("b"), try directory.home("c"))
        try await withNode(b) { middle in
            try a.list(try middle.address)
            try c.list(try middle.address)
            try await withNode(a, options: .silent) { left in
                try await withNode(c, options: .silent) { right in
                    let one = try await left.post("from the left")
                    let two = try await right.post("from the right")
                    let three = try await middle.post("from the middle")
                    for node in [left, middle, right] { try await node.holds([one, two, three]) }
                    #expect(await middle.syncOnce(milliseconds: patience) == .equal(peers: 2, unreachable: 0))
                    let prints = Set(
                        [await left.report(), await middle.report(), await right.report()].map(\.fingerprint)
                    )
                    #expect(prints.count == 1)
                }
            }
        }
    }

    @Test func `A node finds its peer again after that one restarted`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        // Nobody else's while it is away.
        let port = try ClosedPort()
        var options = NodeOptions.local
        options.listen = ListenAddress(host: "127.0.0.1", port: port.number)
        try await withNode(b) { second in
            let before = try await withNode(a, options: options) { first in
                try b.list(try first.address)
                await second.readPeers()
                let post = try await first.post("before")
                try await second.holds([post])
                return post
            }
            await second.hasPeers(0)
            let missed = try await second.post("while it was away")
            try await withNode(a, options: options) { first in
                try await first.holds([missed, before])
            }
        }
        withExtendedLifetime(port) {}
    }

    @Test func `A node that stops is told to its peers within a second`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            try b.list(try first.address)
            let second = try await Node.open(b, options: .local, log: .silent)
            let running = Task { await second.run() }
            await first.hasPeers(1)
            // One that says nothing is no reason to wait.
            let stranger = try RawSocket(port: try #require(second.listening).port)
            let before = SystemClock.monotonicMilliseconds
            running.cancel()
            await running.value
            let took = SystemClock.monotonicMilliseconds - before
            // The node's own bound is below a second. Whatever else it may wait for takes ten, as a handshake does:
            // between them is room for a machine that is slow and busy.
            #expect(TransportLimits.stopMilliseconds < 1_000)
            #expect(took < (Sanitizer.isPresent ? 20_000 : 8_000), "\(took) ms")
            #expect(stranger.isClosedByPeer())
            await first.hasPeers(0)
            // Lock, store and port are free again.
            try await withNode(b, options: NodeOptions(listen: nil, control: .off)) { _ in }
        }
    }

    /// A label longer than it may be (RFC 1035 §2.3.4): no server is asked, which may take its time to answer.
    private let nobody = String(repeating: "x", count: 64) + ".invalid:7776"

    @Test func `A name that does not resolve is told, and the other peers are used`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            try b.list(nobody, try first.address)
            try await withNode(b, options: .silent) { second in
                #expect(await second.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 1))
                let report = await second.report()
                let lost = try #require(report.targets.first { $0.address == nobody })
                // It may be tried again by now.
                #expect(lost.failure != nil)
            }
        }
    }

    @Test func `A synchronisation that reaches nobody says so`() async throws {
        let home = try directory.home()
        try await withNode(home, options: .silent) { node in
            #expect(await node.syncOnce(milliseconds: patience) == .noPeers)
            try home.list(nobody)
            await node.readPeers()
            #expect(await node.syncOnce(milliseconds: patience) == .unreachable(tried: 1))
        }
    }

    @Test func `A busy port is an error, and the home stays free`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            var options = NodeOptions.local
            let address = ListenAddress(host: "127.0.0.1", port: try #require(first.listening).port)
            options.listen = address
            await #expect(throws: NodeError.listen(.portBusy(address))) {
                try await Node.open(b, options: options, log: .silent)
            }
            try await withNode(b) { _ in }
        }
    }

    @Test func `An address of another machine is an error`() async throws {
        let home = try directory.home()
        var options = NodeOptions.local
        let address = ListenAddress(host: "192.0.2.1", port: 0)
        options.listen = address
        await #expect(throws: NodeError.listen(.addressNotHere(address))) {
            try await Node.open(home, options: options, log: .silent)
        }
    }

    @Test func `A second node on the same home is refused`() async throws {
        let home = try directory.home()
        try await withNode(home) { _ in
            await #expect(throws: NodeError.home(.busy(process: FileSystem.process))) {
                try await Node.open(home, options: .local, log: .silent)
            }
        }
    }

    @Test func `A node also listens on IPv6`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        var options = NodeOptions.local
        options.listen = ListenAddress(host: "::1", port: 0)
        try await withNode(a, options: options) { first in
            let address = try first.address
            #expect(address.hasPrefix("[::1]:"))
            try b.list(try first.address)
            try await withNode(b, options: .silent) { second in
                #expect(await second.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
            }
        }
    }
}
