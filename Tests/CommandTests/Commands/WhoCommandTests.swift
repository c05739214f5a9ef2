import Entries
import Testing

struct WhoCommandTests {
    @Test func `Two people called hazel never look alike, and one must say which`() throws {
        let (first, second) = try TwoHomes.meet("hazel", "HAZE1") { first, second in
            try first.post("of the first")
            try second.post("of the second")
        }
        _ = first
        let rows = try second.json("feed")
        let tags = rows.compactMap { $0["tag"] as? String }
        #expect(Set(tags).count == 2)
        let ended = try second.run("who", "hazel")
        #expect(ended.code == 3)
        #expect(ended.out.isEmpty)
        let people = rows.sorted {
            Transcript.precedes($0["author"] as? String ?? "", $1["author"] as? String ?? "")
        }
        let names = people.map { "  \($0["name"] as? String ?? "") ~\($0["tag"] as? String ?? "")\n" }
        let spelling = names.first?.dropFirst(2).dropLast().replacing(" ~", with: "~") ?? ""
        #expect(
            ended.err == "scurry: error: hazel can mean 2 people\n" + names.joined()
                + "hint: scurry who \(spelling)\n"
        )
        for row in people {
            let name = try #require(row["name"] as? String)
            let tag = try #require(row["tag"] as? String)
            let id = try #require(row["author"] as? String)
            for typed in ["\(name)~\(tag)", "hazel~\(tag)", "@hazel~\(tag)", "~\(tag)", String(id.prefix(6)), id] {
                #expect(try second.json("who", typed).first?["id"] as? String == id, "\(typed)")
            }
        }
        #expect(try second.run("follow", "hazel").code == 3)
        #expect(try second.run("feed", "--from", "hazel").code == 3)
    }

    @Test func `Who takes another one's tag for a name does not take their place`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan")
        let person = try #require(try hazel.json("whoami").first)
        let (id, tag) = (try #require(person["id"] as? String), try #require(person["tag"] as? String))
        let other = try #require(try rowan.json("whoami").first?["tag"] as? String)
        #expect(try rowan.json("who", tag).first?["id"] as? String == id)
        try rowan.succeed("name", tag)
        for command in [["who"], ["follow"], ["feed", "--from"]] {
            let ended = try rowan.run(command + [tag])
            #expect(ended.code == 3)
            #expect(
                ended.err == """
                    scurry: error: \(tag) can mean 2 people
                      hazel ~\(tag)
                      \(tag) ~\(other)
                    hint: scurry \(command.joined(separator: " ")) hazel~\(tag)

                    """
            )
        }
        for typed in ["~\(tag)", "hazel~\(tag)", id, "@\(id)"] {
            #expect(try rowan.json("who", typed).first?["id"] as? String == id, "\(typed)")
        }
    }

    @Test func `The id of a post is no person's, and its author's is named`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("an acorn") }
        let post = try #require(try rowan.json("feed").first?["id"] as? String)
        let person = try #require(try hazel.json("whoami").first)
        let (id, tag) = (try #require(person["id"] as? String), try #require(person["tag"] as? String))
        for command in [["follow"], ["unfollow"], ["who"], ["feed", "--from"]] {
            for typed in [post, "@" + post.uppercased()] {
                expectFailure(
                    try rowan.run(command + [typed]),
                    3,
                    "that is a post; its author is hazel ~\(tag)",
                    hint: "scurry \(command.joined(separator: " ")) \(id)"
                )
            }
        }
        expectFailure(
            try rowan.run("config", "carry", "\(id),\(post)"),
            3,
            "\(post) is a post; its author is \(id)",
            hint: "scurry config carry \(id)"
        )
        #expect(try rowan.json("follow").isEmpty)
        // What an earlier version took for a person can be left again.
        let nobody = try #require(Base32.decode(post).flatMap { IdentityID($0) })
        try rowan.write(.follow(try Follow(choices: [.init(identity: nobody, value: .following)])))
        #expect(try rowan.told("unfollow", post).hasPrefix("no longer following nameless ~\(post.prefix(4))"))
        #expect(try rowan.json("follow").isEmpty)
    }

    @Test func `Of a mistyped name the nearest one is given back, with the command`() throws {
        let (_, rowan) = try TwoHomes.meet("hazel", "rowan")
        for command in [["who"], ["follow"], ["unfollow"], ["feed", "--from"]] {
            expectFailure(
                try rowan.run(command + ["hazle"]),
                3,
                "nobody here is called hazle",
                hint: "scurry \(command.joined(separator: " ")) hazel"
            )
        }
    }

    @Test func `Nobody of that name`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("who", "nobody"),
            3,
            "nobody here is called nobody",
            hint: "scurry feed shows who writes, each with a tag"
        )
        let id = try #require(try home.json("whoami").first?["id"] as? String)
        expectFailure(
            try home.run("who", String(id.prefix(3))),
            3,
            "nobody here is called \(id.prefix(3))",
            hint: "the beginning of an id takes 4 letters or more"
        )
        expectFailure(
            try home.run("follow", "hazel"),
            7,
            "nobody follows themselves",
            hint: "scurry mine shows your own posts"
        )
    }

    @Test func `Without a person those whom one follows are listed`() throws {
        let (_, rowan) = try TwoHomes.meet("hazel", "rowan")
        let hazel = try #require(try rowan.json("who", "hazel").first)
        let (id, tag) = (try #require(hazel["id"] as? String), try #require(hazel["tag"] as? String))
        #expect(try rowan.succeed("follow") == " You follow nobody.\n next: scurry follow PERSON\n")
        #expect(try rowan.run("follow", "--json").out.isEmpty)
        try rowan.succeed("follow", "hazel")
        #expect(try rowan.succeed("follow") == " hazel ~\(tag)\n")
        let row = "{\"id\":\"\(id)\",\"name\":\"hazel\",\"tag\":\"\(tag)\"}\n"
        #expect(try rowan.succeed("follow", "--json") == row)
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(try hub.run("follow").code == 7)
    }

    @Test func `Of many posts the latest are shown, with the way to the others`() throws {
        let home = try TestHome(name: "hazel")
        for number in 1...3 { try home.post("post \(number)", "-c", number == 1 ? "cs193" : "squirrels") }
        try home.succeed("channel", "use", "squirrels")
        let line = { (text: String, mark: String) in
            try #require(text.split(separator: "\n").map(String.init).last { $0.contains(mark) })
        }
        let texts = { (row: [String: Any]?) in (row?["posts"] as? [[String: Any]])?.compactMap { $0["text"] as? String }
        }
        let page = try home.succeed("who", "hazel", "-n", "2")
        #expect(page.contains("post 2") && !page.contains("post 1"))
        let command = try #require(try line(page, " older: ").split(separator: ": scurry ").last)
        #expect(try texts(home.json("who", "hazel", "-n", "2").first) == ["post 3", "post 2"])
        #expect(command.contains(" -n 2 --before "), "\(command)")
        let rest = try home.run(command.split(separator: " ").map(String.init))
        #expect(rest.out.contains("post 1"), "\(command): \(rest.err)")
        let script = try home.run("who", "hazel", "-n", "2", "--json").err
        #expect(script == "older posts follow: scurry \(command) --json\n")
        #expect(!(try home.succeed("who", "hazel", "-n", "3")).contains("older: "))
        #expect(try texts(home.json("who", "hazel", "-n", "0").first) == [])
        #expect(!(try home.succeed("who", "hazel", "-n", "0")).contains("older: "))
    }

    @Test func `Who you are, and your row of JSON`() throws {
        let home = try TestHome(name: "hazel")
        let row = try #require(try home.json("who", "hazel").first)
        #expect(row["own"] as? Bool == true)
        let me = try #require(try home.json("whoami").first)
        #expect(me["id"] as? String == row["id"] as? String)
        #expect(
            JSONLines.keys(try home.succeed("whoami", "--json").dropLast()) == [
                "id", "name", "tag", "device", "log", "node", "network", "private", "home", "passphrase_set", "locked",
                "signing_stop",
            ]
        )
        #expect(
            JSONLines.keys(try home.succeed("who", "hazel", "--json").dropLast()) == [
                "id", "name", "tag", "own", "full_name", "bio", "following", "followers_seen", "follows_seen",
                "posts",
            ]
        )
    }
}
