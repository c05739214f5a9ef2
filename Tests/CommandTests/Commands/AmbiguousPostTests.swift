import Foundation
import Testing

@testable import scurry

/// A beginning of several ids: the hint is the command with one of them, or what shows that one where the command would
/// change something.
struct AmbiguousPostTests {
    /// More posts than an id's first letter has values: two of them share one.
    private static let posts = 33

    @Test func `The hint has the first candidate, and deletes, edits and votes nothing`() throws {
        let home = try TestHome(name: "hazel")
        try home.fill(posts: Self.posts, bytes: 4, ending: UInt64(Date().timeIntervalSince1970) * 1_000 - 60_000)
        let ids = try home.json("mine").map { try #require($0["id"] as? String) }
        try #require(ids.count == Self.posts)
        let groups = Dictionary(grouping: ids) { String($0.prefix(1)) }
        let (letter, alike) = try #require(groups.first { $0.value.count > 1 })
        let first = try #require(ShortID.prefixes(of: alike.sorted(by: Transcript.precedes)).first)
        let other = try #require(ids.first { !$0.hasPrefix(letter) })
        let cases: [(command: [String], hint: String)] = [
            (["show", letter], "show \(first)"), (["show", letter, "--history"], "show \(first) --history"),
            (["delete", letter], "show \(first)"), (["reply", letter, "no"], "reply \(first) \"TEXT\""),
            (["edit", letter, "--title", "a b"], "show \(first)"), (["vote", "up", other, letter], "show \(first)"),
            (["feed", "-n", "5", "--before", letter], "feed -n 5 --before \(first)"),
        ]
        for (command, hint) in cases {
            let ended = try home.run(command)
            #expect(ended.code == 3)
            #expect(ended.err.hasSuffix("\nhint: scurry \(hint)\n"), "\(command): \(ended.err)")
        }
    }
}
