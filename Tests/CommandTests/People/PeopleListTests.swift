import Entries
import Testing

/// `who` without a person, and the lists of followers and of those who are followed.
struct PeopleListTests {
    private func person(_ home: TestHome) throws -> (id: String, tag: String) {
        let row = try #require(try home.json("whoami").first)
        return (try #require(row["id"] as? String), try #require(row["tag"] as? String))
    }

    @Test func `Without a name the people seen here are listed, the latest post first`() throws {
        let (first, second) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("an acorn") }
        let (hazel, rowan) = (try person(first), try person(second))
        let rows = try second.json("who")
        #expect(rows.compactMap { $0["id"] as? String } == [hazel.id, rowan.id])
        #expect(rows.compactMap { $0["latest"] as? String }.count == 1)
        let line = try second.succeed("who", "--json").prefix { $0 != "\n" }
        #expect(JSONLines.keys(line) == ["id", "name", "tag", "own", "following", "latest"])
        try second.post("another")
        #expect(try second.json("who").compactMap { $0["id"] as? String } == [rowan.id, hazel.id])
        try second.succeed("follow", "hazel")
        let shown = try second.succeed("who").split(separator: "\n")
        #expect(shown.first == " 2 people, the latest post first (seen by this node)")
        #expect(shown.count == 3)
        #expect(shown[1].hasPrefix(" rowan ~\(rowan.tag) (you) · latest post "), "\(shown)")
        #expect(shown[2].hasPrefix(" hazel ~\(hazel.tag) · you follow them · latest post "), "\(shown)")
    }

    @Test func `Followers, and those who are followed, of others and oneself`() throws {
        let (first, second) = try TwoHomes.meet("hazel", "rowan")
        let (hazel, rowan) = (try person(first), try person(second))
        #expect(
            try second.succeed("who", "hazel", "--followers")
                == " No followers of hazel ~\(hazel.tag) seen by this node.\n next: scurry follow hazel~\(hazel.tag)\n"
        )
        #expect(try second.succeed("who", "--following") == " You follow nobody.\n next: scurry follow PERSON\n")
        #expect(try second.succeed("who", "--following", "--json").isEmpty)
        try second.succeed("follow", "hazel")
        #expect(
            try second.succeed("who", "hazel", "--followers") == """
                 1 follower of hazel ~\(hazel.tag) (seen by this node)
                 rowan ~\(rowan.tag) (you)

                """
        )
        let row = { (person: (id: String, tag: String), name: String, own: Bool) in
            "{\"id\":\"\(person.id)\",\"name\":\"\(name)\",\"tag\":\"\(person.tag)\",\"own\":\(own),"
                + "\"following\":\(!own)}\n"
        }
        #expect(try second.succeed("who", "hazel", "--followers", "--json") == row(rowan, "rowan", true))
        for words in [["--following"], ["rowan", "--following"]] {
            #expect(try second.run(["who"] + words + ["--json"]).out == row(hazel, "hazel", false), "\(words)")
        }
        #expect(
            try second.succeed("who", "--followers")
                == " No followers of yours seen by this node.\n next: scurry sync\n"
        )
        try second.succeed("unfollow", "hazel")
        #expect(try second.json("who", "hazel", "--followers").isEmpty)
    }

    @Test func `A list goes on behind the last one of a page, also where nobody has a name`() throws {
        let home = try TestHome(name: "hazel")
        let nobodies = try (1...5).map { number in
            try #require(IdentityID((0..<32).map { $0 == 0 ? UInt8(number) << 3 : 7 }))
        }
        try home.write(.follow(try Follow(choices: nobodies.map { .init(identity: $0, value: .following) })))
        var found: [String] = []
        var words = ["who", "--following", "-n", "2"]
        for page in 1...3 {
            let rows = try home.run(words + ["--json"])
            found += try JSONLines.parse(rows.out).compactMap { $0["id"] as? String }
            let shown = try home.run(words).out.split(separator: "\n").map(String.init)
            let next = shown.last { $0.hasPrefix(" more: scurry ") }
            #expect((next == nil) == (page == 3), "\(shown)")
            guard let next else { break }
            let command = String(next.dropFirst(" more: ".count))
            #expect(rows.err == "the list goes on: \(command) --json\n")
            words = command.replacing("'", with: "").split(separator: " ").dropFirst().map(String.init)
        }
        #expect(found == nobodies.map(\.description))
        expectFailure(
            try home.run("who", "--following", "--after", "rowan"),
            3,
            "nobody here is called rowan",
            hint: "scurry feed shows who writes, each with a tag"
        )
    }

    @Test func `On a hub there is nobody whose followers they would be`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let empty = " Nobody is known here yet.\n next: scurry join HOST:7776\n"
        #expect(try hub.succeed("who") == empty)
        #expect(try hub.run("who", "--followers").code == 7)
    }
}
