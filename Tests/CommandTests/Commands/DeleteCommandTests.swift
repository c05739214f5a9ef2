import Testing

struct DeleteCommandTests {
    @Test func `An id that is shorter than any that is shown deletes nothing`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("an acorn")
        let tag = try #require(try home.json("whoami").first?["tag"] as? String)
        for letters in 1...3 {
            let ended = try home.run("delete", String(id.prefix(letters)))
            #expect(ended.code == 3 && ended.out.isEmpty)
            #expect(
                ended.err == """
                    scurry: error: \(id.prefix(letters)) is too short to delete a post by: it takes 4 letters or more
                      \(id.prefix(4)) hazel ~\(tag): an acorn
                    hint: scurry delete \(id.prefix(4))

                    """
            )
        }
        #expect(try home.json("mine").first?["state"] as? String == "posted")
        #expect(try home.told("delete", String(id.prefix(4))).hasPrefix("deleted \(id.prefix(4))"))
        #expect(try home.json("mine").isEmpty)
        let other = try home.post("another")
        try home.succeed("delete", other)
        #expect(try home.json("mine").isEmpty)
    }
}
