import Foundation
import Testing

/// Wall clocks that are wrong, and put right again (D5, D6).
@Suite(.enabled(if: WallClock.isPossible, "no C compiler to shift a clock with"))
struct ClockTests {
    private static let tenYears: Int64 = 3_653 * 86_400

    /// The last second of which every millisecond is below 2⁵³, and one more.
    private static let lastSecond: Int64 = (1 << 53) / 1_000 + 1

    private func show(_ id: String, on home: TestHome) throws -> [String: Any] {
        try #require(try home.json("show", id).first)
    }

    private func bringTogether(_ home: TestHome, _ peer: TestHome) throws {
        let node = try TestNode(peer)
        try? FileManager.default.removeItem(atPath: home.path + "/peers")
        try home.succeed("join", try node.address())
        try home.succeed("sync", "--timeout", "60")
        try #require(try node.stop() == 0)
    }

    @Test func `A clock ten years ahead, once put right, never makes a later vote of the device lose`() throws {
        let clock = try WallClock()
        defer { withExtendedLifetime(clock) {} }
        let ahead = clock.ahead(seconds: Self.tenYears)
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("vote for me") }
        let id = try #require(try rowan.json("feed").first?["id"] as? String)
        try #require(try rowan.run(["vote", "up", id], ahead).code == 0)
        #expect(try show(id, on: rowan)["up"] as? Int == 1)
        // From here on the clock is right.
        try rowan.succeed("vote", "down", id)
        #expect(try show(id, on: rowan)["up"] as? Int == 0)
        #expect(try show(id, on: rowan)["down"] as? Int == 1)
        try bringTogether(rowan, hazel)
        #expect(try show(id, on: hazel)["down"] as? Int == 1)
        #expect(try show(id, on: hazel)["up"] as? Int == 0)
    }

    @Test func `A post from a clock ten years ahead waits for its time; its author sees it, marked`() throws {
        let clock = try WallClock()
        defer { withExtendedLifetime(clock) {} }
        let ahead = clock.ahead(seconds: Self.tenYears)
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan")
        try #require(try rowan.run(["post", "written too early"], ahead).code == 0)
        let id = try #require(try rowan.json("mine").first?["id"] as? String)
        #expect(try rowan.json("feed").count == 1)
        let year = Calendar(identifier: .gregorian).component(
            .year,
            from: Date().addingTimeInterval(TimeInterval(Self.tenYears))
        )
        #expect(try rowan.succeed("feed").firstMatch(of: try Regex("appears \\d+ [A-Z][a-z]+ \(year) ")) != nil)
        try bringTogether(rowan, hazel)
        #expect(try hazel.json("feed").isEmpty)
        #expect(try hazel.succeed("fingerprint") == rowan.succeed("fingerprint"))
        // It is there: a reader whose clock stands there too sees it.
        let then = try hazel.run(["feed", "--json"], ahead)
        #expect(try JSONLines.parse(then.out).first?["id"] as? String == id)
        // What the author can do about it.
        try rowan.succeed("delete", id)
        #expect(try rowan.json("feed").isEmpty)
    }

    @Test func `A channel counts the posts that its feed shows, and waits as they do`() throws {
        let clock = try WallClock()
        defer { withExtendedLifetime(clock) {} }
        let ahead = clock.ahead(seconds: Self.tenYears)
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan")
        for channel in ["soon", "acorns"] {
            try #require(try rowan.run(["post", "too early", "-c", channel], ahead).code == 0)
        }
        try rowan.post("on time", "-c", "acorns")
        try bringTogether(rowan, hazel)
        let counts = { (lines: [[String: Any]]) in
            lines.map { "\($0["channel"] as? String ?? "") \($0["posts"] as? Int ?? 0)" }.sorted()
        }
        #expect(counts(try hazel.json("channel", "list")) == ["acorns 1"])
        #expect(counts(try rowan.json("channel", "list")) == ["acorns 2", "soon 1"], "who wrote them sees them")
        let then = try JSONLines.parse(try hazel.run(["channel", "list", "--json"], ahead).out)
        #expect(counts(then) == ["acorns 2", "soon 1"])
    }

    @Test func `A live tail shows a post when its time comes, once, and goes on meanwhile`() throws {
        let clock = try WallClock()
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan")
        let node = try TestNode(hazel)
        let tail = try hazel.start(["feed", "--follow", "--json"])
        try hazel.post("the tail is there")
        try tail.wait(for: "the tail is there")
        try #require(try rowan.run(["post", "an hour ahead"], clock.ahead(seconds: 3_600)).code == 0)
        try #require(try rowan.run(["post", "some seconds ahead"], clock.ahead(seconds: 8)).code == 0)
        try rowan.post("on time")
        try rowan.meet(node)
        try tail.wait(for: "on time")
        try tail.wait(for: "some seconds ahead")
        try hazel.post("the end")
        let shown = try tail.wait(for: "the end")
        #expect(shown.components(separatedBy: "some seconds ahead").count == 2)
        #expect(!shown.contains("an hour ahead"))
    }

    @Test func `A post that waited is unread when it comes, though its arrival was seen`() throws {
        let clock = try WallClock()
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan")
        try #require(try rowan.run(["post", "minutes ahead"], clock.ahead(seconds: 400)).code == 0)
        try #require(try rowan.run(["post", "an hour ahead"], clock.ahead(seconds: 3_600)).code == 0)
        try rowan.post("on time")
        try bringTogether(rowan, hazel)
        #expect(try hazel.succeed("feed").contains("1 unread"))
        let later = clock.ahead(seconds: 500)
        let due = try hazel.run(["feed"], later).out
        // What came in one piece arrived in the order of its times: the post that was read is not unread again.
        #expect(due.contains("minutes ahead") && due.contains("1 unread"), "\(due)")
        let page = try hazel.run(["feed"], clock.ahead(seconds: 550)).out
        #expect(page.contains("minutes ahead") && !page.contains("unread"), "\(page)")
    }

    /// Farther than microseconds since 1970 are counted in 63 bits.
    @Test func `With a clock a million years ahead a node goes on, and commands say what they say`() throws {
        let clock = try WallClock()
        defer { withExtendedLifetime(clock) {} }
        let far = clock.ahead(seconds: 1_000_000 * 31_557_600)
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan")
        let node = try TestNode(rowan, variables: far)
        for words in [
            ["post", "from the end of time"], ["status"], ["status", "--json"], ["peers"], ["feed"],
            ["feed", "--json"], ["feed", "--since", "today"], ["mine"], ["channel", "list"],
        ] {
            let ended = try rowan.run(words, far)
            #expect(ended.code == 0, "\(words): \(ended)")
        }
        #expect(try rowan.run(["doctor"], far).code >= 0)
        try? FileManager.default.removeItem(atPath: hazel.path + "/peers")
        try hazel.succeed("join", try node.address())
        try hazel.succeed("sync", "--timeout", "60")
        #expect(try node.stop() == 0)
        #expect(try rowan.succeed("feed").contains("appears far future"))
        #expect(try hazel.json("feed").isEmpty && hazel.succeed("fingerprint") == rowan.succeed("fingerprint"))
    }

    @Test func `With a clock at its maximum a node goes on, and each vote still beats the one before`() throws {
        let clock = try WallClock()
        defer { withExtendedLifetime(clock) {} }
        let last = clock.standing(at: Self.lastSecond)
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("vote for me") }
        let id = try #require(try rowan.json("feed").first?["id"] as? String)
        let node = try TestNode(rowan, variables: last)
        try? FileManager.default.removeItem(atPath: hazel.path + "/peers")
        try hazel.succeed("join", try node.address())
        let other = try TestNode(hazel)
        for (vote, up, down) in [("up", 1, 0), ("down", 0, 1), ("up", 1, 0)] {
            try rowan.succeed("vote", vote, id)
            try Eventually.equal(hazel, rowan)
            #expect(try show(id, on: hazel)["up"] as? Int == up)
            #expect(try show(id, on: hazel)["down"] as? Int == down)
        }
        try rowan.succeed("post", "after the end of time")
        #expect(try rowan.succeed("feed").contains("appears far future"))
        #expect(try node.stop() == 0)
        // Put right: the register stands at its maximum for ever, and the newer entry still wins.
        let again = try TestNode(rowan)
        for (vote, up, down) in [("down", 0, 1), ("none", 0, 0), ("up", 1, 0)] {
            try rowan.succeed("vote", vote, id)
            #expect(try show(id, on: rowan)["up"] as? Int == up)
            #expect(try show(id, on: rowan)["down"] as? Int == down)
        }
        #expect(try again.stop() == 0)
        try #require(try other.stop() == 0)
        try bringTogether(rowan, hazel)
        #expect(try show(id, on: hazel)["up"] as? Int == 1)
    }
}
