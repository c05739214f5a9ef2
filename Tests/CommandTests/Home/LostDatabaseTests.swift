import Foundation
import Testing

/// A database that is taken away while a node runs on it.
struct LostDatabaseTests {
    enum Loss: CaseIterable, Sendable {
        case removed
        case replaced
    }

    @Test(arguments: Loss.allCases) func `A node whose database is taken away says so and ends`(loss: Loss) throws {
        let home = try TestHome(name: "hazel")
        try home.post("before")
        let node = try TestNode(home)
        let copy = try home.copied()
        let file = home.path + "/store.sqlite"
        switch loss {
        case .removed: for suffix in ["-shm", "-wal", ""] { try Shell.run("rm", file + suffix) }
        case .replaced: try Shell.run("mv", copy.path + "/store.sqlite", file)
        }
        // A command that asks the node makes it look; without one it does within a minute.
        _ = try home.run("sync", "--timeout", "5")
        let ended = try node.process.finish()
        #expect(ended.code == 1)
        let words = "\(file) was moved, removed or replaced while the node ran: it ended"
        let hint = "scurry doctor says what is there now"
        #expect(ended.err.hasSuffix("scurry: error: \(words)\nhint: \(hint)\n"), "\(ended.err)")
    }

    @Test func `A database that nobody may open for a while ends no node`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("before")
        let node = try TestNode(home)
        let file = home.path + "/store.sqlite"
        try Shell.run("chmod", "0", file)
        _ = try home.run("sync", "--timeout", "5")
        try Shell.run("chmod", "0600", file)
        try home.post("after")
        #expect(try node.stop() == 0)
    }
}
