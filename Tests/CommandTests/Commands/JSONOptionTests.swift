import Foundation
import Testing

/// `--json` on commands that write, and on those that do not know it.
struct JSONOptionTests {
    /// The one object that a command printed; nothing on standard error.
    private func object(
        _ home: TestHome,
        _ arguments: String...,
        at location: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        try object(home, arguments, at: location)
    }

    private func object(
        _ home: TestHome,
        _ arguments: [String],
        about subject: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws -> [String: Any] {
        let ended = try home.run(arguments + ["--json"])
        #expect(ended.code == 0, "\(ended.err)", sourceLocation: location)
        #expect(ended.err.isEmpty, sourceLocation: location)
        let keys = ["id", "spreading", "changed"] + (subject.map { [$0] } ?? [])
        #expect(JSONLines.keys(ended.out) == keys, sourceLocation: location)
        let lines = try JSONLines.parse(ended.out)
        #expect(lines.count == 1, sourceLocation: location)
        return try #require(lines.first)
    }

    @Test func `What writes a post gives the post's id`() throws {
        let home = try TestHome(name: "hazel")
        let post = try object(home, "post", "An acorn.")
        let id = try #require(post["id"] as? String)
        #expect(post["spreading"] as? String == "later" && post["changed"] as? Bool == true)
        #expect(try home.json("feed").first?["id"] as? String == id)
        let reply = try object(home, "reply", id, "Two.")["id"] as? String
        #expect(try home.json("mine", "-n", "1").first?["id"] as? String == reply)
        #expect(try object(home, "edit", id, "Three acorns.")["id"] as? String == id)
        let same = try object(home, "edit", id, "Three acorns.")
        #expect(same["id"] as? String == id && same["spreading"] is NSNull && same["changed"] as? Bool == false)
        #expect(try object(home, "delete", id)["id"] as? String == id)
        let again = try object(home, "delete", id)
        #expect(again["id"] as? String == id && again["spreading"] is NSNull && again["changed"] as? Bool == false)
    }

    @Test func `With a running node it spreads now`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        #expect(try object(home, "post", "An acorn.")["spreading"] as? String == "live")
        _ = node
    }

    @Test func `Votes, follows and names give the entry's id, and what they are about`() throws {
        let (_, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("An acorn.") }
        let post = try #require(try rowan.json("feed").first?["id"] as? String)
        let hazel = try #require(try rowan.json("who", "hazel").first?["id"] as? String)
        let own = try #require(try rowan.json("whoami").first?["id"] as? String)
        for (arguments, key, value) in [
            (["vote", "up", post], "posts", [post]), (["vote", "none", post], "posts", [post]),
            (["follow", "hazel"], "person", [hazel]), (["unfollow", "hazel"], "person", [hazel]),
            (["name", "rowan tree"], "person", [own]),
        ] {
            let named = { (row: [String: Any]) in row[key] as? [String] ?? [row[key] as? String ?? ""] }
            let written = try object(rowan, arguments, about: key)
            let id = try #require(written["id"] as? String)
            #expect(id.count == 52 && id != post)
            #expect(written["changed"] as? Bool == true && named(written) == value, "\(arguments)")
            let again = try object(rowan, arguments, about: key)
            #expect(again["id"] is NSNull && again["spreading"] is NSNull, "\(arguments)")
            #expect(again["changed"] as? Bool == false && named(again) == value, "\(arguments)")
        }
    }

    @Test func `What is said of a node has its id`() throws {
        let home = try TestHome(name: "hazel")
        let node = try #require(try home.json("whoami").first?["node"] as? String)
        for command in [["status"], ["fingerprint"], ["invite", "--address", "oak.example.edu"]] {
            let row = try #require(try JSONLines.parse(home.run(command + ["--json"]).out).first)
            #expect(row["id"] as? String == node, "\(command)")
        }
    }

    @Test(arguments: [
        (["run", "--json"], "run"), (["join", "oak", "--json"], "join"), (["--json", "leave", "oak"], "leave"),
        (["sync", "--json"], "sync"), (["channel", "use", "--json"], "channel use"),
        (["completions", "bash", "--json"], "completions"), (["rebuild", "--json"], "rebuild"),
        (["lock", "--json", "--yes"], "lock"), (["export", "--json"], "export"),
    ])
    func `Where there is nothing to print it is a usage error`(arguments: [String], command: String) throws {
        let home = try TestHome(name: "hazel")
        expectFailure(try home.run(arguments), 64, "unknown option '--json'", hint: "scurry \(command) -h")
    }

    @Test func `What only scurry alone knows is not taken by a command`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("post", "An acorn.", "--version"),
            64,
            "unknown option '--version'",
            hint: "scurry post -h"
        )
        #expect(try home.json("feed").isEmpty)
        try home.succeed("post", "--", "--json")
        #expect(try home.json("feed").first?["text"] as? String == "--json")
    }
}
