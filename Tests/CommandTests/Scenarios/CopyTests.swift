import Foundation
import Testing

/// Homes that were copied, moved, or brought back from last week: each is noticed, and none forks its log.
struct CopyTests {
    private static let wayOut = "scurry id restore, or scurry id keep if no other home with this key will run again"

    @Test func `A copied home signs nothing and keeps what was written`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let copy = try hazel.copied()
        let why = "this home was copied, moved or restored from a backup: it signs nothing until you decide"
        for (number, name) in ["post", "post-2"].enumerated() {
            expectFailure(
                try copy.run("post", "kept \(number)"),
                7,
                "\(why); the text is kept in \(copy.path)/drafts/\(name)",
                hint: Self.wayOut
            )
            #expect(try String(contentsOfFile: "\(copy.path)/drafts/\(name)", encoding: .utf8) == "kept \(number)")
        }
        #expect(try copy.texts() == ["before"])
        #expect(try copy.signingStop() == "copied")
        #expect(try copy.json("whoami").first?["signing_stop"] as? String == "copied")
        #expect(try copy.succeed("status").contains("stopped: this home was copied"))
        // It relays all the same.
        let node = try TestNode(copy)
        #expect(node.process.text(.err).contains(why))
        let rowan = try TestHome(name: "rowan")
        try rowan.post("an acorn")
        try rowan.meet(node)
        try Eventually.equal(rowan, copy)
        #expect(try copy.run("post", "through the node").code == 7)
        #expect(try copy.run("id", "restore", "--words-from", hazel.words).code == 75)
        #expect(try copy.run("id", "keep", "--yes").code == 75)
        _ = try node.stop()

