import Foundation
import Testing
import TestSupport

/// `sync --quiet`, for cron, which sends a mail of all that is said.
struct SyncCommandTests {
    @Test(arguments: ["--quiet", "-q"])
    func `Where all goes well it says nothing, whoever is not there`(option: String) throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let node = try TestNode(hazel)
        try rowan.succeed("join", try node.address())
        let closed = try ClosedPort()
        try rowan.succeed("join", "--trust", "127.0.0.1:\(closed.number)")
        try hazel.post("An acorn.")
        let synced = try rowan.run("sync", option, "--timeout", "60")
        #expect(synced == Spawned.Ended(code: 0, out: "", err: ""))
        #expect(try rowan.json("feed").count == 1)
        let own = try TestNode(rowan)
        #expect(try rowan.run("sync", option, "--timeout", "60") == Spawned.Ended(code: 0, out: "", err: ""))
        _ = (node, own)
    }

    @Test func `A failure is told, with the peers that are not there`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(try home.run("sync", "-q"), 5, "there are no peers", hint: "scurry join HOST:7776")
        let closed = try ClosedPort()
        try home.succeed("join", "--trust", "127.0.0.1:\(closed.number)")
        let failed = try home.run("sync", "-q", "--timeout", "60")
        #expect(failed.code != 0 && failed.err.hasPrefix("scurry: error: "), "\(failed)")
        #expect(failed.err.contains("127.0.0.1:\(closed.number)"), "\(failed)")
    }
}
