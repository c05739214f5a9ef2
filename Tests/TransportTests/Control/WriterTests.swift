import Entries
import Foundation
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

@Suite struct WriterTests {
    private let directory = TemporaryDirectory()

    private var options: NodeOptions {
        var options = NodeOptions.local
        options.control = .on
        return options
    }

    private func post(_ text: String) throws -> Payload {
        var generator = TestRandomness()
        return .post(try Post(salt: Salt(using: &generator), text: text))
    }

    @Test func `A command writes through the running node`() async throws {
        let home = try directory.home()
        let payload = try post("through the node")
        try await withNode(home, options: options) { node in
            let written = try await blocking { try Writer(home, patience: patience).write(payload) }
            #expect(written.spreading == .live)
            try await node.holds([written.id])
            let deleted = try await blocking { try Writer(home, patience: patience).delete(written.id) }
            #expect(deleted.spreading == .live)
        }
        let reader = try StoreReader(path: home.layout.store, network: home.network)
        #expect(try reader.status().entries == 2)
    }

    @Test func `Without a node it writes by itself, and the post spreads later`() async throws {
        let (a, b) = (try directory.home("a"), try directory.home("b"))
        let written = try Writer(a).write(try post("alone"))
        #expect(written.spreading == .later)
        try await withNode(b) { other in
            try a.list(try other.address)
            try await withNode(a, options: .silent) { _ in try await other.holds([written.id]) }
        }
    }

    @Test func `Rules are refusals both ways`() async throws {
        let home = try directory.home()
        let hub = try Home.create(at: HomeLayout(directory: directory.path + "/hub"), network: "test", for: .hub)
        let payload = try post("x")
        let unknown = EntryID(raw: NetworkID(name: "no post").raw)
        #expect(throws: WriteError.refused(.noOwnLog)) { try Writer(hub).write(payload) }
        #expect(throws: WriteError.refused(.unknownPost(unknown))) { try Writer(home).delete(unknown) }
        try await withNode(hub, options: options) { _ in
            await #expect(throws: WriteError.refused(.noOwnLog)) {
                try await blocking { try Writer(hub, patience: patience).write(payload) }
            }
        }
        try await withNode(home, options: options) { _ in
            await #expect(throws: WriteError.refused(.unknownPost(unknown))) {
                try await blocking { try Writer(home, patience: patience).delete(unknown) }
            }
        }
    }

    @Test func `Every refusal survives JSON`() throws {
        let id = EntryID(raw: NetworkID(name: "a post").raw)
        let refusals: [AppendRefusal] = [
            .noOwnLog, .wrongKey, .signingStopped, .notCarried, .logForked, .logSettled, .accountEnded,
            .payloadTooLong(bytes: 70_000), .unknownPost(id),
            .notOwnPost(id),
            .deletedPost(id), .logFull,
        ]
        for refusal in refusals {
            let line = ControlLine.encode(ControlResponse.refused(Refusal(refusal)))
            guard case .refused(let back)? = ControlLine.decode(line.dropLast()) as ControlResponse? else {
                Issue.record("\(refusal)")
                continue
            }
            #expect(back.refusal == refusal)
        }
    }

    @Test func `A node that does not answer is told from one that is not there`() async throws {
        let home = try directory.home()
        let payload = try post("kept as a draft")
        // As long as a busy machine may take to send a line: what is not sent in time is another error.
        let short: UInt64 = 2_000
        let lock = try HomeLock(home.layout)
        // Accepts, because the kernel does, and never answers.
        let server = try await ControlServer(home.layout, group: MultiThreadedEventLoopGroup.singleton)
        await #expect(throws: ControlError.unanswered(process: getpid())) {
            try await blocking { try ControlClient(home.layout, patience: short).send(.status) }
        }
        await #expect(throws: WriteError.unanswered(process: getpid())) {
            try await blocking { try Writer(home, patience: short).write(payload) }
        }
        // A lock without a socket: a node that is just starting, and takes too long.
        server.remove()
        await #expect(throws: WriteError.occupied(process: getpid())) {
            try await blocking { try Writer(home, patience: 100).write(payload) }
        }
        withExtendedLifetime(lock) {}
        let running = Task { await server.run { _ in .done } }
        running.cancel()
        await running.value
    }

    @Test func `What is not begun in time is not written, and one without a time is`() async throws {
        let home = try directory.home()
        let bytes = Data(try post("late").encode())
        try await withNode(home, options: options) { _ in
            let client = ControlClient(home.layout, patience: patience)
            let late = try await blocking {
                try client.send(.append(kind: EntryKind.post.rawValue, payload: bytes, before: 1))
            }
            #expect(late == .failed(NodeFailure(.busy)))
            let whenever = try await blocking {
                try client.send(.append(kind: EntryKind.post.rawValue, payload: bytes))
            }
            guard case .appended = whenever else {
                Issue.record("\(whenever)")
                return
            }
        }
    }

    @Test func `A remnant of a killed node is in nobody's way`() async throws {
        let home = try directory.home()
        try FileSystem.replace(home.layout.controlSocket, with: "not even a socket")
        let payload = try post("x")
        #expect(try Writer(home).write(payload).spreading == .later)
        try await withNode(home, options: options) { _ in
            let written = try await blocking { try Writer(home, patience: patience).write(payload) }
            #expect(written.spreading == .live)
        }
    }
}
