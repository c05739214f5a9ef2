import Foundation
import Testing
import Transport

/// What a command says where somebody else holds the home's lock.
struct OccupiedTests {
    @Test func `A command at work is no node, and nobody is told to kill it`() throws {
        let home = try TestHome(name: "hazel")
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let process = ProcessInfo.processInfo.processIdentifier
        let locks = try [home, hub].map { try HomeLock(HomeLayout(directory: $0.path)) }
        defer { withExtendedLifetime(locks) {} }
        for (home, command) in [
            (home, ["run", "--listen", "127.0.0.1:0"]), (home, ["rebuild"]),
            (hub, ["id", "restore", "--yes", "--words-from", home.words]),
        ] {
            expectFailure(
                try home.run(command),
                75,
                "another command (process \(process)) works on this home",
                hint: "scurry status, and try again in a moment"
            )
        }
    }

    @Test func `A node is one, and the hint ends it`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let (hazel, node) = (try TestHome(name: "hazel"), try TestNode(hub))
        let process = try #require(try hub.json("status").first?["process"] as? Int)
        expectFailure(
            try hub.run("id", "restore", "--yes", "--words-from", hazel.words),
            75,
            "a node runs on this home (process \(process))",
            hint: "kill \(process), then scurry id restore --yes --words-from \(hazel.words)"
        )
        withExtendedLifetime(node) {}
    }
}
