import Entries
import Foundation
import Testing

@testable import scurry

struct PostCommandTests {
    @Test func `A post from the argument is in the next feed`() throws {
        let home = try TestHome(name: "hazel")
        let told = try home.told("post", "Caught this one.", "-c", "squirrels", "-c", "#CS193", "--title", "Look")
        let row = try #require(try home.json("feed").first)
        let id = try #require(row["id"] as? String)
        #expect(told == "posted \(id.prefix(4)) in #squirrels #cs193; saved, will spread when the node runs")
        #expect(row["text"] as? String == "Caught this one.")
        #expect(row["title"] as? String == "Look")
        #expect(row["channels"] as? [String] == ["squirrels", "cs193"])
        #expect(row["own"] as? Bool == true)
    }

    @Test(arguments: [[], ["-"]])
    func `A piped text is posted without its last line break`(arguments: [String]) throws {
        let home = try TestHome(name: "hazel")
        try home.run(["post"] + arguments, input: "two\nlines\n")
        #expect(try home.json("feed").first?["text"] as? String == "two\nlines")
    }

    @Test(arguments: [
        "/0", "a\u{0}b", "日本語\u{1F43F}\u{FE0F}", "\u{1B}[31mred\u{202E}", "tab\there", "e\u{301}\u{200D}",
    ])
    func `Any Unicode comes back as it went in`(text: String) throws {
        let home = try TestHome(name: "hazel")
        #expect(try home.run("post", input: text).code == 0)
        let back = try #require(try home.json("feed").first?["text"] as? String)
        #expect(Array(back.utf8) == Array(text.utf8))
    }

