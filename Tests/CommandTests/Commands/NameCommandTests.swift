import Testing

/// `name`: one's own name, changed.
struct NameCommandTests {
    @Test func `A new name stands on old posts too, here and elsewhere; the tag stays`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("an acorn") }
        let tag = try #require(try hazel.json("whoami").first?["tag"] as? String)
        #expect(
            try hazel.told("name", "hazel nut") == "you are hazel nut ~\(tag); saved, will spread when the node runs"
        )
        #expect(try hazel.told("name", "hazel nut") == "you are hazel nut ~\(tag) already")
        #expect(try hazel.json("whoami").first?["name"] as? String == "hazel nut")
        let node = try TestNode(hazel)
        try rowan.meet(node)
        #expect(try rowan.succeed("feed").contains("hazel nut ~\(tag)"))
        #expect(try node.stop() == 0)
    }

    @Test func `Who is looked for by a former name is named by the one of today`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            try hazel.succeed("name", "hazel nut")
            try hazel.succeed("name", "birch")
        }
        let tag = try #require(try hazel.json("whoami").first?["tag"] as? String)
        for typed in ["hazel", "@HAZEL", "hazel~\(tag)", "hazel nut"] {
            for command in [["who"], ["follow"], ["feed", "--from"]] {
                expectFailure(
                    try rowan.run(command + [typed]),
                    3,
                    "nobody here is called \(typed) any more; birch ~\(tag) was",
                    hint: "scurry \(command.joined(separator: " ")) birch~\(tag)"
                )
            }
        }
        #expect(try rowan.run("who", "hazel~zzzz").err.hasPrefix("scurry: error: nobody here is called hazel~zzzz\n"))
        // Who is called so now is meant, whoever was before.
        try rowan.succeed("name", "hazel")
        #expect(try rowan.json("who", "hazel").first?["own"] as? Bool == true)
    }

    @Test func `A name that breaks the rules, and a hub's, are refused`() throws {
        let home = try TestHome(name: "hazel")
        #expect(try home.run("name", "ha~zel").code == 64)
        #expect(try home.run("name", "").code == 64)
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(try hub.run("name", "oak").code == 7)
    }
}
