import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What is said of a peer that is none: one story, wherever it is told.
struct PeerStoryTests {
    @Test func `A node of another network is told as one in the log and by peers`() throws {
        let there = try TestNode(try TestHome.elsewhere(name: "rowan"))
        let home = try TestHome(name: "hazel")
        let address = try there.address()
        let place = try #require(address.split(separator: "@").last)
        try home.succeed("join", address)
        let node = try TestNode(home)
        let log = try node.process.wait(for: "another network, another secret, or no node", in: .err)
        #expect(log.contains(" \(place) does not answer as a node of this network: "), "\(log)")
        try Eventually.holds("the peer to be left alone") {
            try home.json("peers").first?["left_alone"] as? String == "stranger"
        }
        let row = try #require(try home.json("peers").first)
        #expect(row["state"] as? String == "waiting")
        #expect((row["retry_in_ms"] as? Int ?? 0) > 500_000)
        let shown = try home.succeed("peers")
        #expect(shown.contains("somebody answers there, but no node of this network; next call in 10 min"), "\(shown)")
        // Of whoever called, the other side says what happened, and nothing of a pause that there is not.
        #expect(try there.stop() == 0)
        #expect(!there.process.text(.err).contains("left alone for 0 s"))
    }

    @Test func `Whom a person asks for is called at once, though it was to be left alone`() throws {
        let other = try TestHome()
        try other.succeed("init", "--hub", "--network", "elsewhere")
        let there = try TestNode(other)
        let home = try TestHome(name: "hazel")
        let address = try there.address()
        let place = try #require(address.split(separator: "@").last)
        try home.succeed("join", address)
        let node = try TestNode(home)
        let isLeftAlone = { (milliseconds: Int) throws -> Bool in
            let row = try home.json("peers").first
            return row?["left_alone"] as? String == "stranger"
                && row?["retry_in_ms"] as? Int ?? 0 > milliseconds
        }
        try Eventually.holds("the first call") { try isLeftAlone(300_000) }
        #expect(
            try home.told("join", address) == "\(place) was there already; the node calls it now: scurry peers"
        )
        // It was called, so that the pause is twice as long.
        try Eventually.holds("the call for join") { try isLeftAlone(900_000) }
        #expect(try home.run("sync", "--timeout", "60").code == 5)
        try Eventually.holds("the call for sync") { try isLeftAlone(1_800_000) }
        _ = node
    }

    @Test func `Another key at a known address is told by peers and by sync`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let there = try TestNode(hazel)
        let place = try #require(try there.address().split(separator: "@").last)
        let own = try #require(try rowan.json("whoami").first?["node"] as? String)
        let stranger = try #require(try TestHome(name: "fern").json("whoami").first?["node"] as? String)
        #expect(own != stranger)
        try rowan.succeed("join", "\(stranger)@\(place)")
        let id = try #require(try there.address().split(separator: "@").first)
        let words = "another node answers there, \(id): not trusted"
        let way = "if that is right: scurry join \(id)@\(place)"
        #expect(try rowan.run("sync", "--timeout", "60").err.contains("  \(place)  \(words); \(way)\n"))
        let node = try TestNode(rowan)
        try Eventually.holds("the other to answer") {
            try rowan.json("peers").first?["answered_by"] as? String == String(id)
        }
        // At the first calls the pause is a second: it may be calling just now.
        try Eventually.holds("the next call to be told") {
            try rowan.run(["peers"], ["COLUMNS": "200"]).out.contains("\(words); next call in ")
        }
        _ = node
    }

    @Test func `A peer that calls is not called unknown when it is to leave`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let called = try TestNode(hazel)
        try rowan.succeed("join", try called.address())
        let calling = try TestNode(rowan)
        try Eventually.holds("a connection") { try hazel.json("peers").first?["direction"] as? String == "incoming" }
        let id = try calling.address().prefix(8)
        expectFailure(
            try hazel.run("leave", String(id)),
            3,
            "\(id) calls this node, and is not in the peers file: there is nothing to remove",
            hint: "scurry peers"
        )
    }

    @Test func `Sync says that the node calls nobody, though there are peers`() throws {
        let home = try TestHome(name: "hazel")
        try home.succeed("join", "--trust", "127.0.0.1:9")
        let node = try TestNode(home, "--no-dial")
        expectFailure(
            try home.run("sync"),
            5,
            "this node calls nobody: it waits to be called",
            hint: "start the node without --no-dial: scurry run"
        )
        try home.succeed("config", "dial", "off")
        expectFailure(
            try home.run("sync"),
            5,
            "this node calls nobody: it waits to be called",
            hint: "scurry config dial on, and start the node again"
        )
        _ = node
    }

    @Test func `A name that does not resolve is no address to listen on`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("run", "--listen", "nosuch.invalid:1"),
            1,
            "nosuch.invalid is no address of this machine",
            hint: "scurry run --listen :7776"
        )
    }
}
