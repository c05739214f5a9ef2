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
                + "hint: add the tag: \(spelling)\n"
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

    @Test func `Nobody of that name`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("who", "nobody"),
            3,
            "nobody here is called nobody",
            hint: "scurry feed shows who writes, each with a tag"
        )
        expectFailure(
            try home.run("follow", "hazel"),
            7,
            "nobody follows themselves",
            hint: "scurry mine shows your own posts"
        )
    }

    @Test func `Who you are, and your row of JSON`() throws {
        let home = try TestHome(name: "hazel")
        let row = try #require(try home.json("who", "hazel").first)
        #expect(row["own"] as? Bool == true)
        let me = try #require(try home.json("whoami").first)
        #expect(me["id"] as? String == row["id"] as? String)
        #expect(
            JSONLines.keys(try home.succeed("whoami", "--json").dropLast()) == [
                "id", "name", "tag", "device", "log", "node", "network", "private", "home", "locked", "signing_stop",
            ]
        )
        #expect(
            JSONLines.keys(try home.succeed("who", "hazel", "--json").dropLast()) == [
                "id", "name", "tag", "own", "full_name", "bio", "following", "followers_seen", "follows_seen",
            ]
        )
    }
}
