import Foundation
import Testing
import Transport

/// A home whose database the program before left.
struct EarlierVersionTests {
    private func database(_ home: TestHome) throws -> (code: Int32, row: [String: Any]) {
        let ended = try home.run("doctor", "--json")
        let row = try JSONLines.parse(ended.out).first { $0["id"] as? String == "database" }
        return (ended.code, try #require(row))
    }

    @Test func `Without a node it is no problem, and whatever comes next takes it over`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("an acorn")
        try home.leaveEarlierVersion()
        let (code, row) = try database(home)
        #expect(code == 0 && row["state"] as? String == "warn")
        #expect(
            row["text"] as? String == "of an earlier version: the next command copies it, and brings it up to date"
        )
        #expect(row["help"] as? String == "scurry feed, or scurry run")
        #expect(try home.texts() == ["an acorn"])
        #expect(try database(home).row["state"] as? String == "ok")
    }

    @Test func `A node that keeps it has to be ended first`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        // As the database of a node of the program before.
        try home.change("PRAGMA user_version = 4")
        let text = "the database is of an earlier version"
        let help = "end the node that runs, and start it again: scurry run"
        let (code, row) = try database(home)
        #expect(code == 1 && row["state"] as? String == "problem")
        #expect(row["text"] as? String == text && row["help"] as? String == help)
        expectFailure(try home.run("feed"), 75, text, hint: help)
        // An argument can be typed again.
        expectFailure(try home.run("post", "not kept"), 75, text, hint: help)
        try home.change("PRAGMA user_version = 6")
        #expect(try node.stop() == 0)
    }

    @Test func `Of several commands at once one takes it over, and the others wait`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("before")
        try home.leaveEarlierVersion()
        let posts = (0..<6).map { "at once \($0)" }
        let processes = try posts.map { try home.start(["post", $0]) }
        for process in processes {
            let ended = try process.finish()
            #expect(ended.code == 0, "\(ended.err)")
        }
        #expect(Set(try home.texts()) == Set(posts + ["before"]))
    }

    @Test func `Where another process has the home for too long, the text is kept`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("before")
        try home.leaveEarlierVersion()
        let lock = try HomeLock(HomeLayout(directory: home.path))
        let who = "another command (process \(ProcessInfo.processInfo.processIdentifier)) works on this home"
        let commands = [(["post", "-"], "post"), (["reply", id, "-"], "reply"), (["edit", id, "-"], "edit")]
        let processes = try commands.map { command, draft in
            let process = try home.start(command)
            process.send("of a pipe")
            process.closeInput()
            return (process, draft)
        }
        for (process, draft) in processes {
            expectFailure(
                try process.finish(),
                75,
                "\(who); the text is kept in \(home.path)/drafts/\(draft)",
                hint: "scurry status, and try again in a moment"
            )
            #expect(try home.folder.read("home/drafts/\(draft)") == "of a pipe")
        }
        withExtendedLifetime(lock) {}
    }

    @Test func `A text that was kept before its post was found goes once it is written`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("before")
        let drafts = "\(home.path)/drafts"
        try FileManager.default.createDirectory(
            atPath: drafts,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for command in ["reply", "edit"] {
            try home.folder.write("of a pipe", to: "home/drafts/\(command)")
            try home.succeed(command, id, "of a pipe")
            #expect(!FileManager.default.fileExists(atPath: "\(drafts)/\(command)"))
        }
    }
}
