import Foundation
import Testing

@testable import scurry

/// `feed`, `show`, `mine`, `who`, `channel`, `follow`.
struct ReadingCommandsTests {
    @Test func `Newest first, and pages that neither skip nor repeat`() throws {
        let home = try TestHome(name: "hazel")
        let ids = try (1...7).map { try home.post("post \($0)") }
        #expect(try home.json("feed").compactMap { $0["id"] as? String } == ids.reversed())
        var seen: [String] = []
        var before: [String] = []
        while true {
            let page = try home.run(["feed", "-n3", "--json"] + before)
            let rows = try JSONLines.parse(page.out).compactMap { $0["id"] as? String }
            guard let last = rows.last else { break }
            seen += rows
            before = ["--before", last]
        }
        #expect(seen == ids.reversed())
        #expect(try home.json("mine").compactMap { $0["id"] as? String } == ids)
        #expect(try home.json("mine", "-n", "2").compactMap { $0["id"] as? String } == Array(ids.suffix(2)))
    }

    @Test func `The page says what to type for the next one`() throws {
        let home = try TestHome(name: "hazel")
        for number in 1...3 { try home.post("post \(number)", "-c", "cs193") }
        let text = try home.succeed("feed", "-n", "2", "-c", "cs193")
        let last = try #require(text.split(separator: "\n").last)
        #expect(last.hasPrefix(" older: scurry feed -c cs193 -n 2 --before "))
        let command = last.dropFirst(" older: scurry ".count).split(separator: " ").map(String.init)
        #expect(try home.run(command).out.contains("post 1"))
    }