    @Test func `A title is one line that fits a terminal`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("text", "--title", String(repeating: "w", count: 200))
        let wide = String(repeating: "木", count: 101)
        let marked = "e" + String(repeating: "\u{301}", count: 512)
        for (title, why) in [
            ("two\nlines", "a title is one line, without control characters"),
            ("a bell\u{7}", "a title is one line, without control characters"),
            ("a separator\u{2028}", "a title is one line, without control characters"),
            (wide, "a title takes at most 200 columns, this one takes 202"),
            (marked, "a title takes at most 1024 bytes, this one takes 1025"),
        ] {
            let post = try home.run("post", "text", "--title", title)
            expectFailure(post, 64, why, hint: "scurry post \"TEXT\" --title \"TITLE\"")
            let edit = try home.run("edit", id, "--title", title)
            expectFailure(edit, 64, why, hint: "scurry edit \(id) \"TEXT\" --title \"TITLE\"")
        }
        #expect(try home.json("feed").count == 1)
        try home.succeed("edit", id, "--title", "木 👩‍👧 é")
        #expect(try home.json("feed").first?["title"] as? String == "木 👩‍👧 é")
    }

    @Test func `Nothing that a terminal obeys reaches a terminal`() throws {
        let home = try TestHome(name: "hazel")
        let text = "a\u{1B}[2Jb\u{202E}c\u{9B}31md\u{0}"
        try home.write(.post(try Post(salt: .fresh(), text: text, title: "t\u{1B}]0;x\u{7}\nu")))
        for command in [["feed"], ["feed", "--json"], ["mine"], ["show", "--color", "never"], []] {
            let id = try #require(try home.json("feed").first?["id"] as? String)
            let arguments = command.first == "show" ? command + [id] : command
            let text = try home.run(arguments, ["NO_COLOR": "1"]).out
            for scalar in text.unicodeScalars where scalar != "\n" {
                #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar != "\u{202E}")
            }
        }
    }

    @Test func `What the disk does not take is kept, and it is said where`() throws {
        let home = try TestHome(name: "hazel")
        let text = String(repeating: "long ", count: 5_000)
        // No file may grow above 36 KiB: the database does, the text does not.
        let limited = "trap '' XFSZ; ulimit -f 72; exec \"$0\" post"
        let process = try Spawned(
            ["-c", limited, ScurryProgram.path],
            environment: home.environment(),
            program: "/bin/sh"
        )
        process.send(text)
        process.closeInput()
        let ended = try process.finish()
        #expect(ended.code == 1)
        #expect(ended.err.contains("; the text is kept in \(home.path)/drafts/post\n"), "\(ended.err)")
        #expect(try String(contentsOfFile: home.path + "/drafts/post", encoding: .utf8) == text)
    }

    @Test(arguments: ["", "  \n\t "])
    func `An empty text is refused`(text: String) throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("post", input: text),
            64,
            "an empty text is not posted",
            hint: "scurry post \"TEXT\""
        )
        // A title alone is what somebody types, and not what is left of a pipe that gave nothing.
        expectFailure(
            try home.run("post", "--title", "Title", input: text),
            64,
            "an empty text is not posted",
            hint: "scurry post --title Title \"\" posts the title alone"
        )
        // What begins with a dash is typed as the parser takes it.
        expectFailure(
            try home.run("post", "--title=-x", "--channel=-a", "-c", "b", input: text),
            64,
            "an empty text is not posted",
            hint: "scurry post --channel=-a -c b --title=-x \"\" posts the title alone"
        )
        #expect(try home.json("feed").isEmpty)
        try home.succeed("post", text, "--title", "Title")
        #expect(try home.json("feed").first?["title"] as? String == "Title")
    }

    @Test func `64 KiB and one byte are refused before anything is written`() throws {
        let home = try TestHome(name: "hazel")
        let before = try home.json("status").first?["entries"] as? Int
        let text = String(repeating: "x", count: 65_537)
        let refused = try home.run("post", input: text)
        #expect(refused.code == 64)
        let kept = "the text is kept in \(home.path)/drafts/post"
        let told = "scurry: error: the text takes 65537 bytes, there is room for "
        #expect(refused.err.hasPrefix(told) && refused.err.contains("; \(kept)\n"), "\(refused.err)")
        #expect(try home.json("status").first?["entries"] as? Int == before)
        // There is as much room as it says.
        let room = try #require(Int(refused.err.dropFirst(told.count).prefix { $0 != ";" }))
        #expect(try home.run("post", input: String(repeating: "x", count: room + 1)).code == 64)
        #expect(try home.run("post", input: String(repeating: "x", count: room)).code == 0)
    }

    @Test func `Several words without quotes are a usage error that shows the quotes`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("post", "Hello", "campus"),
            64,
            "a text of several words needs quotes",
            hint: "scurry post 'Hello campus'"
        )
    }

    @Test func `Standard input that is not UTF-8 is refused`() throws {
        let home = try TestHome(name: "hazel")
        try Data([0x66, 0xFF]).write(to: URL(fileURLWithPath: home.folder.file("bytes")))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "\"$0\" post - < \"$1\"", ScurryProgram.path, home.folder.file("bytes")]
        shell.environment = home.environment()
        let pipe = Pipe()
        shell.standardError = pipe
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 64)
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text == "scurry: error: standard input is not UTF-8\nhint: iconv -t UTF-8 | scurry post -\n")
    }

    @Test func `An argument that is not UTF-8 is refused`() throws {
        let home = try TestHome(name: "hazel")
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "\"$0\" post \"$(printf 'caf\\351')\"", ScurryProgram.path]
        shell.environment = home.environment()
        let pipe = Pipe()
        shell.standardError = pipe
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 64)
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        let hint = "locale charmap tells what this terminal writes; mv gives a file another name"
        #expect(text == "scurry: error: an argument is not UTF-8\nhint: \(hint)\n")
        #expect(try home.json("feed").isEmpty)
    }

    @Test func `A bad channel is named`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("post", "x", "-c", "no spaces"),
            64,
            "the value 'no spaces' is invalid for '-c CHANNEL': a channel's name has 1 to 32 of a-z, 0-9 and -",
            hint: "scurry post -h"
        )
    }

    @Test func `A channel that is named twice counts once, and eight are enough`() throws {
        let home = try TestHome(name: "hazel")
        let eight = (1...8).flatMap { ["-c", "c\($0)"] }
        #expect(try home.run(["post", "x"] + eight + ["-c", "C1"]).code == 0)
        #expect(try home.json("feed").first?["channels"] as? [String] == (1...8).map { "c\($0)" })
        expectFailure(
            try home.run(["post", "x"] + eight + ["-c", "c9"]),
            64,
            "a post is in at most 8 channels",
            hint: "scurry post -h"
        )
        #expect(try home.run("post", "-h").out.contains("up to 8"))
    }

    @Test func `The channel in use takes the post`() throws {
        let home = try TestHome(name: "hazel")
        try home.succeed("channel", "use", "cs193")
        #expect(try home.told("post", "x").contains(" in #cs193;"))
        #expect(try home.json("feed").first?["channels"] as? [String] == ["cs193"])
    }

    @Test func `On a terminal the editor writes the post, and an empty file posts nothing`() throws {
        let home = try TestHome(name: "hazel")
        try Script.write("#!/bin/sh\nprintf 'from the editor\\n' > \"$1\"\n", to: home.folder.file("edit"))
        let editor = ["EDITOR": home.folder.file("edit")]
        let posted = try home.start(["post"], editor, streams: .terminal(columns: 80)).finish()
        #expect(posted.code == 0, "\(posted.out)")
        #expect(try home.json("feed").first?["text"] as? String == "from the editor")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/drafts").isEmpty)
        let empty = try home.start(["post"], ["EDITOR": "true"], streams: .terminal(columns: 80)).finish()
        #expect(empty.code == 64)
        #expect(empty.out.contains("nothing was written, nothing is posted"))
    }

    @Test func `An editor that dies keeps the draft`() throws {
        let home = try TestHome(name: "hazel")
        try Script.write("#!/bin/sh\nprintf 'half a' > \"$1\"; kill -9 $$\n", to: home.folder.file("edit"))
        let editor = ["EDITOR": home.folder.file("edit")]
        let typed = ["post", "-c", "cs193", "--title", "Midterm's room"]
        let ended = try home.start(typed, editor, streams: .terminal(columns: 200)).finish()
        #expect(ended.code == 1)
        #expect(ended.out.contains("the draft is kept in"))
        #expect(ended.out.contains("scurry post -c cs193 --title 'Midterm'\\''s room' opens it again"), "\(ended.out)")
        #expect(try String(contentsOfFile: home.path + "/drafts/post", encoding: .utf8) == "half a")
    }

    @Test func `A draft beside the first that was kept is opened again`() throws {
        let home = try TestHome(name: "hazel")
        try FileManager.default.createDirectory(atPath: home.path + "/drafts", withIntermediateDirectories: true)
        for (name, text) in [("post-3", "the third"), ("post-2", ""), ("post-12", "twelve"), ("post-x", "none")] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/drafts/" + name))
        }
        let finish = ["EDITOR": "sed -i 's/[a-z]$/&!/'"]
        let post = { try home.start(["post"], finish, streams: .terminal(columns: 200)).finish() }
        let first = try post()
        #expect(first.code == 0 && first.out.contains("opened: the draft that was kept in \(home.path)/drafts/post-3"))
        #expect(try post().code == 0)
        #expect(try home.json("feed").compactMap { $0["text"] as? String } == ["twelve!", "the third!"])
        #expect(try post().code == 64)
    }

    @Test func `A draft of another day that the editor left as it was is posted by a yes alone`() throws {
        let home = try TestHome(name: "hazel")
        try FileManager.default.createDirectory(atPath: home.path + "/drafts", withIntermediateDirectories: true)
        let draft = home.path + "/drafts/post"
        try Data("of another day".utf8).write(to: URL(fileURLWithPath: draft))
        let answer = { (text: String) in
            let post = try home.start(["post"], ["EDITOR": "true"], streams: .terminal(columns: 200))
            _ = try post.wait(for: "Post it? [y/N] ")
            post.send(text)
            return try post.finish()
        }
        let refused = try answer("\n")
        #expect(refused.code == 7, "\(refused.out)")
        #expect(refused.out.contains("nothing is posted: the draft is as it was kept in \(draft)"), "\(refused.out)")
        #expect(try home.json("feed").isEmpty)
        #expect(try answer("y\n").code == 0)
        #expect(try home.json("feed").compactMap { $0["text"] as? String } == ["of another day"])
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test func `A home that nobody made says how to make one`() throws {
        let home = try TestHome()
        expectFailure(
            try home.run("post", "x"),
            1,
            "there is no home at \(home.path)",
            hint: "scurry init --name NAME"
        )
    }

    @Test func `With a running node the post is there at once, and says nothing of later`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let told = try home.told("post", "live")
        #expect(told.hasPrefix("posted ") && !told.contains("saved"))
        #expect(try home.json("feed").count == 1)
        #expect(try node.stop() == 0)
    }

    @Test func `Reading never waits for a node that hangs`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        node.process.signal(SIGSTOP)
        defer { node.process.signal(SIGCONT) }
        let began = Date()
        #expect(try home.run("feed").code == 0)
        #expect(Date().timeIntervalSince(began) < 5)
    }

    /// The parser takes any letter h behind a dash for a wish for help.
    @Test(arguments: ["-hello there", "-shh", "-h5"])
    func `A text that begins with a dash is not taken for a wish for help`(text: String) throws {
        let home = try TestHome(name: "hazel")
        let ended = try home.run("post", text)
        #expect(ended.code == 64 && ended.out.isEmpty)
        let hint = "hint: put -- before a text that begins with a dash: scurry post -- "
        #expect(ended.err.contains("unknown option '\(text)'\n\(hint)"))
        #expect(try home.json("feed").isEmpty)
        try home.succeed("post", "--", text)
        #expect(try home.json("feed").first?["text"] as? String == text)
        #expect(try home.run("post", "-h").out.hasPrefix("usage: scurry post"))
    }
}
