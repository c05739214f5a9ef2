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

    @Test func `A name that breaks the rules, and a hub's, are refused`() throws {
        let home = try TestHome(name: "hazel")
        #expect(try home.run("name", "ha~zel").code == 64)
        #expect(try home.run("name", "").code == 64)
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(try hub.run("name", "oak").code == 7)
    }
}
