import Foundation
import Testing

/// `mine`, where there are more posts than it shows at once.
struct MineCommandTests {
    @Test func `Of more own posts than are shown at once the older ones have a command`() throws {
        let home = try TestHome(name: "hazel")
        // Nothing less goes beyond the bound: one append under one head, and 10,000 lines of JSON.
        try home.fill(posts: 10_001, bytes: 4, ending: UInt64(Date().timeIntervalSince1970) * 1_000 - 60_000)
        let ended = try home.run("mine", "--json")
        #expect(ended.code == 0 && ended.out.split(separator: "\n").count == 10_000)
        let command = try #require(ended.err.split(separator: ": scurry ").last)
        let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
        let older = try home.run(words)
        #expect(older.code == 0 && older.out.split(separator: "\n").count == 1, "\(ended.err)\(older.err)")
        #expect(try home.run("mine", "-n", "2").err.isEmpty)
    }
}
