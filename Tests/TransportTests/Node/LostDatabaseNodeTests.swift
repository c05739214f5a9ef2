import Entries
import Storage
import Testing

@testable import Transport

/// A node whose database is taken away while it runs.
@Suite struct LostDatabaseNodeTests {
    private let directory = TemporaryDirectory()

    @Test(.timeLimit(.minutes(1)), arguments: ["", "-wal"])
    func `A post that nobody would see is not acknowledged, and the node ends`(suffix: String) async throws {
        let home = try directory.home()
        let node = try await Node.open(home, options: .silent, log: .silent)
        let running = Task { await node.run() }
        _ = try await node.post("before")
        let file = home.layout.store + suffix
        try FileSystem.remove(file)
        await #expect(throws: AppendError.self) { try await node.post("lost") }
        await running.value
        #expect(await node.lostDatabase == file)
    }

    @Test(.timeLimit(.minutes(1))) func `One that nobody writes to ends when it looks`() async throws {
        let home = try directory.home()
        let node = try await Node.open(home, options: .silent, log: .silent)
        let running = Task { await node.run() }
        _ = try await node.post("before")
        try FileSystem.rename(home.layout.data, to: home.layout.data + ".aside")
        node.work.checkFiles()
        await running.value
        #expect(await node.lostDatabase == home.layout.store)
    }

    @Test func `One whose database lies where it was goes on`() async throws {
        let home = try directory.home()
        try await withNode(home, options: .silent) { node in
            _ = try await node.post("before")
            node.work.checkFiles()
            _ = try await node.post("after")
            #expect(await node.lostDatabase == nil)
        }
    }
}
