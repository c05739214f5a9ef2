import Foundation
import Testing

/// A device that is lost, one that is stolen, and an account that ends, among nodes that hear of it at different times.
struct RevocationTests {
    private func log(of home: TestHome) throws -> String {
        try #require(try home.json("whoami").first?["log"] as? String)
    }

    private func entries(of log: String, in home: TestHome) throws -> Int {
        let row = try home.json("id", "devices").first { $0["id"] as? String == log }
        return try #require(row?["entries"] as? Int)
    }

    private func revoke(_ log: String, _ options: String..., on home: TestHome, words: String) throws {
        let ended = try home.run(["id", "revoke", log, "--yes", "--words-from", words] + options)
        try #require(ended.code == 0, "\(ended.err)")
    }

    @Test func `A lost laptop is cut off elsewhere, and obeys when it is found`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("before the loss")
            try rowan.post("an acorn")
        }
        let node = try TestNode(rowan)
        try hazel.meet(node)
        // Nobody has seen this when the laptop is lost.
        try hazel.post("never sent")
        let lost = try log(of: hazel)

        let back = try TestHome()
        try back.succeed("id", "restore", "--words-from", hazel.words)
        try back.meet(node)
        #expect(Set(try back.texts()) == ["before the loss", "an acorn"])
        try revoke(lost, on: back, words: hazel.words)
        try back.post("after the loss")
        try back.meet(node)
        try Eventually.equal(back, rowan)

        // Somebody finds it, and switches it on.
        try hazel.meet(node)
        try Eventually.equal(hazel, back, rowan)
        for home in [hazel, back, rowan] {
            #expect(Set(try home.texts()) == ["before the loss", "an acorn", "after the loss"])
        }
        #expect(try hazel.signingStop() == "settled")
        let refused = try hazel.run("post", "on the found laptop")
        #expect(refused.code == 7)
        #expect(refused.err.contains("this device was cut off"))
    }

    @Test func `What a thief posts, before and after the device is cut off, ends in nobody's feed`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("by hazel")
            try rowan.post("an acorn")
        }
        let birch = try TestHome(name: "birch")
        let stolen = try log(of: hazel)
        let honest = try entries(of: stolen, in: hazel)
        let node = try TestNode(rowan)
        let other = try TestNode(birch)

        // From here on the thief has it.
        try hazel.post("stolen, before")
        try hazel.meet(node)
        #expect(try rowan.texts().contains("stolen, before"))

        let back = try TestHome()
        try back.succeed("id", "restore", "--words-from", hazel.words)
        try back.meet(node)
        #expect(try back.texts().contains("stolen, before"))
        try revoke(stolen, "--keep", "\(honest)", on: back, words: hazel.words)
        #expect(Set(try back.texts()) == ["by hazel", "an acorn"])
        try back.post("by hazel again")

        // The thief goes on, with somebody who has not heard of it.
        try hazel.post("stolen, after")
        try hazel.meet(other)
        #expect(try birch.texts().contains("stolen, after"))

        try back.meet(node)
        try back.meet(other)
        try hazel.meet(node)
        // Whoever knew only one of the two nodes learns the rest.
        try back.meet(node)
        try back.meet(other)
        try Eventually.equal(hazel, back, rowan, birch)
        for home in [hazel, back, rowan, birch] {
            #expect(Set(try home.texts()) == ["by hazel", "an acorn", "by hazel again"])
        }
        #expect(try hazel.run("post", "stolen, at last").code == 7)
    }

    @Test func `A thief who forks the log before it is cut off gains nothing`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("by hazel")
            try rowan.post("an acorn")
        }
        let birch = try TestHome(name: "birch")
        let stolen = try log(of: hazel)
        let honest = try entries(of: stolen, in: hazel)
        let node = try TestNode(rowan)
        let other = try TestNode(birch)

        // Two branches of one log, each shown to one node.
        let copy = try hazel.copied()
        try? FileManager.default.removeItem(atPath: copy.path + "/peers")
        try copy.succeed("id", "keep", "--yes")
        try hazel.post("one branch")
        try copy.post("another branch")
        try copy.post("and further")
        try hazel.meet(node)
        try copy.meet(other)

        let back = try TestHome()
        try back.succeed("id", "restore", "--words-from", hazel.words)
        try back.meet(node)
        try back.meet(other)
        let row = try #require(try back.json("id", "devices").first { $0["id"] as? String == stolen })
        #expect(row["standing"] as? String == "forked")
        try revoke(stolen, "--keep", "\(honest)", on: back, words: hazel.words)
        try back.post("by hazel again")
        try back.meet(node)
        try back.meet(other)
        try hazel.meet(other)
        try copy.meet(node)
        try Eventually.equal(hazel, copy, back, rowan, birch)
        for home in [hazel, copy, back, rowan, birch] {
            #expect(Set(try home.texts()) == ["by hazel", "an acorn", "by hazel again"])
        }
        // Each of the two goes on with a log and a node of its own.
        for home in [hazel, copy] { try home.succeed("id", "restore", "--words-from", hazel.words) }
        #expect(
            try Set([hazel, copy].map { try $0.json("whoami").first?["node"] as? String }).count == 2
        )
    }

    @Test func `Of an account that ended peers forget everything`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("a word of hazel's")
            try rowan.post("an acorn")
        }
        let node = try TestNode(rowan)
        let acorn = try #require(
            try hazel.json("feed").first { $0["text"] as? String == "an acorn" }?["id"] as? String
        )
        try hazel.succeed("vote", "up", acorn)
        try hazel.meet(node)
        try Eventually.holds("the vote") {
            try rowan.json("feed").first { $0["id"] as? String == acorn }?["up"] as? Int == 1
        }
        try hazel.succeed("id", "end", "--yes", "--words-from", hazel.words)
        try hazel.meet(node)
        try Eventually.holds("rowan to forget") { try rowan.texts() == ["an acorn"] }
        #expect(try rowan.json("feed").first?["up"] as? Int == 0)
        try Eventually.equal(hazel, rowan)
        _ = try node.stop()
        #expect(try Words.files(in: rowan, holding: "a word of hazel's").isEmpty)
    }

    /// Nothing is wanted, as the home says and, beside it, as its database has it.
    private func wantsNothing(_ home: TestHome) throws -> Bool {
        let (status, print) = try (home.json("status").first, home.json("fingerprint").first)
        return ["wanted_logs", "unsupplied_logs"].allSatisfy {
            status?[$0] as? Int == 0 && print?[$0] as? Int == 0
        }
    }

    @Test func `A device that comes late to the end of its account is told, and changes nothing`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("a word of hazel's")
            try rowan.post("an acorn")
        }
        let birch = try TestHome(name: "birch")
        let node = try TestNode(rowan)
        let other = try TestNode(birch)
        let second = try TestHome()
        try second.succeed("id", "restore", "--words-from", hazel.words)
        try second.meet(node)
        #expect(Set(try second.texts()) == ["a word of hazel's", "an acorn"])
        // Offline, and not aware of what comes.
        try second.post("too late")
        try second.post("and more")

        try hazel.succeed("id", "end", "--yes", "--words-from", hazel.words)
        try hazel.meet(node)
        try Eventually.holds("rowan to forget") { try rowan.texts() == ["an acorn"] }

        // It brings what it wrote to somebody who has not heard, and to somebody who has.
        try second.meet(other)
        try second.meet(node)
        try second.meet(other)
        try hazel.meet(node)
        try Eventually.equal(hazel, second, rowan, birch)
        for home in [rowan, birch] { #expect(try home.texts() == ["an acorn"]) }
        #expect(try second.signingStop() == "ended")
        let refused = try second.run("post", "still here")
        #expect(refused.code == 7)
        #expect(refused.err.contains("account"))
        for home in [hazel, second, rowan, birch] {
            try Eventually.holds("nothing to be wanted") { try wantsNothing(home) }
        }
        for running in [node, other] { #expect(try running.stop() == 0) }
        for home in [rowan, birch] {
            #expect(try wantsNothing(home))
            for text in ["a word of hazel's", "too late", "and more"] {
                #expect(try Words.files(in: home, holding: text).isEmpty)
            }
        }
        let again = try TestNode(rowan)
        try second.meet(again)
        #expect(try wantsNothing(rowan))
    }
}
