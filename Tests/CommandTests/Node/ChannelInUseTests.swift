import Testing

/// A channel that was used and forgotten hides what is posted elsewhere.
struct ChannelInUseTests {
    private func screens(_ home: TestHome) throws -> [String] {
        try [["status"], [String]()].map { try home.run($0, ["COLUMNS": "120"]).out }
    }

    @Test func `Status and the program alone name the channel in use, and count what is unread elsewhere`() throws {
        let (_, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            for channel in ["a", "a", "b"] { try hazel.post("in \(channel)", "-c", channel) }
        }
        for shown in try screens(rowan) { #expect(!shown.contains(" in use"), "\(shown)") }
        try rowan.succeed("channel", "use", "b")
        let hidden = "#b in use, 2 unread elsewhere; for all again: scurry channel use\n"
        for shown in try screens(rowan) { #expect(shown.contains(hidden), "\(shown)") }
        #expect(try rowan.succeed("feed").contains("\n every channel: scurry feed --all\n"))
        for shown in try screens(rowan) { #expect(shown.contains(hidden), "\(shown)") }
        try rowan.succeed("feed", "--all")
        for shown in try screens(rowan) {
            #expect(shown.contains("#b in use; for all again: scurry channel use\n"), "\(shown)")
        }
        try rowan.succeed("channel", "use")
        for shown in try screens(rowan) { #expect(!shown.contains(" in use"), "\(shown)") }
    }

    @Test func `Of joined channels only those count that are not in use`() throws {
        let (_, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            for channel in ["a", "b", "c", "c"] { try hazel.post("in \(channel)", "-c", channel) }
        }
        for channel in ["a", "b"] { try rowan.succeed("channel", "join", channel) }
        for (used, count) in [("a", 1), ("c", 2)] {
            try rowan.succeed("channel", "use", used)
            for shown in try screens(rowan) {
                #expect(shown.contains("#\(used) in use, \(count) unread elsewhere;"), "\(shown)")
            }
        }
    }
}
