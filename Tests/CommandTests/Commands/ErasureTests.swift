import Foundation
import Testing

/// Erased means gone: from the database, its log, and whatever else lies in a home, on every node that heard of it.
struct ErasureTests {
    private static let words = ["quetzalcoatl", "xochiquetzal", "tezcatlipoca", "mictlantecuhtli"]

    /// A post with a title, two edits, written in an editor; and enough around it that pages split.
    private func write(on home: TestHome) throws -> String {
        for number in 0..<30 { try home.post("Acorn \(number) " + String(repeating: "nut ", count: 40)) }
        // Read by the shell, not executed itself: "text file busy" while another test's child still holds it open.
        try home.folder.write("echo \(Self.words[0]) > \"$1\"\n", to: "edit")
        let ended = try home.start(
            ["post", "--title", Self.words[1]],
            ["EDITOR": "sh '\(home.folder.file("edit"))'"],
            streams: .terminal(columns: 80)
        ).finish()
        try #require(ended.code == 0, "\(ended.out)")
        let id = try #require(try home.json("mine", "-n", "1").first?["id"] as? String)
        try home.succeed("edit", id, Self.words[2] + String(repeating: " long", count: 2_000))
        try home.succeed("edit", id, Self.words[3])
        for number in 0..<30 { try home.post("Nut \(number)") }
        return id
    }

    private func expectNothing(of homes: [TestHome], at location: SourceLocation = #_sourceLocation) throws {
        for home in homes {
            for word in Self.words {
                #expect(try Words.files(in: home, holding: word) == [], "\(word)", sourceLocation: location)
            }
        }
    }

    @Test func `Nothing of a deleted post is left in any file of two homes`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let first = try TestNode(hazel)
        try rowan.succeed("join", try first.address())
        let second = try TestNode(rowan)
        let id = try write(on: hazel)
        try Eventually.equal(hazel, rowan)
        // Read, answered and voted on: what a reader keeps must not hold the words either.
        try rowan.succeed("feed")
        try rowan.succeed("show", id, "--history")
        try rowan.succeed("reply", id, "Well said.")
        try rowan.succeed("vote", "up", id)
        try Eventually.equal(hazel, rowan)
        for home in [hazel, rowan] {
            for word in Self.words {
                #expect(try !Words.files(in: home, holding: word).isEmpty, "\(word) was never there")
            }
        }
        try hazel.succeed("delete", id)
        try Eventually.equal(hazel, rowan)
        // While both run: in the databases and their logs.
        try Eventually.holds("both files to be clean") {
            try [hazel, rowan].allSatisfy { home in
                try Self.words.allSatisfy { try Words.files(in: home, holding: $0).isEmpty }
            }
        }
        #expect(try first.stop() == 0)
        #expect(try second.stop() == 0)
        try expectNothing(of: [hazel, rowan])
        try rowan.succeed("rebuild")
        try expectNothing(of: [hazel, rowan])
        #expect(try rowan.json("feed", "-n", "1000").allSatisfy { $0["id"] as? String != id })
    }

    @Test func `Nothing is left where the delete comes by file, or is written without a node`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let id = try write(on: hazel)
        try rowan.succeed("import", try hazel.bundle("before"))
        #expect(try !Words.files(in: rowan, holding: Self.words[0]).isEmpty)
        try hazel.succeed("delete", id)
        try expectNothing(of: [hazel])
        try rowan.succeed("import", try hazel.bundle("after"))
        try expectNothing(of: [rowan])
    }

    @Test func `A node that dies at the delete leaves nothing once it has started again`() throws {
        let home = try TestHome(name: "hazel")
        let id = try write(on: home)
        let node = try TestNode(home)
        try home.succeed("delete", id)
        node.process.signal(SIGKILL)
        _ = try node.process.exitCode()
        let again = try TestNode(home)
        try Eventually.holds("a clean home") {
            try Self.words.allSatisfy { try Words.files(in: home, holding: $0).isEmpty }
        }
        #expect(try again.stop() == 0)
        try expectNothing(of: [home])
    }

    @Test func `What a reader held back goes with the node's end`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let id = try home.post(Self.words[0])
        // Reads until it is told to end, as somebody's backup does.
        let script = """
            import sqlite3, sys
            c = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True, isolation_level=None)
            c.execute('BEGIN'); c.execute('SELECT count(*) FROM entries').fetchall()
            print('reading', flush=True); sys.stdin.read()
            """
        let reader = try Spawned(
            ["-c", script, home.path + "/store.sqlite"],
            environment: ["PATH": "/usr/bin:/bin"],
            program: "/usr/bin/python3"
        )
        try reader.wait(for: "reading")
        try home.succeed("delete", id)
        #expect(try !Words.files(in: home, holding: Self.words[0]).isEmpty)
        reader.closeInput()
        #expect(try reader.finish().code == 0)
        #expect(try node.stop() == 0)
        try expectNothing(of: [home])
    }
}
