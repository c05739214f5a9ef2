import Foundation
import Testing

/// What `status` tells of texts that were kept and not posted.
struct WaitingDraftTests {
    private func keep(_ text: String, as name: String, in home: TestHome) throws {
        try FileManager.default.createDirectory(atPath: home.path + "/drafts", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/drafts/" + name))
    }

    @Test func `A draft that waits is told, with the command that goes on with it`() throws {
        let home = try TestHome(name: "hazel")
        #expect(try home.json("status").first?["drafts"] as? [[String: String]] == [])
        #expect(try !home.succeed("status").contains(" draft "))
        let id = String(try home.post("an acorn").prefix(16))
        try keep("half a", as: "post-2", in: home)
        try keep("half an answer", as: "reply-\(id)", in: home)
        try keep("", as: "post", in: home)
        for name in ["post.lock", "post-x", "post-\(id)", "edit-\(id)-7.lock", "edit-short"] {
            try keep("none", as: name, in: home)
        }
        let drafts = try #require(try home.json("status").first?["drafts"] as? [[String: String]])
        #expect(drafts.map { $0["command"] } == ["scurry post", "scurry reply \(id)"])
        #expect(drafts.map { $0["path"] } == ["post-2", "reply-\(id)"].map { "\(home.path)/drafts/\($0)" })
        let shown = try home.succeed("status")
        #expect(shown.contains("\n draft      waits: scurry post\n"), "\(shown)")
        #expect(shown.contains(" waits: scurry reply \(id)\n"), "\(shown)")
        #expect(try home.succeed().contains(" waits: scurry post\n"))
    }

    @Test func `A text kept before its post was found goes on from its file`() throws {
        let home = try TestHome(name: "hazel")
        try keep("an answer", as: "reply", in: home)
        let draft = try #require((try home.json("status").first?["drafts"] as? [[String: String]])?.first)
        #expect(draft["command"] == "scurry reply ID - < \(home.path)/drafts/reply")
        let id = try home.post("an acorn")
        try home.succeed("reply", id, "-", input: "an answer")
        #expect(try home.json("status").first?["drafts"] as? [[String: String]] == [])
    }

    @Test func `Of many drafts a few are shown, and where the others are`() throws {
        let home = try TestHome(name: "hazel")
        for letter in "abcdef" { try keep("text", as: "reply-" + String(repeating: letter, count: 16), in: home) }
        let shown = try home.succeed("status")
        #expect(shown.components(separatedBy: " waits: ").count == 4, "\(shown)")
        #expect(shown.contains(" 3 more in \(home.path)/drafts\n"), "\(shown)")
    }
}
