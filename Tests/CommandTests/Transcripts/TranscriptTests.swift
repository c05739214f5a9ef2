import Foundation
import Testing

struct TranscriptTests {
    static let widths = [40, 80, 120]

    @Test func `First run`() throws {
        for columns in TranscriptTests.widths {
            let home = try TestHome()
            var transcript = Transcript(columns: columns)
            try transcript.type(on: home)
            try transcript.type("feed", on: home)
            try transcript.type("init", "--name", "hazel", "--words-to", home.folder.file("words"), on: home)
            try transcript.type("whoami", on: home)
            try transcript.type(on: home)
            try transcript.know(home)
            transcript.hide(home.folder.path, as: "FOLDER")
            try transcript.expect("first-run-\(columns)")
        }
    }

    @Test func `No peers, and an empty feed`() throws {
        let home = try TestHome(name: "hazel")
        for columns in TranscriptTests.widths {
            var transcript = Transcript(columns: columns)
            try transcript.know(home)
            try transcript.type("peers", on: home)
            try transcript.type("sync", on: home)
            try transcript.type("status", on: home)
            try transcript.expect("no-peers-\(columns)")
            var empty = Transcript(columns: columns)
            try empty.type("feed", on: home)
            try empty.type("feed", "-c", "squirrels", on: home)
            try empty.type("feed", "--following", on: home)
            try empty.type("mine", on: home)
            try empty.type("channel", on: home)
            try empty.expect("empty-feed-\(columns)")
        }
    }

    @Test func `A feed and a thread`() throws {
        for columns in TranscriptTests.widths {
            let (hazel, rowan) = try Town.make()
            let bagel = try #require(try hazel.json("mine").first?["id"] as? String)
            let answer = try #require(try rowan.json("mine").first { $0["parent"] is String }?["id"] as? String)
            var feed = Transcript(columns: columns)
            try feed.know(hazel)
            try feed.type("feed", on: hazel)
            try feed.type("feed", "-n", "2", "-c", "cs193", on: hazel)
            try feed.type("mine", on: hazel)
            try feed.type("who", "rowan", on: hazel)
            try feed.type("channel", on: hazel)
            try feed.expect("feed-\(columns)")
            feed.expectFits()
            var thread = Transcript(columns: columns)
            try thread.know(hazel)
            try thread.type("show", String(bagel.prefix(5)), on: hazel)
            try thread.type("show", String(answer.prefix(5)), on: hazel)
            try thread.expect("thread-\(columns)")
            thread.expectFits()
        }
    }

    @Test func `What is unread`() throws {
        for columns in TranscriptTests.widths {
            let (hazel, _) = try Town.make()
            var transcript = Transcript(columns: columns)
            try transcript.know(hazel)
            try transcript.type(on: hazel)
            try transcript.expect("unread-\(columns)")
            transcript.expectFits()
        }
    }

    @Test func `An ambiguous id`() throws {
        let home = try TestHome(name: "hazel")
        // Of 33 ids two begin alike; of the first such pair exactly two.
        var ids: [String] = []
        var letter: Character?
        while letter == nil {
            let id = try home.post("A post like another.")
            letter = ids.contains { $0.first == id.first } ? id.first : nil
            ids.append(id)
        }
        let typed = try #require(letter)
        // Shown lately comes first: a home that forgot what it showed asks all posts.
        try FileManager.default.removeItem(atPath: home.path + "/reader.sqlite")
        let pair = ids.filter { $0.first == typed }.sorted { Transcript.precedes($0, $1) }
        for columns in TranscriptTests.widths {
            var transcript = Transcript(columns: columns)
            for id in pair { transcript.know(id) }
            try transcript.know(home)
            try transcript.type("show", String(typed), on: home)
            try transcript.type("vote", "up", String(typed), on: home)
            transcript.hide("show \(typed)\n", as: "show ?\n")
            transcript.hide("up \(typed)\n", as: "up ?\n")
            transcript.hide("error: \(typed) can", as: "error: ? can")
            try transcript.expect("ambiguous-id-\(columns)")
        }
    }

    @Test func `A post written offline`() throws {
        for columns in TranscriptTests.widths {
            let home = try TestHome(name: "hazel")
            try home.succeed("join", "--trust", "127.0.0.1:40000")
            var transcript = Transcript(columns: columns)
            try transcript.type("post", "Nobody hears this yet.", "-c", "squirrels", on: home)
            try transcript.type("feed", on: home)
            try transcript.type("peers", on: home)
            try transcript.know(home)
            try transcript.expect("offline-post-\(columns)")
        }
    }

