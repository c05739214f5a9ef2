import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// No text that somebody wrote is lost, and none is posted twice because the program said the wrong thing.
struct KeptTextTests {
    /// The program in a shell, which gives it streams that no test can.
    private func shell(_ line: String, on home: TestHome, input: String = "") throws -> Spawned.Ended {
        let process = try Spawned(
            ["-c", line, ScurryProgram.path],
            environment: home.environment(),
            program: "/bin/sh"
        )
        process.send(input)
        process.closeInput()
        return try process.finish()
    }

    private func drafts(_ home: TestHome) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path + "/drafts").sorted()
    }

    private func draft(_ home: TestHome, _ name: String) throws -> String {
        try String(contentsOfFile: home.path + "/drafts/" + name, encoding: .utf8)
    }

    /// An editor that writes its own number, and goes on when all are open.
    private func patientEditor(_ home: TestHome) throws -> [String: String] {
        let script = """
            #!/bin/sh
            echo "by editor $$" > "$1"
            : > '\(home.folder.path)/open'.$$
            while [ ! -e '\(home.folder.path)/go' ]; do sleep 0.05; done
            """
        try Script.write(script, to: home.folder.file("edit"))
        return ["EDITOR": home.folder.file("edit")]
    }

    private func awaitEditors(_ count: Int, _ home: TestHome) throws {
        try Eventually.holds("\(count) editors") {
            let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path)
            return names.filter { $0.hasPrefix("open.") }.count == count
        }
    }

    @Test func `Two editors at once are two posts`() throws {
        let home = try TestHome(name: "hazel")
        let variables = try patientEditor(home)
        let editors = try (0..<2).map { _ in
            try home.start(["post"], variables, streams: .terminal(columns: 80))
        }
        try awaitEditors(2, home)
        try home.folder.write("", to: "go")
        for editor in editors {
            let ended = try editor.finish()
            #expect(ended.code == 0, "\(ended.out)")
        }
        let texts = try home.json("feed").compactMap { $0["text"] as? String }
        #expect(Set(texts).count == 2 && texts.allSatisfy { $0.hasPrefix("by editor ") }, "\(texts)")
        #expect(try drafts(home).isEmpty)
    }

    @Test func `What is kept while an editor is open is kept beside its draft`() throws {
        let home = try TestHome(name: "hazel")
        let editor = try home.start(["post"], try patientEditor(home), streams: .terminal(columns: 80))
        try awaitEditors(1, home)
        let refused = try home.run("post", "-", input: String(repeating: "x", count: 70_000))
        #expect(refused.code == 64)
        #expect(refused.err.contains("; the text is kept in \(home.path)/drafts/post-2\n"), "\(refused.err)")
        try home.folder.write("", to: "go")
        #expect(try editor.finish().code == 0)
        #expect(try home.json("feed").count == 1)
        #expect(try drafts(home) == ["post-2"])
    }

    @Test func `A text from the editor that is too long is kept, and it is said where`() throws {
        let home = try TestHome(name: "hazel")
        let script = "#!/bin/sh\nhead -c 70000 /dev/zero | tr '\\0' x > \"$1\"\n"
        try Script.write(script, to: home.folder.file("edit"))
        let ended = try home.start(
            ["post"],
            ["EDITOR": home.folder.file("edit")],
            streams: .terminal(columns: 200)
        ).finish()
        #expect(ended.code == 64)
        #expect(ended.out.contains("the text is kept in \(home.path)/drafts/post"), "\(ended.out)")
        #expect(try draft(home, "post").count == 70_000)
    }

    @Test func `More than can be read is not called by what was read of it`() throws {
        let home = try TestHome(name: "hazel")
        let ended = try home.run("post", "-", input: String(repeating: "x", count: 262_145))
        expectFailure(
            ended,
            64,
            "the text takes more than 262144 bytes, a post has room for some 65,500",
            hint: "split it: scurry post the first part, then scurry reply ID the rest"
        )
    }

    @Test func `What was piped into a locked home is kept`() throws {
        let home = try TestHome(name: "hazel")
        try home.folder.write("open sesame\n", to: "passphrase")
        chmod(home.folder.file("passphrase"), 0o600)
        let id = try home.post("before")
        try home.succeed("lock", "--yes", "--passphrase-file", home.folder.file("passphrase"))
        for (command, name) in [(["post"], "post"), (["reply", id, "-"], "reply-\(id.prefix(16))")] {
            let ended = try home.run(command, input: "piped into \(name)\n")
            expectFailure(
                ended,
                4,
                "the key of this device is locked; the text is kept in \(home.path)/drafts/\(name)",
                hint: "scurry unlock"
            )
            #expect(try draft(home, name) == "piped into \(name)")
        }
    }

    @Test func `What was typed into a locked home is kept, and the next post opens it`() throws {
        let home = try TestHome(name: "hazel")
        try home.folder.write("open sesame\n", to: "passphrase")
        chmod(home.folder.file("passphrase"), 0o600)
        try home.succeed("lock", "--yes", "--passphrase-file", home.folder.file("passphrase"))
        expectFailure(
            try home.run("post", "long thought about"),
            4,
            "the key of this device is locked; the text is kept in \(home.path)/drafts/post",
            hint: "scurry unlock"
        )
        #expect(try draft(home, "post") == "long thought about")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "no file system in memory"))
    func `A kept text that is posted after all is not kept any longer`() throws {
        let home = try TestHome(name: "hazel")
        try home.folder.write("open sesame\n", to: "passphrase")
        chmod(home.folder.file("passphrase"), 0o600)
        let id = try home.post("before")
        try home.succeed("lock", "--yes", "--passphrase-file", home.folder.file("passphrase"))
        let commands = [["post", "one"], ["post", "two"], ["reply", id, "yes"], ["edit", id, "after"]]
        for command in commands { #expect(try home.run(command).code == 4) }
        let place = String(id.prefix(16))
        #expect(try drafts(home) == ["edit-\(place)", "post", "post-2", "reply-\(place)"])
        try home.succeed("unlock", "--passphrase-file", home.folder.file("passphrase"))
        for command in commands where command != ["post", "one"] { #expect(try home.run(command).code == 0) }
        #expect(try drafts(home) == ["post"])
        try home.succeed("post", "-", input: "one\n")
        #expect(try drafts(home).isEmpty)
        try home.succeed("lock", "--yes")
    }

    @Test func `Where very many texts are kept the next one is printed`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        try FileManager.default.createDirectory(atPath: hub.path + "/drafts", withIntermediateDirectories: true)
        for number in 1...32 {
            let name = number == 1 ? "post" : "post-\(number)"
            try hub.folder.write("text \(number)", to: "home/drafts/\(name)")
        }
        let ended = try hub.run("post", input: "one more\nof two lines\n")
        expectFailure(
            ended.err.hasPrefix("one more\nof two lines\n")
                ? Spawned.Ended(code: ended.code, out: ended.out, err: String(ended.err.dropFirst(22))) : ended,
            7,
            "this home is a hub: it has no person; the text could not be kept: it stands above",
            hint: "SCURRY_HOME=DIR scurry init --name NAME makes a home for you"
        )
        #expect(try drafts(hub).count == 32)
        // A text that is kept already is there.
        let again = try hub.run("post", input: "text 7\n")
        #expect(again.err.contains("the text is kept in \(hub.path)/drafts/post-7\n"), "\(again.err)")
    }

    /// A home whose draft is Latin-1, and what `post` on a terminal says with this editor.
    private func postLatin(_ home: TestHome, editor: String) throws -> Spawned.Ended {
        try FileManager.default.createDirectory(atPath: home.path + "/drafts", withIntermediateDirectories: true)
        let draft = FileManager.default.createFile(
            atPath: home.path + "/drafts/post",
            contents: Data("caf".utf8) + Data([0xE9, 0xFF])
        )
        try #require(draft)
        try Script.write("#!/bin/sh\n\(editor)\n", to: home.folder.file("edit"))
        return try home.start(
            ["post"],
            ["EDITOR": home.folder.file("edit")],
            streams: .terminal(columns: 400)
        ).finish()
    }

    @Test func `A draft that is not UTF-8 is opened, so that the editor can mend it`() throws {
        let home = try TestHome(name: "hazel")
        let ended = try postLatin(home, editor: "[ \"$(wc -c < \"$1\")\" -eq 5 ] && echo mended > \"$1\"")
        #expect(ended.code == 0, "\(ended.out)")
        #expect(ended.out.contains("drafts/post; it is not UTF-8, and is not posted until it is"), "\(ended.out)")
        #expect(try home.texts() == ["mended"])
        #expect(try drafts(home).isEmpty)
    }

    @Test func `A draft that stays what is not UTF-8 is kept, and a hint shows what can be read of it`() throws {
        let home = try TestHome(name: "hazel")
        let ended = try postLatin(home, editor: ":")
        #expect(ended.code == 1, "\(ended.out)")
        let path = home.path + "/drafts/post"
        #expect(ended.out.contains("the draft is not UTF-8, and is kept in \(path)"), "\(ended.out)")
        let command = "iconv -c -f UTF-8 -t UTF-8 "
        // On a terminal the mark before it is in bold.
        #expect(ended.out.contains(command), "\(ended.out)")
        #expect(FileManager.default.contents(atPath: path)?.count == 5)
        // Another text that cannot be posted finds a place beside it.
        let refused = try home.run("post", "-", input: String(repeating: "x", count: 70_000))
        #expect(refused.err.contains("; the text is kept in \(path)-2\n"), "\(refused.err)")
    }

    @Test func `What was piped into a command that fails before it reads is kept`() throws {
        let home = try TestHome(name: "hazel")
        let rowan = try TestHome(name: "rowan")
        let foreign = try rowan.post("by rowan")
        try home.succeed("import", try rowan.bundle("1"))
        let commands: [([String], Int32, String)] = [
            (["post", "--title", "a\nb"], 64, "post"),
            (["post", "--title", "e" + String(repeating: "\u{301}", count: 600)], 64, "post"),
            (["post"] + Self.nineChannels, 64, "post"),
            (["reply", "zzzz"], 3, "reply"),
            (["edit", "zzzz", "-"], 3, "edit"),
            (["edit", foreign, "-"], 7, "edit"),
            (["edit", "zzzz", "-", "--title", "a\nb"], 64, "edit"),
        ]
        for (command, code, name) in commands {
            let ended = try home.run(command, input: "piped into \(name)\n")
            #expect(ended.code == code, "\(command): \(ended.err)")
            #expect(ended.err.contains("; the text is kept in \(home.path)/drafts/\(name)\n"), "\(ended.err)")
            #expect(try draft(home, name) == "piped into \(name)")
        }
        // A text that was typed can be typed again.
        let typed = try home.run("reply", "zzzz", "typed")
        #expect(typed.code == 3 && !typed.err.contains("kept"), "\(typed.err)")
        // What a loop reads its lines from is not for a new title.
        let title = try home.run("edit", "zzzz", "--title", "T", input: "the next line\n")
        #expect(title.code == 3 && !title.err.contains("kept"), "\(title.err)")
        #expect(try drafts(home) == ["edit", "post", "reply"])
    }

    private static let nineChannels = (1...9).flatMap { ["-c", "c\($0)"] }

    @Test func `What was piped into a hub is kept`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        expectFailure(
            try hub.run("post", input: "piped into a hub\n"),
            7,
            "this home is a hub: it has no person; the text is kept in \(hub.path)/drafts/post",
            hint: "SCURRY_HOME=DIR scurry init --name NAME makes a home for you"
        )
        #expect(try draft(hub, "post") == "piped into a hub")
    }

    @Test func `Channels are counted before an editor is opened`() throws {
        let home = try TestHome(name: "hazel")
        try Script.write("#!/bin/sh\n: > '\(home.folder.file("opened"))'\n", to: home.folder.file("edit"))
        let ended = try home.start(
            ["post"] + Self.nineChannels,
            ["EDITOR": home.folder.file("edit")],
            streams: .terminal(columns: 80)
        ).finish()
        #expect(ended.code == 64 && ended.out.contains("a post is in at most 8 channels"), "\(ended.out)")
        #expect(!FileManager.default.fileExists(atPath: home.folder.file("opened")))
    }

    @Test func `What a node that hangs had not begun is never written, and nobody is told to kill it`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let process = try #require(try home.json("status").first?["process"] as? Int)
        node.process.signal(SIGSTOP)
        let ended = try home.run("post", "not lost, not twice")
        node.process.signal(SIGCONT)
        let kept = "the draft is kept in \(home.path)/drafts/post"
        expectFailure(
            ended,
            75,
            "the node (process \(process)) does not answer, it may have been written or not; \(kept)",
            hint: "scurry mine shows whether it was, scurry status whether the node answers again"
        )
        #expect(try draft(home, "post") == "not lost, not twice")
        // Requests are answered in the order in which they came.
        try home.post("afterwards")
        #expect(try home.json("mine").compactMap { $0["text"] as? String } == ["afterwards"])
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no device that is full"),
        arguments: [["post", "x"], ["reply", "ID", "x"], ["edit", "ID", "x"], ["vote", "up", "ID"]]
    )
    func `What was written although nobody can be told is partly done`(command: [String]) throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("first")
        let words = command.map { $0 == "ID" ? id : $0 }.joined(separator: " ")
        let full = try shell("exec \"$0\" \(words) --json > /dev/full", on: home)
        #expect(full.code == 6, "\(full.err)")
        #expect(full.err.contains("; but cannot write to standard output: No space left on device\n"), "\(full.err)")
        let closed = try shell("exec \"$0\" \(words) --json >&-", on: home)
        #expect(closed.code == (["edit", "vote"].contains(command[0]) ? 1 : 6), "\(closed.err)")
        #expect(closed.err.contains("standard output is closed\n"), "\(closed.err)")
    }

    @Test func `A script that takes standard output gets the id of the post, a terminal does not`() throws {
        let home = try TestHome(name: "hazel")
        let posted = try home.run("post", "one")
        let id = try #require(try home.json("mine").last?["id"] as? String)
        #expect(posted.out == id + "\n" && posted.err.hasPrefix("posted \(id.prefix(4))"))
        let answered = try home.run("reply", id, "two")
        #expect(answered.out == "\(try #require(try home.json("mine").last?["id"] as? String))\n")
        for _ in 0..<2 { #expect(try home.run("edit", id, "three").out == id + "\n") }
        #expect(try home.run("vote", "up", id).out.isEmpty)
        let seen = try home.start(["post", "four"], streams: .terminal(columns: 80)).finish().out
        #expect(seen.hasPrefix("posted ") && seen.split(separator: "\n").count <= 2, "\(seen)")
        let full = try shell("exec \"$0\" post five > /dev/full", on: home)
        #expect(full.code == 6, "\(full.err)")
    }

    @Test func `Standard streams that are closed are nobody else's`() throws {
        let home = try TestHome(name: "hazel")
        let unread = try shell("exec \"$0\" post - <&-", on: home)
        #expect(unread.code == 1)
        #expect(unread.err.contains("cannot read standard input: Bad file descriptor"), "\(unread.err)")
        for closed in ["2>&-", ">&- 2>&-", ">&-"] {
            #expect(try shell("exec \"$0\" post 'nobody is told' \(closed)", on: home).code == 0)
        }
        #expect(try home.json("mine").count == 3)
        let node = try Spawned(
            ["-c", "exec \"$0\" run --listen 127.0.0.1:0 <&- >&-", ScurryProgram.path],
            environment: home.environment(),
            program: "/bin/sh"
        )
        try node.wait(for: "listens on", in: .err)
        let process = try #require(try home.json("status").first?["process"] as? Int)
        for stream in 0..<2 where FileManager.default.fileExists(atPath: "/proc/self/fd") {
            let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(stream)")
            #expect(file == "/dev/null")
        }
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
    }
}
