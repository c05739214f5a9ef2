import Testing

/// Two people who have met once, and hold the same.
enum TwoHomes {
    /// Makes both, lets them do something, and brings them together.
    static func meet(
        _ first: String,
        _ second: String,
        before: (TestHome, TestHome) throws -> Void = { _, _ in }
    ) throws -> (TestHome, TestHome) {
        let left = try TestHome(name: first)
        let right = try TestHome(name: second)
        try before(left, right)
        let node = try TestNode(left)
        try right.succeed("join", try node.address())
        let synced = try right.run("sync", "--timeout", "60")
        try #require(synced.code == 0, "\(synced.err)")
        #expect(synced.err == "in step with 1 peer\n")
        try #require(try node.stop() == 0)
        return (left, right)
    }
}