    @Test func `A row of JSON has its fields in one order`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("text")
        let line = try home.succeed("feed", "--json").dropLast()
        #expect(
            JSONLines.keys(line) == [
                "id", "author", "name", "tag", "own", "time", "channels", "state", "title", "text", "dropped", "parent",
                "root", "up", "down", "vote", "replies", "log", "sequence", "place", "unread",
            ]
        )
        let row = try #require(try JSONLines.parse(String(line)).first)
        let time = try #require(row["time"] as? String)
        #expect(time.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil)
        #expect((row["id"] as? String)?.count == 52)
        #expect((row["author"] as? String)?.count == 52)
    }

    @Test func `Channel, person and time choose what is shown`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("of hazel", "-c", "cs193")
            try rowan.post("of rowan", "-c", "cs193", "-c", "squirrels")
        }
        _ = hazel
        let texts = { (arguments: [String]) in
            try JSONLines.parse(try rowan.run(["feed", "--json"] + arguments).out).compactMap { $0["text"] as? String }
        }
        #expect(try texts(["-c", "squirrels"]) == ["of rowan"])
        #expect(try texts(["-c", "cs193"]).count == 2)
        #expect(try texts(["--from", "hazel"]) == ["of hazel"])
        #expect(try texts(["--from", "hazel", "-c", "squirrels"]).isEmpty)
        #expect(try texts(["--since", "1h"]).count == 2)
        #expect(try texts(["--since", "2099-01-01"]).isEmpty)
        #expect(try texts(["--following"]).isEmpty)
        #expect(try rowan.told("follow", "hazel").hasPrefix("following hazel ~"))
        #expect(try texts(["--following"]) == ["of hazel"])
        #expect(try rowan.told("follow", "@hazel").hasPrefix("you follow hazel ~"))
        let row = try #require(try rowan.json("who", "hazel").first)
        #expect(row["following"] as? Bool == true)
        #expect(row["followers_seen"] as? Int == 1)
        #expect(try rowan.told("unfollow", "hazel").hasPrefix("no longer following hazel ~"))
        #expect(try texts(["--following"]).isEmpty)
        #expect(try rowan.told("unfollow", "hazel").hasPrefix("you do not follow hazel ~"))
    }

    @Test func `A time that nobody understands is a usage error with the forms`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("feed", "--since", "teatime"),
            64,
            "--since does not understand teatime",
            hint: "scurry feed --since 2h; it takes 2h, yesterday, 2026-11-20 or 2026-11-20T10:00"
        )
        expectFailure(
            try home.run("feed", "--since", "-teatime"),
            64,
            "--since does not understand -teatime",
            hint: "scurry feed --since 2h; it takes 2h, yesterday, 2026-11-20 or 2026-11-20T10:00"
        )
        expectFailure(
            try home.run("feed", "-n", "0"),
            64,
            "-n takes a number from 1 to 10000",
            hint: "scurry feed -h"
        )
        expectFailure(
            try home.run("feed", "--following", "--from", "x"),
            64,
            "--following and --from exclude each other",
            hint: "scurry feed -h"
        )
        expectFailure(
            try home.run("feed", "--follow", "--before", "x"),
            64,
            "--follow and --before exclude each other",
            hint: "scurry feed -h"
        )
    }

    @Test func `Time that goes back may have a minus before it`() throws {
        let home = try TestHome(name: "hazel")
        for number in 1...3 { try home.post("post \(number)") }
        for since in [["--since", "-2h"], ["--since=-2h"], ["--since", "-3d"]] {
            #expect(try home.run(["feed", "--json"] + since).out.split(separator: "\n").count == 3, "\(since)")
        }
        let page = try home.succeed("feed", "--since", "-2h", "-n", "1")
        let command = try #require(page.split(separator: "older: scurry ").last).split(whereSeparator: \.isWhitespace)
        #expect(command.starts(with: ["feed", "--since", "-2h", "-n", "1", "--before"]), "\(page)")
        #expect(try home.run(command.map(String.init)).out.contains("post 2"))
        #expect(try home.run("export", "--since", "-2h").code == 0)
    }

    @Test func `A page of a time says that older ones are outside of it, and how to read on there`() throws {
        let home = try TestHome(name: "hazel")
        let first = try home.post("the first", "-c", "cs193")
        let second = try home.post("the second", "-c", "cs193")
        let time = try #require(try home.json("show", second).first?["time"] as? String)
        let page = try home.succeed("feed", "-c", "cs193", "-n", "5", "--since", time)
        let ids = ShortID.prefixes(of: [second, first])
        let command = "scurry feed -c cs193 -n 5 --before \(try #require(ids.first))"
        #expect(page.hasSuffix("\n nothing older in that time\n before that: \(command)\n"), "\(page)")
        #expect(!page.contains("the first"))
        #expect(try home.run(command.split(separator: " ").dropFirst().map(String.init)).out.contains("the first"))
        let beyond = try home.succeed("feed", "-c", "cs193", "--since", time, "--before", second)
        #expect(beyond.hasPrefix(" Nothing older in that time.\n next: scurry feed -c cs193 --before "), "\(beyond)")
        // Where nothing is outside of it, it is the end.
        let all = try home.succeed("feed", "--since", "1h")
        #expect(all.hasSuffix("\n nothing older\n") && !all.contains("before that"))
    }

    @Test(arguments: [40, 60, 80])
    func `A list of channels fits the terminal`(columns: Int) throws {
        let home = try TestHome(name: "hazel")
        let long = String(repeating: "x", count: 32)
        for channel in [long, "cs193"] {
            try home.post("text", "-c", channel)
            try home.succeed("channel", "join", channel)
        }
        try home.succeed("channel", "use", long)
        let text = try home.run(["channel", "list"], ["COLUMNS": "\(columns)"]).out
        for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        for word in ["#\(long)", "#cs193", "1 post, latest ", "joined", "in use"] {
            #expect(text.contains(word), "\(text)")
        }
    }

    @Test func `Nothing to show says so and names the next command`() throws {
        let home = try TestHome(name: "hazel")
        #expect(
            try home.succeed("feed") == """
                 No posts yet.
                 next: scurry post "Hello, campus"
                 No peers yet: nobody else's posts can arrive.
                 next: scurry join HOST:7776

                """
        )
        #expect(try home.succeed("feed", "-c", "x") == " No posts in #x yet.\n next: scurry post -c x \"Hello\"\n")
        #expect(try home.succeed("feed", "--following").hasPrefix(" Nothing from people you follow.\n"))
        #expect(try home.succeed("peers").hasPrefix(" No peers yet"))
        #expect(try home.succeed("mine").hasPrefix(" No posts yet."))
        #expect(try home.succeed("channel", "list").hasPrefix(" No channels yet."))
        #expect(
            try home.told("channel", "join", "sqirrels").hasPrefix("joined #sqirrels, where nobody has posted yet; ")
        )
        try home.succeed("channel", "join", "acorns")
        let id = try home.post("only")
        #expect(try home.succeed("feed") == " No posts in channels you joined yet.\n next: scurry feed --all\n")
        try home.succeed("channel", "use", "nosuch")
        #expect(
            try home.succeed("feed", "--following")
                == " Nothing from people you follow in #nosuch yet.\n next: scurry feed --following --all\n"
        )
        try home.succeed("channel", "use")
        for name in ["sqirrels", "acorns"] { try home.succeed("channel", "leave", name) }
        #expect(try home.succeed("feed", "--before", id) == " Nothing older.\n next: scurry feed\n")
        #expect(try home.succeed("feed", "--since", "2099-01-01").hasPrefix(" Nothing new."))
        for command in [["feed", "-c", "y"], ["peers"]] {
            #expect(try home.run(command + ["--json"]).out.isEmpty)
        }
    }

    @Test func `What others wrote is unread until it was shown`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            try hazel.post("one")
            try hazel.post("two")
        }
        _ = hazel
        #expect(try rowan.succeed().contains("two"))
        #expect(try rowan.succeed("feed", "--json").contains("two"))
        let first = try rowan.succeed("feed")
        #expect(first.contains("2 unread"))
        #expect(first.components(separatedBy: "• ").count == 3)
        let second = try rowan.succeed("feed")
        #expect(!second.contains("unread") && !second.contains("• "))
        #expect(try rowan.succeed().contains("Nothing new."))
    }

    @Test func `A channel in use and the joined ones choose what feed shows, and outlive a restart`() throws {
        let home = try TestHome(name: "hazel")
        for channel in ["a", "b", "c"] { try home.post("in \(channel)", "-c", channel) }
        #expect(try home.json("feed").count == 3)
        #expect(try home.told("channel", "join", "#A") == "joined #a; to read it alone: scurry feed -c a")
        #expect(try home.told("channel", "join", "a") == "you joined #a before")
        try home.succeed("channel", "join", "b")
        #expect(try home.json("feed").count == 2)
        #expect(try home.succeed("feed").hasPrefix(" channels you joined · newest first"))
        try home.succeed("channel", "use", "c")
        #expect(try home.json("feed").compactMap { $0["text"] as? String } == ["in c"])
        let rows = try home.json("channel", "list")
        #expect(rows.compactMap { $0["channel"] as? String } == ["c", "b", "a"])
        #expect(rows.compactMap { $0["joined"] as? Bool } == [false, true, true])
        #expect(rows.compactMap { $0["in_use"] as? Bool } == [true, false, false])
        #expect(try home.json("channel", "find", "B").compactMap { $0["channel"] as? String } == ["b"])
        expectFailure(
            try home.run("channel", "find", "zzz"),
            3,
            "no channel here holds zzz",
            hint: "scurry channel list"
        )
        try home.succeed("channel", "use")
        #expect(try home.told("channel", "leave", "b") == "left #b")
        expectFailure(try home.run("channel", "leave", "b"), 3, "you have not joined #b", hint: "scurry channel list")
        #expect(try home.json("feed").compactMap { $0["text"] as? String } == ["in a"])
    }

    @Test func `One post in several channels is shown once`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("everywhere", "-c", "a", "-c", "b")
        #expect(try home.json("feed").count == 1)
        #expect(try home.run(["feed", "--json", "-c", "a", "-c", "b"]).out.split(separator: "\n").count == 1)
    }

    @Test func `A reader who goes away ends the command quietly`() throws {
        let home = try TestHome(name: "hazel")
        for number in 1...3 { try home.post("post \(number) " + String(repeating: "long ", count: 5_000)) }
        let process = try home.start(["feed", "--json"])
        process.closeOutput()
        #expect(try process.exitCode() == 0)
    }

    @Test func `A live tail shows posts as they come, in JSON too, and ends with its reader`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("before")
        let text = try home.start(["feed", "--follow"])
        let json = try home.start(["feed", "--follow", "--json"])
        try text.wait(for: "before")
        try json.wait(for: "before")
        try home.post("while it runs")
        let shown = try text.wait(for: "while it runs")
        #expect(shown.contains(" everybody · oldest first") && !shown.contains("newest first"), "\(shown)")
        let lines = try JSONLines.parse(try json.wait(for: "while it runs"))
        #expect(lines.compactMap { $0["text"] as? String } == ["before", "while it runs"])
        text.closeOutput()
        json.closeOutput()
        #expect(try text.exitCode() == 0)
        #expect(try json.exitCode() == 0)
    }

    @Test func `A live tail shows edits and deletes of what it showed, and of nothing else`() throws {
        let home = try TestHome(name: "hazel")
        let old = try home.post("of old")
        let first = try home.post("the first", "-c", "cs193")
        let text = try home.start(["feed", "--follow", "-n", "1"])
        let json = try home.start(["feed", "--follow", "-n", "1", "--json"])
        for tail in [text, json] { try tail.wait(for: "the first") }
        let second = try home.post("the second")
        for tail in [text, json] { try tail.wait(for: "the second") }
        try home.succeed("edit", old, "seen by nobody")
        try home.succeed("edit", first, "edited once")
        for tail in [text, json] { try tail.wait(for: "edited once") }
        try home.succeed("edit", second, "edited, too")
        for tail in [text, json] { try tail.wait(for: "edited, too") }
        try home.succeed("delete", first)
        try text.wait(for: " · deleted\n")
        try json.wait(for: "\"state\":\"deleted\"")
        try home.post("the last")
        let shown = try text.wait(for: "the last")
        let rows = try JSONLines.parse(try json.wait(for: "the last"))
        for tail in [text, json] { tail.closeOutput() }

        #expect(!shown.contains("seen by nobody") && !shown.contains("of old"), "\(shown)")
        // Each stands below the heading that it had, with its id.
        let headings = shown.split(separator: "\n").filter { $0.contains(" hazel ") }
        #expect(headings.count == 6, "\(shown)")
        let ids = headings.map { String($0.dropFirst().prefix { $0 != " " }) }
        for (place, id) in [first, second, first, second, first].enumerated() {
            #expect(id.hasPrefix(ids[place]), "\(shown)")
        }
        #expect(headings.map { $0.contains(" · edited") } == [false, false, true, true, false, false], "\(shown)")
        #expect(headings[2].contains("#cs193"))
        #expect(rows.compactMap { $0["id"] as? String }.prefix(5) == [first, second, first, second, first])
        #expect(
            rows.compactMap { $0["state"] as? String }
                == ["posted", "posted", "edited", "edited", "deleted", "posted"]
        )
        #expect(rows.map { $0["changed"] as? Bool } == [false, false, true, true, true, false])
        #expect(rows[2]["text"] as? String == "edited once")
        #expect(rows[4]["text"] is NSNull)
        for tail in [text, json] { #expect(try tail.exitCode() == 0) }
    }

    @Test func `Of many edits of a post a live tail shows few, and the last one`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("before")
        let tail = try home.start(["feed", "--follow", "--json"])
        try tail.wait(for: "before")
        let began = Date()
        for number in 1...20 { try home.succeed("edit", id, "edit \(number).") }
        let rows = try JSONLines.parse(try tail.wait(for: "edit 20."))
        let seconds = Date().timeIntervalSince(began)
        let changes = rows.filter { $0["changed"] as? Bool == true }
        // One a second from the first on, and one for clocks that differ.
        #expect(Double(changes.count) <= seconds + 2, "\(changes.count) in \(seconds) s")
        #expect(changes.last?["text"] as? String == "edit 20.")
    }

    @Test func `A home that cannot be written is read all the same`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("readable")
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: home.path + "/reader.sqlite"))
        let ended = try home.run("feed")
        #expect(ended.code == 0)
        #expect(ended.out.contains("readable"))
        #expect(ended.err.hasPrefix("scurry: note: read marks and joined channels are out of reach"))
    }
}