        let restored = try copy.run("id", "restore", "--words-from", hazel.words)
        #expect(restored.code == 0 && restored.err.contains("This home has a new node id"), "\(restored.err)")
        // Two nodes of one id could not meet.
        #expect(try copy.json("whoami").first?["node"] as? String != hazel.json("whoami").first?["node"] as? String)
        try copy.post("from the copy")
        try hazel.post("from the original")
        let original = try TestNode(hazel)
        try copy.meet(original)
        try rowan.meet(original)
        try Eventually.equal(hazel, copy, rowan)
        #expect(Set(try rowan.texts()) == ["before", "an acorn", "from the copy", "from the original"])
        #expect(try rowan.json("status").first?["set_aside_logs"] as? Int == 0)
        #expect(try hazel.signingStop() == nil)
    }

    /// The device key's file says nothing of the node's.
    @Test(arguments: [false, true]) func `A new node id is told where there is one`(isCopy: Bool) throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let home = isCopy ? try hazel.copied() : hazel
        let id = try home.json("whoami").first?["node"] as? String
        try home.folder.write("damaged", to: "home/keys/device.key")
        let restored = try home.run("id", "restore", "--words-from", hazel.words)
        #expect(restored.code == 0 && restored.err.contains("This home has a new node id") == isCopy, "\(restored.err)")
        #expect(try (home.json("whoami").first?["node"] as? String == id) == !isCopy)
    }

    @Test func `A home from a backup becomes another node, beside one that runs on`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let backup = hazel.folder.file("backup")
        try hazel.succeed("backup", backup)
        let restored = try TestHome()
        try restored.succeed("restore", backup)
        let back = try restored.run("id", "restore", "--words-from", hazel.words)
        #expect(back.code == 0 && back.err.contains("This home has a new node id"), "\(back.err)")
        let node = try TestNode(hazel)
        try restored.post("after")
        try restored.meet(node)
        try Eventually.equal(hazel, restored)
    }

    @Test func `A moved home is kept, with a warning where no peer can be asked`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let moved = try hazel.copied()
        expectFailure(
            try moved.run("id", "keep"),
            7,
            "nobody can be asked here",
            hint: "scurry id keep --yes, or scurry id restore"
        )
        let no = try moved.start(["id", "keep"], streams: .terminal(columns: 80))
        try no.wait(for: "[y/N] ")
        no.send("\r")
        #expect(try no.finish().code == 7)
        #expect(try moved.signingStop() == "copied")
        let kept = try moved.run("id", "keep", "--yes")
        #expect(kept.code == 0)
        #expect(kept.err.contains("warning: no peer could say what it holds of your log"))
        #expect(kept.err.hasSuffix("kept: this home signs again\n"))
        // Nobody listens there.
        let again = try hazel.copied()
        try again.folder.write("127.0.0.1:1\n", to: "home/peers")
        let alone = try again.run("id", "keep", "--yes", "--timeout", "5")
        #expect(alone.code == 0, "\(alone.err)")
        #expect(alone.err.contains("warning: no peer could say what it holds of your log"))
        try moved.post("after")
        #expect(try moved.told("id", "keep", "--yes") == "nothing to decide: this home signs as it is")
    }

    @Test func `A home of last week meets a peer that has more, is caught up, and does not fork`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("last week") }
        let old = try hazel.copied()
        try hazel.post("this week")
        let node = try TestNode(rowan)
        try hazel.meet(node)
        // The disk breaks; last week's copy takes its place.
        try old.succeed("join", try node.address())
        let kept = try old.run("id", "keep", "--yes")
        #expect(kept.code == 0)
        #expect(!kept.err.contains("warning"), "\(kept.err)")
        #expect(Set(try old.texts()) == ["last week", "this week"])
        try old.post("next week")
        try old.meet(node)
        try Eventually.equal(old, rowan)
        #expect(try rowan.json("status").first?["set_aside_logs"] as? Int == 0)
        #expect(Set(try rowan.texts()) == ["last week", "this week", "next week"])
    }

    @Test func `An old database in the same file on a whole machine of old is noticed by what a peer has`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("last week") }
        let old = try hazel.copied()
        try hazel.post("this week")
        let node = try TestNode(rowan)
        try hazel.meet(node)
        try hazel.overwriteStore(from: old)
        try hazel.forgetState()
        #expect(try hazel.signingStop() == nil)
        _ = try hazel.run("sync", "--timeout", "20")
        #expect(try hazel.signingStop() == "longer")
        let refused = try hazel.run("post", "not yet")
        #expect(refused.code == 7)
        #expect(refused.err.contains("a peer has more of your log than this home had"))
        #expect(refused.err.contains("scurry id restore, or scurry id keep"))
        try hazel.succeed("id", "keep", "--yes")
        try hazel.post("next week")
        try hazel.meet(node)
        try Eventually.equal(hazel, rowan)
        #expect(Set(try rowan.texts()) == ["last week", "this week", "next week"])
    }

    @Test(arguments: ["keep", "restore"])
    func `What an old database signed and nobody has yet is signed again behind the other branch`(way: String) throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("last week") }
        let old = try hazel.copied()
        try hazel.post("this week")
        let node = try TestNode(rowan)
        try hazel.meet(node)
        try hazel.overwriteStore(from: old)
        try hazel.forgetState()
        // Not noticed yet: two entries above what was published.
        let id = try hazel.post("meanwhile")
        try hazel.succeed("reply", id, "an answer")
        let before = try hazel.json("whoami").first?["node"] as? String
        _ = try hazel.run("sync", "--timeout", "20")
        #expect(try hazel.signingStop() == "diverged")
        #expect(try hazel.run("post", "x").code == 7)
        if way == "keep" {
            let kept = try hazel.run("id", "keep", "--yes")
            #expect(kept.code == 0, "\(kept.err)")
            #expect(kept.err.contains("signed again: 2 entries that nobody had yet"))
        } else {
            let restored = try hazel.run("id", "restore", "--words-from", hazel.words)
            #expect(restored.code == 0, "\(restored.err)")
            #expect(restored.err.contains("signed again: 2 entries that nobody had yet"))
        }
        // Another home may go on where this one was.
        #expect(try (hazel.json("whoami").first?["node"] as? String == before) == (way == "keep"))
        try hazel.post("next week")
        try hazel.meet(node)
        try Eventually.equal(hazel, rowan)
        let wanted: Set = ["last week", "this week", "meanwhile", "an answer", "next week"]
        #expect(Set(try rowan.texts()) == wanted)
        let rows = try rowan.json("feed")
        let asked = try #require(rows.first { $0["text"] as? String == "meanwhile" }?["id"] as? String)
        #expect(rows.first { $0["text"] as? String == "an answer" }?["parent"] as? String == asked)
        #expect(try rowan.json("status").first?["set_aside_logs"] as? Int == 0)
        #expect(try hazel.signingStop() == nil)
    }

    @Test func `A database that was copied while the node runs, put into another home, is noticed`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let node = try TestNode(hazel)
        let other = try TestHome(name: "other")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: other.path + "/store.sqlite" + suffix)
        }
        try Shell.run("cp", hazel.path + "/store.sqlite", hazel.path + "/store.sqlite-wal", other.path + "/")
        let refused = try other.run("post", "x")
        #expect(refused.code == 7)
        #expect(refused.err.contains("this home was copied, moved or restored"))
        // The key here is another log's: keeping it would not help.
        #expect(refused.err.hasSuffix("hint: scurry id restore, with the recovery words\n"), "\(refused.err)")
        for command in ["status", "doctor"] {
            let shown = try other.run(command)
            #expect(shown.out.contains("scurry id restore") && !shown.out.contains("id keep"), "\(shown.out)")
        }
        #expect(try other.texts() == ["before"])
        expectFailure(
            try other.run("id", "keep", "--yes"),
            7,
            "the device key of this home's log is not here",
            hint: "scurry id restore"
        )
        try other.succeed("id", "restore", "--words-from", hazel.words)
        try other.post("a second device")
        try other.meet(node)
        try Eventually.equal(hazel, other)
    }

    @Test func `A home that was copied while its node runs and writes signs nothing elsewhere while that one goes on`()
        throws
    {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let node = try TestNode(hazel)
        // In the middle of posts that the node writes; a socket and a lock are copied too.
        let writers = try (0..<4).map { try hazel.start(["post", "meanwhile \($0)"]) }
        let copy = try hazel.copied()
        for writer in writers { try #require(try writer.finish().code == 0) }
        let why = "this home was copied, moved or restored from a backup: it signs nothing until you decide"
        let refused = try copy.run("post", "from the copy")
        #expect(refused.code == 7 && refused.err.contains(why), "\(refused.err)")
        let doctor = try copy.run("doctor")
        #expect(doctor.code == 1 && doctor.out.contains("problem  signing   this home was copied"), "\(doctor.out)")
        #expect(try hazel.run("doctor").out.contains("signing") == false)
        // It runs beside the first, which goes on writing, and relays to whoever meets either.
        let second = try TestNode(copy)
        #expect(second.process.text(.err).contains(why))
        #expect(try copy.run("post", "through the node").code == 7)
        try hazel.post("after")
        let rowan = try TestHome(name: "rowan")
        try rowan.meet(node)
        try rowan.meet(second)
        try Eventually.equal(hazel, rowan, copy)
        try hazel.post("later")
        try rowan.meet(second)
        try rowan.meet(node)
        try rowan.meet(second)
        try Eventually.equal(hazel, rowan, copy)
        let wanted = ["before", "after", "later"] + (0..<4).map { "meanwhile \($0)" }
        for home in [hazel, rowan, copy] {
            #expect(Set(try home.texts()) == Set(wanted))
            #expect(try home.json("status").first?["set_aside_logs"] as? Int == 0)
        }
        #expect(try hazel.signingStop() == nil && copy.signingStop() != nil)
        #expect(try second.stop() == 0 && node.stop() == 0)
    }
}
