import Testing

/// `channel use` and `channel list`.
struct ChannelCommandTests {
    @Test(arguments: ["none", "all", "off"])
    func `A word that means no channel is one only where somebody posts in it`(word: String) throws {
        let home = try TestHome(name: "hazel")
        try home.succeed("channel", "use", "cs193")
        expectFailure(
            try home.run("channel", "use", word),
            64,
            "nobody has posted in a channel called \(word); without a channel all are read again",
            hint: "scurry channel use"
        )
        #expect(try home.json("channel", "list").compactMap { $0["channel"] as? String } == ["cs193"])
        try home.post("there is one", "-c", word)
        #expect(try home.told("channel", "use", word).hasPrefix("using #\(word): "))
    }

    @Test func `What is joined stands in one column`() throws {
        let home = try TestHome(name: "hazel")
        for _ in 1...2 { try home.post("text", "-c", "squirrels") }
        for channel in ["squirrels", "cs193"] { try home.succeed("channel", "join", channel) }
        let lines = try home.succeed("channel", "list").split(separator: "\n")
        let columns = try lines.map { line in
            line.distance(from: line.startIndex, to: try #require(line.firstRange(of: "joined")).lowerBound)
        }
        #expect(lines.count == 2 && Set(columns).count == 1, "\(lines)")
    }

    @Test func `A channel without posts is called so, whatever the time`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("elsewhere")
        #expect(try home.succeed("feed", "-c", "x3", "--since", "1d") == home.succeed("feed", "-c", "x3"))
        #expect(try home.succeed("feed", "--since", "2099-01-01").hasPrefix(" Nothing new."))
    }
}
