import Foundation
import Testing

/// `id revoke` and `id end`: what they ask, what they refuse, what they say.
struct IdEndingCommandTests {
    /// A home that came back with the words, and the log of the device before.
    private func returned() throws -> (hazel: TestHome, back: TestHome, lost: String) {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("one")
        let lost = try #require(try hazel.json("whoami").first?["log"] as? String)
        let back = try TestHome()
        try back.succeed("id", "restore", "--words-from", hazel.words)
        let node = try TestNode(hazel)
        try back.meet(node)
        return (hazel, back, lost)
    }

    private func device(_ log: String, in home: TestHome) throws -> [String: Any] {
        try #require(try home.json("id", "devices").first { $0["id"] as? String == log })
    }

    @Test func `A script that does not say yes is refused, before any words are asked`() throws {
        let (hazel, back, lost) = try returned()
        let short = String(lost.prefix(4))
        expectFailure(
            try back.run("id", "revoke", short, "--words-from", hazel.words),
            7,
            "nobody can be asked here, and it is for good",
            hint: "scurry id revoke \(short) --words-from \(hazel.words) --yes"
        )
        expectFailure(
            try back.run("id", "revoke", short, "--keep", "1", "--words-from", hazel.words),
            7,
            "nobody can be asked here, and it is for good",
            hint: "scurry id revoke \(short) --keep 1 --words-from \(hazel.words) --yes"
        )
        expectFailure(
            try back.run("id", "end", "--words-from", hazel.words),
            7,
            "nobody can be asked here, and it is for good",
            hint: "scurry id end --words-from \(hazel.words) --yes"
        )
        expectFailure(
            try back.run("id", "revoke", short),
            7,
            "nobody can be asked here, and it is for good",
            hint: "scurry id revoke \(short) --words-from FILE --yes"
        )
        expectFailure(
            try back.run("id", "revoke", short, "--yes"),
            64,
            "the recovery words are needed",
            hint: "scurry id revoke \(short) --yes --words-from FILE"
        )
        #expect(try device(lost, in: back)["standing"] as? String == "writing")
    }

    @Test func `Words of another person cut off nothing and end nothing`() throws {
        let (_, back, lost) = try returned()
        let rowan = try TestHome(name: "rowan")
        let message = "these words are another person's than this home's"
        let hint = "scurry whoami shows whose words are needed"
        let revoke = ["id", "revoke", lost, "--yes", "--words-from", rowan.words]
        expectFailure(try back.run(revoke), 7, message, hint: hint)
        expectFailure(try back.run("id", "end", "--yes", "--words-from", rowan.words), 7, message, hint: hint)
        #expect(try device(lost, in: back)["standing"] as? String == "writing")
        #expect(try back.signingStop() == nil)
    }

    @Test func `An unknown device, more than is here, and two answers at once are refused`() throws {
        let (hazel, back, lost) = try returned()
        expectFailure(
            try back.run("id", "revoke", "0000", "--yes", "--words-from", hazel.words),
            3,
            "no device of yours that is known here begins with 0000",
            hint: "scurry id devices lists them; scurry sync fetches what is missing"
        )
        let held = try #require(try device(lost, in: back)["entries"] as? Int)
        expectFailure(
            try back.run("id", "revoke", lost, "--keep", "\(held + 1)", "--yes", "--words-from", hazel.words),
            7,
            "of \(lost.prefix(4)) only \(held) entries are here",
            hint: "scurry sync fetches more, if there is more"
        )
        let both = try back.run("id", "revoke", lost, "--keep", "1", "--keep-nothing", "--yes")
        #expect(both.code == 64)
        #expect(both.err.contains("--keep and --keep-nothing exclude each other"))
    }

    @Test func `On a terminal it says what it will do, and no is no`() throws {
        let (hazel, back, lost) = try returned()
        let short = String(lost.prefix(4))
        let declined = try back.start(["id", "revoke", short], streams: .terminal(columns: 200))
        try declined.wait(for: "Cut off \(short)? [y/N] ")
        declined.send("n\r")
        let left = try declined.finish()
        #expect(left.code == 7)
        #expect(left.out.contains("will be cut off, for good."))
        #expect(left.out.contains("2 entries stay of it"))
        #expect(left.out.contains("nothing was cut off"))
        let agreed = try back.start(["id", "revoke", short, "--keep", "1"], streams: .terminal(columns: 200))
        try agreed.wait(for: "Cut off \(short)? [y/N] ")
        agreed.send("y\r")
        try agreed.wait(for: "words: ")
        let words = try hazel.folder.read("words").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        agreed.send(words + "\r")
        let done = try agreed.finish()
        #expect(done.code == 0, "\(done.out)")
        #expect(done.out.contains("cut off \(short), for good: 1 entry stays of it"))
        #expect(done.out.contains("your peers follow once they hear of it"))
        let row = try device(lost, in: back)
        #expect(row["standing"] as? String == "cut_off" && row["counted_to"] as? Int == 1)
    }