    @Test func `A split and how it heals`() throws {
        for columns in TranscriptTests.widths {
            let hazel = try TestHome(name: "hazel")
            let rowan = try TestHome(name: "rowan")
            let first = try TestNode(hazel)
            try rowan.succeed("join", try first.address())
            let second = try TestNode(rowan)
            let bagel = try hazel.post("Caught this one stealing my bagel.", "-c", "squirrels")
            try Eventually.equal(hazel, rowan)
            _ = try second.stop()
            try Eventually.holds("the other node to notice that") {
                try hazel.json("status").first?["peers_connected"] as? Int == 0
            }
            var transcript = Transcript(columns: columns)
            try transcript.type("vote", "up", bagel, on: rowan, "rowan")
            try transcript.type("reply", bagel, "That is the one from the library.", on: rowan, "rowan")
            try transcript.type("post", "The fountain is off again.", on: hazel, "hazel")
            try transcript.type("feed", on: rowan, "rowan")
            try transcript.type("feed", on: hazel, "hazel")
            let again = try TestNode(rowan)
            try Eventually.equal(hazel, rowan)
            try Eventually.holds("both nodes to say so") {
                try [hazel, rowan].allSatisfy { try $0.json("status").first?["peers_in_step"] as? Int == 1 }
            }
            try transcript.type("feed", on: rowan, "rowan")
            try transcript.type("feed", on: hazel, "hazel")
            try transcript.type("fingerprint", on: rowan, "rowan")
            try transcript.type("fingerprint", on: hazel, "hazel")
            try transcript.know(hazel)
            try transcript.know(rowan)
            try transcript.expect("split-and-heal-\(columns)")
            _ = again
        }
    }

    @Test func `A file that is carried`() throws {
        for columns in TranscriptTests.widths {
            let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
            try hazel.post("Caught this one stealing my bagel.", "-c", "squirrels")
            try hazel.post("The fountain is off again.")
            let whole = try hazel.bundle("campus")
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
            let cut = try rowan.write(bytes.prefix(200), "cut")
            var transcript = Transcript(columns: columns)
            transcript.hide(rowan.folder.path, as: "FOLDER")
            transcript.hide(hazel.folder.path, as: "FOLDER")
            try transcript.type("import", cut, on: rowan)
            try transcript.type("import", whole, on: rowan)
            try transcript.type("import", whole, on: rowan)
            try transcript.type("import", "--json", whole, on: rowan)
            try transcript.type("feed", on: rowan)
            try transcript.know(rowan)
            try transcript.expect("bundle-\(columns)")
        }
    }

    @Test func `The same in a terminal`() throws {
        for columns in TranscriptTests.widths {
            let (hazel, _) = try Town.make()
            var transcript = Transcript(columns: columns)
            try transcript.know(hazel)
            let bagel = try #require(try hazel.json("mine").first?["id"] as? String)
            for command in [["feed"], ["show", String(bagel.prefix(5))], ["show", "7777"], ["status"]] {
                let ended = try hazel.start(command, streams: .terminal(columns: columns)).finish()
                let screen = ended.out.replacing("\r\n", with: "\n").replacing("\u{1B}", with: "^[")
                transcript.add("$ scurry \(command.joined(separator: " "))\n\(screen)\n")
            }
            try transcript.expect("terminal-\(columns)")
        }
    }

    @Test func `The help of every command`() throws {
        let home = try TestHome()
        for columns in [40, 80] {
            var transcript = Transcript(columns: columns)
            for command in Transcript.commands {
                let ended = try home.run(command + ["-h"], ["COLUMNS": String(columns)])
                transcript.add("$ scurry \((command + ["-h"]).joined(separator: " "))\n\(ended.out)\n")
            }
            try transcript.expect("help-\(columns)")
        }
    }
}

/// A few posts of two people who have met.
enum Town {
    static func make() throws -> (hazel: TestHome, rowan: TestHome) {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            try hazel.post("Caught this one stealing my bagel.", "-c", "squirrels")
        }
        let bagel = try #require(try rowan.json("feed").first?["id"] as? String)
        try rowan.post(
            "See the course page; bring your own scratch paper.",
            "--title",
            "Midterm room moved to Gates B01",
            "-c",
            "cs193"
        )
        try rowan.succeed("vote", "up", bagel)
        try rowan.succeed("reply", bagel, "That is the one from the library.")
        let answer = try #require(try rowan.json("mine", "-n", "1").first?["id"] as? String)
        try rowan.succeed("reply", answer, "日本語のリスも、長い文章を書けば、狭い端末では折り返される。")
        try rowan.post("esc \u{1B}[31mred\u{1B}[0m, \u{202E}turned, e\u{301}, tab\there")
        let node = try TestNode(hazel)
        // The first meeting was on another port.
        let file = rowan.path + "/peers"
        try FileManager.default.removeItem(atPath: file)
        try rowan.succeed("join", try node.address())
        try rowan.succeed("sync")
        try #require(try node.stop() == 0)
        let midterm = try #require(
            try hazel.json("feed").first { ($0["title"] as? String)?.hasPrefix("Midterm") == true }?["id"] as? String
        )
        try hazel.succeed("vote", "down", midterm)
        try hazel.succeed("reply", midterm, "Not again.")
        return (hazel, rowan)
    }
}
