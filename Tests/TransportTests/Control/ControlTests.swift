import Entries
import FoundationEssentials
import NIOConcurrencyHelpers
import NIOPosix
import Storage
import Sync
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct ControlTests {
    private let directory = TemporaryDirectory()

    private var options: NodeOptions {
        var options = NodeOptions.local
        options.control = .on
        return options
    }

    private func ask(_ home: Home, _ request: ControlRequest) async throws -> ControlResponse {
        try await blocking { try ControlClient(home.layout, patience: patience).send(request) }
    }

    /// Sends raw bytes; the answer line, or nil if the node closed without one.
    private func say(_ home: Home, _ bytes: [UInt8]) async throws -> ControlResponse? {
        try await blocking {
            let deadline = SystemClock.monotonicMilliseconds + patience
            let socket = try LocalSocket(connectingTo: SocketPlace.find(home.layout), patience: patience)
            try? socket.send(bytes, before: deadline)
            guard let line = try? socket.receiveLine(limit: 1 << 20, before: deadline) else { return nil }
            return ControlLine.decode(line)
        }
    }

    @Test func `Status, synchronisation and stop are answered`() async throws {
        let home = try directory.home()
        let node = try await Node.open(home, options: options, log: .silent)
        let running = Task { await node.run() }
        guard case .status(let status) = try await ask(home, .status) else {
            Issue.record("no status")
            return
        }
        #expect(status.node == node.id.description)
        #expect(status.network == "test")
        #expect(status.process == getpid())
        #expect(status.listening == node.listening?.text)
        // The store is not asked: a command reads it by itself.
        #expect(status.entries == nil && status.databaseBytes == nil)
        #expect(try await ask(home, .sync(milliseconds: 100)) == .synced(.noPeers))
        #expect(try await ask(home, .peersChanged) == .done)
        #expect(try await ask(home, .stop) == .done)
        await running.value
        await #expect(throws: ControlError.noNode) { try await ask(home, .status) }
    }

    @Test func `A synchronisation that is under way ends when the node stops`() async throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        // Connects, because the kernel does, and nobody says hello.
        let mute = try await Node.open(other, options: .local, log: .silent)
        try home.list(try mute.address)
        let node = try await Node.open(home, options: options, log: .silent)
        let running = Task { await node.run() }
        async let outcome = ask(home, .sync(milliseconds: patience))
        let isWaiting = await node.wait(milliseconds: patience) { status in
            status.targets.contains { if case .connected = $0.state { true } else { false } }
        }
        #expect(isWaiting == .reached)
        // The node calls by itself: the request may come later.
        let deadline = SystemClock.monotonicMilliseconds + patience
        while await !node.isWatched, SystemClock.monotonicMilliseconds < deadline { await Task.yield() }
        node.stop()
        await running.value
        #expect([.synced(.stopped)].contains(try await outcome))
        withExtendedLifetime(mute) {}
    }

    @Test func `A peer that join wrote is called at once`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        try await withNode(a) { first in
            try await withNode(b, options: options) { second in
                try b.list(try first.address)
                #expect(try await ask(b, .peersChanged) == .done)
                await second.hasPeers(1)
            }
        }
    }

    @Test(arguments: ["\n", "nonsense\n", "{}\n", "{\"status\":1}\n", "[\"status\"]\n", "{\"append\":{\"kind\":1}}\n"])
    func `What is no request gets one line and harms nobody`(text: String) async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { _ in
            guard case .failed = try await say(home, Array(text.utf8)) else {
                Issue.record("no refusal")
                return
            }
            guard case .status = try await ask(home, .status) else {
                Issue.record("no status")
                return
            }
        }
    }

    @Test func `A request without an end is refused at its limit`() async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { _ in
            let endless = [UInt8](repeating: UInt8(ascii: "{"), count: TransportLimits.controlRequestBytes + 2)
            let answer = try await say(home, endless)
            #expect(answer == .failed(NodeFailure("the request is too long")))
        }
    }

    @Test func `Bytes of a payload that does not parse are not signed`() async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { node in
            let answer = try await ask(home, .append(kind: 1, payload: Data([0xFF, 0xFF])))
            #expect(answer == .failed(NodeFailure("the payload does not parse")))
            #expect(await node.report().entries == 0)
        }
    }

    @Test func `One who says nothing on the control socket loses the place`() async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { _ in
            let error = await #expect(throws: SystemError.self) {
                try await blocking {
                    let path = SocketPlace.find(home.layout)
                    let socket = try LocalSocket(connectingTo: path, patience: patience)
                    return try socket.receiveLine(limit: 1, before: SystemClock.monotonicMilliseconds + patience)
                }
            }
            // Closed by the node, and not given up here.
            #expect(error?.code == ECONNRESET)
        }
    }

    @Test func `One who asks again and again and reads no answer is cut off`() async throws {
        let home = try directory.home()
        let server = try await ControlServer(home.layout, group: MultiThreadedEventLoopGroup.singleton)
        let (answered, bytes) = (NIOLockedValueBox(0), 65_536)
        let running = Task {
            await server.run { _ in
                answered.withLockedValue { $0 += 1 }
                return .failed(NodeFailure(String(repeating: "x", count: bytes)))
            }
        }
        // More than may wait for one who reads, and the sockets hold besides; less than waits for a peer.
        let most = 3 * TransportLimits.controlResponseBytes / bytes
        let error = await #expect(throws: SystemError.self) {
            try await blocking {
                let deadline = SystemClock.monotonicMilliseconds + patience
                let socket = try LocalSocket(connectingTo: SocketPlace.find(home.layout), patience: patience)
                let request = ControlLine.encode(ControlRequest.status)
                while answered.withLockedValue({ $0 }) < most { try socket.send(request, before: deadline) }
            }
        }
        // Closed by the node, and not given up here.
        #expect(error?.code == EPIPE || error?.code == ECONNRESET)
        running.cancel()
        await running.value
    }

    @Test func `What follows a refused request is not executed`() async throws {
        let home = try directory.home()
        let server = try await ControlServer(home.layout, group: MultiThreadedEventLoopGroup.singleton)
        let answered = NIOLockedValueBox(0)
        let running = Task {
            await server.run { _ in
                answered.withLockedValue { $0 += 1 }
                return .done
            }
        }
        let requests = Array("nonsense\n".utf8) + ControlLine.encode(ControlRequest.status)
        #expect(try await say(home, requests) == .failed(NodeFailure("no request that this node understands")))
        running.cancel()
        await running.value
        #expect(answered.withLockedValue { $0 } == 0)
    }

    @Test func `Another user is refused before a byte is read`() async throws {
        let home = try directory.home()
        let server = try await ControlServer(
            home.layout,
            user: geteuid() + 1,
            group: MultiThreadedEventLoopGroup.singleton
        )
        let running = Task { await server.run { _ in .done } }
        #expect(try await say(home, ControlLine.encode(ControlRequest.status)) == nil)
        running.cancel()
        await running.value
    }

    @Test(arguments: ["/run/" + String(repeating: "r", count: 100), "relative", "/run/a\nb"])
    func `A directory for sockets that cannot hold one is passed over`(runtime: String) {
        let layout = HomeLayout(directory: directory.path + "/" + String(repeating: "d", count: 100))
        #expect(SocketPlace.directory(layout, runtime) == "/tmp/scurry-\(geteuid())")
        #expect(SocketPlace.directory(layout, "/run/user") == "/run/user/scurry")
    }

    @Test func `A home too deep for a socket's path has it elsewhere`() async throws {
        let deep = directory.path + "/" + String(repeating: "d", count: 100)
        let home = try Home.create(at: HomeLayout(directory: deep), network: "test", for: .hub)
        let path = try SocketPlace.make(home.layout, runtime: directory.path)
        #expect(path.utf8.count <= TransportLimits.socketPathBytes)
        #expect(path.hasPrefix(directory.path + "/scurry/"))
        #expect(SocketPlace.find(home.layout) == path)
        #expect(try FileSystem.names(in: directory.path + "/scurry").isEmpty)
        try FileSystem.setPermissions(0o755, of: directory.path + "/scurry")
        #expect(throws: HomeError.self) { try SocketPlace.make(home.layout, runtime: directory.path) }
        // A directory that cannot be made: a file lies in its way.
        try FileSystem.replace(directory.path + "/file", with: "")
        let elsewhere = try SocketPlace.make(home.layout, runtime: directory.path + "/file")
        #expect(elsewhere.hasPrefix("/tmp/scurry-\(geteuid())/") && SocketPlace.find(home.layout) == elsewhere)
        try await withNode(home, options: options) { _ in
            guard case .status = try await ask(home, .status) else {
                Issue.record("no status")
                return
            }
        }
    }
}

extension Node {
    /// Whether somebody waits for a status.
    fileprivate var isWatched: Bool { !watchers.isEmpty }
}