    @Test func `Who was cut off before stays so, unless somebody says how much is to stay`() throws {
        let (hazel, back, lost) = try returned()
        try back.succeed("id", "revoke", lost, "--keep-nothing", "--yes", "--words-from", hazel.words)
        #expect(try device(lost, in: back)["counted_to"] as? Int == 0)
        let again = try back.run("id", "revoke", lost, "--yes", "--words-from", hazel.words)
        #expect(again.code == 0)
        #expect(
            again.err == "\(lost.prefix(4)) was cut off before; --keep-through POST says anew how much of it stays\n"
        )
        #expect(try device(lost, in: back)["counted_to"] as? Int == 0)
    }

    @Test func `One's own device, the last one, is cut off with a warning, and the words are the way back`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("one")
        let log = try #require(try hazel.json("whoami").first?["log"] as? String)
        let short = log.prefix(4)
        let asked = try hazel.start(["id", "revoke", "\(short)"], streams: .terminal(columns: 200))
        try asked.wait(for: "[y/N] ")
        asked.send("\r")
        #expect(try asked.finish().out.contains("This device, \(short) (since"))
        #expect(asked.text(.out).contains("warning: this home signs nothing more"))
        let node = try TestNode(hazel)
        let revoked = try hazel.run("id", "revoke", log, "--yes", "--words-from", hazel.words)
        #expect(revoked.code == 0, "\(revoked.err)")
        #expect(
            revoked.err == """
                cut off \(short), for good: 2 entries stay of it
                your peers follow, and so does everybody whom they meet
                this home signs nothing more: scurry id restore, with the words, is the way back

                """
        )
        let refused = try hazel.run("post", "two")
        #expect(refused.code == 7)
        #expect(refused.err.contains("this device was cut off: it signs nothing more"))
        _ = try node.stop()
        try hazel.succeed("id", "restore", "--words-from", hazel.words)
        try hazel.post("two")
        #expect(Set(try hazel.texts()) == ["one", "two"])
        #expect(try device(log, in: hazel)["standing"] as? String == "cut_off")
    }

    @Test func `The account ends once its name was typed, and only once`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("one")
        let declined = try hazel.start(["id", "end"], streams: .terminal(columns: 200))
        try declined.wait(for: "to end it: ")
        declined.send("y\r")
        let left = try declined.finish()
        #expect(left.code == 7)
        #expect(left.out.contains("forgotten everywhere"))
        #expect(left.out.contains("cannot be undone"))
        #expect(try hazel.signingStop() == nil)
        let agreed = try hazel.start(["id", "end", "--words-from", hazel.words], streams: .terminal(columns: 200))
        try agreed.wait(for: "to end it: ")
        agreed.send("hazel\r")
        let done = try agreed.finish()
        #expect(done.code == 0, "\(done.out)")
        #expect(done.out.contains("has ended"))
        let hint = "SCURRY_HOME=DIR scurry init --name NAME begins another one"
        let message = "this account has ended: nothing of it counts any more"
        expectFailure(try hazel.run("id", "end", "--yes", "--words-from", hazel.words), 7, message, hint: hint)
        let revoke = ["id", "revoke", "a", "--yes", "--words-from", hazel.words]
        expectFailure(try hazel.run(revoke), 7, message, hint: hint)
        #expect(try hazel.run("post", "two").code == 7)
    }

    @Test func `The posts of a device are listed with their places, the last one first`() throws {
        let hazel = try TestHome(name: "hazel")
        let one = try hazel.post("one")
        try hazel.succeed("vote", "up", one)
        let two = try hazel.post("two")
        let log = try #require(try hazel.json("whoami").first?["log"] as? String)
        let rows = try hazel.json("id", "devices", String(log.prefix(4)))
        #expect(rows.map { $0["id"] as? String } == [two, one])
        // The name is the first entry, and the vote the third.
        #expect(rows.map { $0["place"] as? Int } == [4, 2])
        #expect(rows.allSatisfy { $0["log"] as? String == log })
        #expect(try hazel.json("id", "devices", log, "-n", "1").map { $0["text"] as? String } == ["two"])
        let text = try hazel.succeed("id", "devices", log)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 5 && lines[2].hasPrefix("   4  ") && lines[2].hasSuffix("  two"), "\(text)")
        #expect(lines[3].hasPrefix("   2  ") && lines[3].hasSuffix("  one"))
        #expect(lines[4].contains("scurry id revoke \(log.prefix(4)) --keep-through \(two.prefix(4))"))
        // As `show` counts them.
        #expect(try hazel.succeed("show", two).contains("entry 4 of log \(log.prefix(8))"))
        #expect(try hazel.run("id", "devices", "-n", "3").code == 64)
        #expect(try hazel.run("id", "devices", "0000").code == 3)
    }

    @Test func `A device is cut off behind one of its posts`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("one")
        let last = try hazel.post("the last one of hazel's")
        try hazel.succeed("vote", "up", last)
        try hazel.post("a thief's")
        let stolen = try #require(try hazel.json("whoami").first?["log"] as? String)
        let back = try TestHome()
        try back.succeed("id", "restore", "--words-from", hazel.words)
        try back.meet(TestNode(hazel))
        let own = try back.post("of another device")
        let revoke = ["id", "revoke", stolen, "--yes", "--words-from", hazel.words]
        expectFailure(
            try back.run(revoke + ["--keep-through", own]),
            7,
            "\(stolen.prefix(4)) did not write that post",
            hint: "scurry id devices \(stolen.prefix(4)) lists those that it wrote"
        )
        #expect(try back.run(revoke + ["--keep-through", last, "--keep", "1"]).code == 64)
        #expect(try back.run(revoke + ["--keep-through", "7777"]).code == 3)
        #expect(try device(stolen, in: back)["standing"] as? String == "writing")
        let ended = try back.run(revoke + ["--keep-through", String(last.prefix(6))])
        #expect(ended.code == 0, "\(ended.err)")
        #expect(ended.err.contains("cut off \(stolen.prefix(4)), for good: 3 entries stay of it"))
        #expect(Set(try back.texts()) == ["one", "the last one of hazel's", "of another device"])
        // The vote behind it counts no more.
        #expect(try back.json("feed").first { $0["id"] as? String == last }?["up"] as? Int == 0)
    }

    @Test func `Where an account has ended, nobody is told to post`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("one")
        try hazel.succeed("id", "end", "--yes", "--words-from", hazel.words)
        let row = try #require(try hazel.json("id", "devices").first)
        #expect(row["standing"] as? String == "account_ended" && row["entries"] as? Int == 0)
        #expect(try hazel.succeed("id", "devices").contains("  this device  account ended\n"))
        for command in [["feed"], ["feed", "-c", "squirrels"], ["mine"], []] {
            let shown = try hazel.run(command, ["COLUMNS": "100"])
            #expect(shown.code == 0)
            let begin = command.contains("-c") ? "next: scurry feed --all\n No post can be written:" : "No posts;"
            #expect(
                shown.out.contains("\(begin) this account has ended: nothing of it counts any more."),
                "\(shown.out)"
            )
            #expect(!shown.out.contains("scurry post"))
            #expect(shown.out.contains("scurry init --name NAME begins another one"))
        }
    }

    @Test func `An old bundle of an account that has ended is not said to be here`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("one")
        let old = try hazel.bundle("old")
        try hazel.succeed("id", "end", "--yes", "--words-from", hazel.words)
        try rowan.succeed("import", try hazel.bundle("end"))
        let sentence =
            "nothing new: 1 log does not count here: its account has ended, or 16 older devices come before it"
        for home in [hazel, rowan] {
            #expect(try home.told("import", old) == sentence)
            #expect(try home.json("import", old).first?["refused_logs"] as? Int == 1)
            #expect(try home.texts().isEmpty)
        }
    }

    @Test func `A hub has nothing to end`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let hint = "SCURRY_HOME=DIR scurry init --name NAME makes a home for you"
        let message = "this home is a hub: it has no person"
        expectFailure(try hub.run("id", "revoke", "a", "--yes"), 7, message, hint: hint)
        expectFailure(try hub.run("id", "end", "--yes"), 7, message, hint: hint)
    }
}
