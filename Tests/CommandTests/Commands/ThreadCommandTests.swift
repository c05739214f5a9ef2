import Foundation
import Testing

/// `show` of a thread in which something is missing.
struct ThreadCommandTests {
    @Test func `A reply that was taken back takes no answers along`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("root")
        try home.succeed("reply", root, "middle")
        let middle = try #require(try home.json("mine").last?["id"] as? String)
        try home.succeed("reply", middle, "leaf")
        let leaf = try #require(try home.json("mine").last?["id"] as? String)
        try home.succeed("delete", middle)
        let shown = try home.succeed("show", root)
        #expect(shown.contains("root") && shown.contains("deleted") && shown.contains("leaf"), "\(shown)")
        let rows = try home.json("show", root)
        #expect(rows.compactMap { $0["id"] as? String } == [root, middle, leaf])
        #expect(rows.compactMap { $0["depth"] as? Int } == [0, 1, 2])
    }
}
