import Foundation
import Testing

/// What `show` draws of a thread, and what it says of the rest.
struct ShowCommandTests {
    private func reply(_ home: TestHome, to parent: String, _ text: String) throws -> String {
        try #require(try home.json("reply", parent, text).first?["id"] as? String)
    }

    @Test func `The reply asked for is marked among the others, in colour too`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("root")
        let asked = try reply(home, to: root, "asked for")
        _ = try reply(home, to: asked, "below")
        let shown = try home.succeed("show", asked)
        #expect(shown.contains("\n►└─ \(asked.prefix(4))"), "\(shown)")
        #expect(shown.components(separatedBy: "►").count == 2, "\(shown)")
        #expect(try home.run(["show", asked], ["LANG": "C"]).out.contains("\n>`- \(asked.prefix(4))"))
        #expect(try home.succeed("show", asked, "--color", "always").contains("\u{1B}[1m\(asked.prefix(4))"))
        #expect(try !home.succeed("show", root).contains("►"))
    }

    @Test func `The whole thread is offered only where some of it is left out`() throws {
        let home = try TestHome(name: "hazel")
        let root = try home.post("root")
        let first = try reply(home, to: root, "first")
        #expect(try !home.succeed("show", first).contains("scurry show"))
        _ = try reply(home, to: root, "second")
        let shown = try home.succeed("show", first)
        #expect(shown.contains("\n the whole thread: scurry show \(root.prefix(4))"), "\(shown)")
    }

    @Test func `Deep in a thread the first post drawn says what it answers, and the thread begins elsewhere`() throws {
        let home = try TestHome(name: "hazel")
        var ids = [try home.post("post 0")]
        for depth in 1...9 { ids.append(try reply(home, to: ids[depth - 1], "post \(depth)")) }
        let deep = try home.succeed("show", ids[9])
        #expect(deep.contains("▌│     ↳ \(ids[7].prefix(4))") && deep.contains(": post 7\n"), "\(deep)")
        #expect(deep.contains("\n►└─ \(ids[9].prefix(4))") && deep.contains("post 9\n"), "\(deep)")
        #expect(deep.contains("\n 8 more above, from its beginning: scurry show \(ids[0].prefix(4))"), "\(deep)")
        #expect(!deep.contains("the whole thread"), "\(deep)")
        let high = try home.succeed("show", ids[3])
        #expect(high.contains("↳ \(ids[1].prefix(4))") && !high.contains("↳ \(ids[2].prefix(4))"), "\(high)")
        #expect(high.contains("\n the whole thread: scurry show \(ids[0].prefix(4))"), "\(high)")
    }

    @Test(arguments: ["40", "60", "80"])
    func `An id is never broken in two`(columns: String) throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("a post")
        let author = try #require(try home.json("show", id).first?["author"] as? String)
        let shown = try home.run(["show", id], ["COLUMNS": columns]).out
        #expect(shown.contains(" \(id)\n") && shown.contains(" \(author)\n"), "\(shown)")
    }

    @Test func `Of a history the current version is named, and alone has the votes and replies`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("frist")
        let alone = try home.succeed("show", id, "--history")
        #expect(!alone.contains("current") && alone.contains("↳0"), "\(alone)")
        try home.succeed("edit", id, "first")
        try home.succeed("edit", id, "the first")
        let lines = try home.succeed("show", id, "--history").split(separator: "\n")
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.filter { $0.contains(" · current") } == Array(lines.prefix(1)), "\(lines)")
        #expect(lines.filter { $0.contains("↳0") } == Array(lines.prefix(1)), "\(lines)")
        #expect(lines.filter { $0.hasSuffix(" · edited") }.count == 1, "\(lines)")
    }
}
