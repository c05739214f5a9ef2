import Entries
import Foundation
import Testing

/// `reply`, `edit`, `delete`, `vote`.
struct WritingCommandsTests {
    @Test func `A reply names its parent and its root, and is in the same channels`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("first", "-c", "cs193")
        let told = try home.told("reply", String(root.prefix(4)), "second")
        #expect(told.hasPrefix("replied ") && told.contains(" to hazel ~"))
        let second = try #require(try home.json("mine", "-n", "1").first)
        try home.succeed("reply", try #require(second["id"] as? String), "third")
        let third = try #require(try home.json("mine", "-n", "1").first)
        #expect(third["parent"] as? String == second["id"] as? String)
        #expect(third["root"] as? String == root)
        #expect(third["channels"] as? [String] == ["cs193"])
        #expect(try home.json("show", root).compactMap { $0["depth"] as? Int } == [0, 1, 2])
    }

    @Test func `An edit stands in the post's place, and the history has both`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("frist", "--title", "Title")
        #expect(try home.told("edit", id, "first") == "edited \(id.prefix(4)); saved, will spread when the node runs")
        let row = try #require(try home.json("feed").first)
        #expect(row["text"] as? String == "first")
        #expect(row["title"] as? String == "Title")
        #expect(row["state"] as? String == "edited")
        #expect(try home.json("show", id, "--history").compactMap { $0["text"] as? String } == ["first", "frist"])
        #expect(try home.told("edit", id, "first") == "unchanged: \(id) says that already")
        try home.succeed("edit", id, "--title", "Other")
        #expect(try home.json("feed").first?["title"] as? String == "Other")
        try home.succeed("edit", id, "--title", " \u{3000}")
        #expect(try home.json("feed").first?["title"] as? String == nil)
        #expect(try home.json("feed").first?["text"] as? String == "first")
    }

    @Test(arguments: [[], ["-"]])
    func `A pipe that gives nothing empties no post, and an argument does`(arguments: [String]) throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("first", "--title", "Title")
        for input in ["", " \n\t\n"] {
            let ended = try home.run(["edit", id] + arguments, input: input)
            expectFailure(ended, 64, "an empty text is not posted", hint: "scurry edit \(id) \"TEXT\"")
            let reply = try home.run(["reply", id] + arguments, input: input)
            expectFailure(reply, 64, "an empty text is not posted", hint: "scurry reply \(id) \"TEXT\"")
        }
        #expect(try home.json("feed").compactMap { $0["text"] as? String } == ["first"])
        try home.succeed("edit", id, "")
        #expect(try home.json("feed").first?["text"] as? String == "")
        #expect(try home.json("feed").first?["title"] as? String == "Title")
    }

    @Test func `An edit takes a piped text with its title, and a title alone keeps the text`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("first", "--title", "Title")
        let present = { () throws -> [String?] in
            let row = try #require(try home.json("feed").first)
            return [row["title"] as? String, row["text"] as? String]
        }
        // What a loop reads its lines from is not for it.
        try home.succeed("edit", id, "--title", "Other", input: "the next line\n")
        #expect(try present() == ["Other", "first"])
        try home.succeed("edit", id, "-", "--title", "Third", input: "second\n")
        #expect(try present() == ["Third", "second"])
        let ended = try home.run("edit", id, "-", "--title", "Fourth")
        expectFailure(ended, 64, "an empty text is not posted", hint: "scurry edit \(id) --title Fourth \"TEXT\"")
        #expect(try present() == ["Third", "second"])
        let fifth = ["edit", id, "--title", "Fifth"]
        let asked = try home.start(fifth, ["EDITOR": "false"], streams: .terminal(columns: 80)).finish()
        #expect(asked.code == 0, "\(asked.out)")
        #expect(try present() == ["Fifth", "second"])
    }

    @Test func `A deleted post is gone with all that it ever said`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("a secret word: quetzalcoatl")
        try home.succeed("edit", id, "another secret: quetzalcoatl")
        let deleted = try home.run("delete", id)
        #expect(
            deleted.err == """
                deleted \(id.prefix(4)); saved, will spread when the node runs
                every node that hears of it erases the text; copies cannot be recalled

                """
        )
        #expect(try home.json("feed").isEmpty)
        #expect(try home.json("show", id).first?["text"] is NSNull)
        for file in try FileManager.default.contentsOfDirectory(atPath: home.path) where file.contains("sqlite") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: home.path + "/" + file))
            #expect(bytes.firstRange(of: Data("quetzalcoatl".utf8)) == nil, "\(file)")
        }
        #expect(try home.told("delete", id) == "\(id) was deleted before")
        let reply = try home.run("reply", id, "x")
        expectFailure(reply, 7, "\(id) was deleted by its author", hint: "scurry show \(id)")
        expectFailure(try home.run("edit", id, "x"), 7, "\(id) was deleted", hint: "scurry show \(id)")
    }

    @Test func `A vote counts once, the last one wins, and it can be taken back`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("vote for me")
        let other = try home.post("and me")
        let state = { try #require(try home.json("show", id).first) }
        let short = id.prefix(4)
        #expect(try home.told("vote", "up", id) == "voted up: \(short); saved, will spread when the node runs")
        #expect(try state()["up"] as? Int == 1)
        #expect(try state()["vote"] as? String == "up")
        try home.succeed("vote", "down", id, other)
        #expect(try state()["up"] as? Int == 0)
        #expect(try state()["down"] as? Int == 1)
        #expect(try home.json("show", other).first?["down"] as? Int == 1)
        #expect(try home.told("vote", "none", id).hasPrefix("vote taken back: \(short)"))
        #expect(try state()["down"] as? Int == 0)
        #expect(try state()["vote"] is NSNull)
    }

    @Test func `A vote that stands already is not written again`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("vote for me")
        let other = try home.post("and me")
        let (short, second) = (id.prefix(4), other.prefix(4))
        let entries = { try #require(try home.json("status").first?["own_entries"] as? Int) }
        let before = try entries()
        #expect(try home.told("vote", "none", id, other) == "no vote of yours on \(short) \(second)")
        #expect(try entries() == before)
        try home.succeed("vote", "up", id)
        #expect(try home.told("vote", "up", id) == "voted up already: \(short)")
        #expect(try entries() == before + 1)
        #expect(
            try home.told("vote", "up", id, other)
                == "voted up: \(second) (voted up already: \(short)); saved, will spread when the node runs"
        )
        #expect(try home.json("show", other).first?["up"] as? Int == 1)
        try home.succeed("vote", "none", id)
        #expect(try home.told("vote", "none", id) == "no vote of yours on \(short)")
        #expect(try entries() == before + 3)
    }

    @Test func `Without a choice the posts that were voted on are listed`() throws {
        let home = try TestHome(name: "hazel")
        #expect(try home.succeed("vote") == " No votes of yours.\n next: scurry vote up ID\n")
        #expect(try home.run("vote", "--json").out.isEmpty)
        let ids = try (1...3).map { try home.post("post \($0)") }
        let elsewhere = try TestHome(name: "rowan").post("never here")
        try home.succeed("vote", "up", ids[0])
        try home.succeed("vote", "down", ids[1], ids[2])
        try home.succeed("vote", "none", ids[2])
        let target = try #require(Base32.decode(elsewhere).flatMap { EntryID($0) })
        try home.write(.vote(try Vote(choices: [.init(post: target, value: .up)])))
        let rows = try home.json("vote")
        #expect(rows.compactMap { $0["id"] as? String } == [elsewhere, ids[1], ids[0]])
        #expect(rows.compactMap { $0["vote"] as? String } == ["up", "down", "up"])
        #expect(rows.map { $0["text"] as? String } == [nil, "post 2", "post 1"])
        #expect(rows.allSatisfy { ($0["voted"] as? String)?.hasSuffix("Z") == true })
        let text = try home.succeed("vote")
        #expect(text.hasPrefix(" your votes · latest first\n"), "\(text)")
        #expect(text.contains("post 1") && text.contains("post 2") && !text.contains("post 3"))
        #expect(text.contains(elsewhere.prefix(4)))
        let page = try home.run("vote", "-n", "1")
        #expect(page.out.hasSuffix("\n older votes: scurry vote -n 2\n") && !page.out.contains("post 2"), "\(page.out)")
        #expect(try home.run("vote", "-n", "1", "--json").err == "older votes follow: scurry vote -n 2 --json\n")
        #expect(try home.run("vote", "up", ids[0], "-n", "1").code == 64)
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(try hub.run("vote").code == 7)
    }

    @Test func `Of several posts all are known, or none is voted on`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("one")
        expectFailure(
            try home.run("vote", "up", id, "7777777"),
            3,
            "no post here begins with 7777777",
            hint: "scurry feed shows the ids; scurry sync fetches what is missing"
        )
        #expect(try home.json("show", id).first?["up"] as? Int == 0)
    }

    @Test func `A vote is up, down or none`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("vote", "sideways", "abcd"),
            64,
            "the value 'sideways' is invalid for 'up|down|none': it takes 'up', 'down' or 'none'",
            hint: "scurry vote -h"
        )
        expectFailure(try home.run("vote", "up"), 64, "missing expected argument 'ID ...'", hint: "scurry vote -h")
    }

    @Test func `Nobody edits or deletes the post of somebody else`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("mine alone") }
        let row = try #require(try rowan.json("feed").first)
        let id = try #require(row["id"] as? String)
        let tag = try #require(row["tag"] as? String)
        for (verb, arguments) in [("edit", ["edit", id, "x"]), ("delete", ["delete", id])] {
            expectFailure(
                try rowan.run(arguments),
                7,
                "\(id) is a post of hazel ~\(tag): only its author can \(verb) it",
                hint: "scurry mine shows your own posts"
            )
        }
        #expect(try rowan.json("feed").first?["text"] as? String == "mine alone")
        #expect(try hazel.json("feed").count == 1)
    }
}
