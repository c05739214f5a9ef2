import Entries
import Storage
import Sync
import Testing

@testable import Transport

/// A node whose control socket is taken away while it runs.
@Suite(.timeLimit(.minutes(5))) struct LostSocketTests {
    private let directory = TemporaryDirectory()

    private var options: NodeOptions {
        var options = NodeOptions.silent
        options.control = .on
        return options
    }

    private func ask(_ home: Home) async throws -> ControlResponse {
        try await blocking { try ControlClient(home.layout, patience: patience).send(.status) }
    }

    private func expectAnswer(_ home: Home) async throws {
        guard case .status = try await ask(home) else {
            Issue.record("no status")
            return
        }
    }

    @Test func `A command is told that the node runs, and the node makes the socket anew`() async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { node in
            try await expectAnswer(home)
            try FileSystem.remove(home.layout.controlSocket)
            await #expect(throws: ControlError.notResponding(process: FileSystem.process)) { try await ask(home) }
            await node.keepControl()
            try await expectAnswer(home)
        }
        #expect(!FileSystem.exists(home.layout.controlSocket))
        await #expect(throws: ControlError.noNode) { try await ask(home) }
    }

    @Test func `A leftover that lies there instead is replaced`() async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { node in
            try await expectAnswer(home)
            try FileSystem.remove(home.layout.controlSocket)
            try FileSystem.replace(home.layout.controlSocket, with: "")
            await node.keepControl()
            try await expectAnswer(home)
        }
    }

    @Test func `A socket that lies where it was, or at which another answers, stays`() async throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        try await withNode(home, options: options) { node in
            try await expectAnswer(home)
            let path = home.layout.controlSocket
            let facts = try #require(FileSystem.facts(ofItself: path))
            await node.keepControl()
            #expect(FileSystem.facts(ofItself: path)?.isSameFile(as: facts) == true)
            try await withNode(other, options: options) { _ in
                try await expectAnswer(other)
                try FileSystem.rename(other.layout.controlSocket, to: path)
                await node.keepControl()
                guard case .status(let report) = try await ask(home) else {
                    Issue.record("no status")
                    return
                }
                let node = try other.nodeID().description
                #expect(report.node == node)
            }
        }
    }

    @Test func `The directory of a home that is too deep for a socket is made anew`() async throws {
        let deep = HomeLayout(directory: directory.path + "/" + String(repeating: "d", count: 100))
        let home = try Home.create(at: deep, network: "test", for: .hub)
        try await withNode(home, options: options) { node in
            try await expectAnswer(home)
            try FileSystem.remove(SocketPlace.find(home.layout))
            try FileSystem.remove(home.layout.controlPath)
            await #expect(throws: ControlError.notResponding(process: FileSystem.process)) { try await ask(home) }
            await node.keepControl()
            try await expectAnswer(home)
        }
    }

    @Test func `What was changed meanwhile is read`() async throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        try await withNode(other) { listening in
            try await withNode(home, options: options) { node in
                try await expectAnswer(home)
                try FileSystem.remove(home.layout.controlSocket)
                try home.list(try listening.address)
                await node.keepControl()
                await node.hasPeers(1)
            }
        }
    }

    @Test func `The start is told by the clock as it goes now`() async throws {
        let home = try directory.home()
        try await withNode(home, options: options) { node in
            try await expectAnswer(home)
            let minute: UInt64 = 60_000
            // The clock was set by thirty years since the start.
            let wall: UInt64 = 3_000_000_000_000
            let now = Moment(monotonicMilliseconds: node.begunAt + minute, wallMilliseconds: wall)
            #expect(await node.statusReport(now: now).startedAt == wall - minute)
            // Both clocks drift apart a little.
            let later = Moment(monotonicMilliseconds: node.begunAt + 2 * minute, wallMilliseconds: wall + minute + 5)
            #expect(await node.statusReport(now: later).startedAt == wall - minute)
        }
    }
}
