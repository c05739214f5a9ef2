import Testing

struct ReadingDeskTests {
    @Test func `Names that cannot be read are noted, and are back when the store can be read`() throws {
        let (home, _) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("readable") }
        // Names are cached for a version of the store, which is the same before, during and after this fault.
        try home.change("DELETE FROM settings WHERE name = 'names'", of: "reader.sqlite")
        // The profile of whoever has no post in the feed, which reads its authors' own.
        let others = "key IN (SELECT entry FROM profiles WHERE identity = (SELECT max(number) FROM identities))"
        try home.change("UPDATE entries SET kind = kind + 100 WHERE \(others)")
        let feed = try home.run("feed")
        #expect(feed.code == 0 && feed.out.contains("readable"), "\(feed)")
        #expect(feed.err.hasPrefix("scurry: note: names are out of reach: "), "\(feed)")
        #expect(!feed.out.contains("hazel"), "\(feed)")
        try home.change("UPDATE entries SET kind = kind - 100 WHERE \(others)")
        #expect(try home.succeed("feed").contains("hazel"))
    }
}
