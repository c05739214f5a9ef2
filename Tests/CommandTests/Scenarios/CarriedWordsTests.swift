import Foundation
import Testing

/// What root keys say and what forks show travels by file, between nodes that never meet.
struct CarriedWordsTests {
    private func log(of home: TestHome) throws -> String {
        try #require(try home.json("whoami").first?["log"] as? String)
    }

    /// Carries a file; the one line that the import wrote.
    private func carry(_ from: TestHome, _ to: TestHome) throws -> String {
        try to.told("import", try from.bundle("carried"))
    }

    /// To and fro, until neither has anything new for the other.
    private func exchange(_ left: TestHome, _ right: TestHome) throws {
        for _ in 0..<4 {
            let here = try right.run("import", try left.bundle("there"))
            let there = try left.run("import", try right.bundle("back"))
            try #require(here.code == 0 && there.code == 0, "\(here.err)\(there.err)")
            if try left.succeed("fingerprint") == right.succeed("fingerprint") { return }
        }
        Issue.record("no two files made them equal")
    }

    @Test func `A device that was cut off, a fork with its proof, and the end of an account`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("by hazel")
        let last = try hazel.post("the last one by hazel")
        try rowan.post("an acorn")
        try exchange(hazel, rowan)
        let stolen = try log(of: hazel)

        // A thief writes on with hazel's key, and forks the log; each branch reaches another home.
        let copy = try hazel.copied()
        try copy.succeed("id", "keep", "--yes")
        try hazel.post("one branch")
        try copy.post("another branch")
        try copy.post("and further")
        let birch = try TestHome(name: "birch")
        #expect(try carry(hazel, rowan) == "1 entry of 1 person is new")
        #expect(try carry(copy, birch).hasSuffix("of 2 people are new"))

        // The two hear of each other's branch by file alone.
        let shown = try rowan.run("import", try birch.bundle("other"))
        #expect(shown.code == 0, "\(shown.err)")
        #expect(shown.err.hasSuffix("1 log was written twice: nothing beyond the fork counts\n"), "\(shown.err)")
        let proven = try birch.run("import", try rowan.bundle("proof"))
        #expect(proven.code == 0, "\(proven.err)")
        #expect(proven.err == "1 log was written twice: nothing beyond the fork counts\n")
        #expect(try rowan.succeed("fingerprint") == birch.succeed("fingerprint"))
        for home in [rowan, birch] {
            #expect(Set(try home.texts()) == ["by hazel", "the last one by hazel", "an acorn"])
        }

        // Hazel comes back with the words, cuts the device off, and writes on elsewhere.
        let back = try TestHome()
        try back.succeed("id", "restore", "--words-from", hazel.words)
        try back.succeed("import", try rowan.bundle("all"))
        let row = try #require(try back.json("id", "devices").first { $0["id"] as? String == stolen })
        #expect(row["standing"] as? String == "forked")
        let revoke = ["id", "revoke", stolen, "--keep-through", last, "--yes", "--words-from", hazel.words]
        #expect(try back.run(revoke).code == 0)
        try back.post("by hazel again")
        #expect(try carry(back, birch) == "1 entry of 1 person is new; 1 device was cut off by the owner's words")
        #expect(try carry(birch, rowan) == "1 entry of 1 person is new; 1 device was cut off by the owner's words")
        // Both copies of the stolen device hear of it too.
        for home in [hazel, copy] {
            let told = try home.run("import", try birch.bundle("told"))
            #expect(told.code == 0, "\(told.err)")
            #expect(
                told.err.contains("this device was cut off: it signs nothing more; scurry id restore"),
                "\(told.err)"
            )
            #expect(try home.run("post", "stolen").code == 7)
        }
        for home in [hazel, copy, back, rowan, birch] {
            try exchange(back, home)
            #expect(Set(try home.texts()) == ["by hazel", "the last one by hazel", "an acorn", "by hazel again"])
        }

        // The account ends, by file, with a node running on the one that hears of it.
        try back.succeed("id", "end", "--yes", "--words-from", hazel.words)
        let node = try TestNode(rowan)
        #expect(try carry(back, rowan) == "1 account has ended")
        #expect(try rowan.texts() == ["an acorn"])
        #expect(try node.stop() == 0)
        #expect(try Words.files(in: rowan, holding: "by hazel again").isEmpty)
        #expect(try carry(rowan, birch) == "1 account has ended")
        let told = try copy.run("import", try birch.bundle("end"))
        #expect(told.code == 0 && told.err.contains("this account has ended"), "\(told.err)")
        for home in [copy, rowan, birch] {
            try exchange(back, home)
            #expect(try home.texts() == ["an acorn"])
        }
        #expect(try carry(rowan, birch) == "nothing new: all of it was here")
    }

    @Test func `With a running node a fork in a file is proven, and what was cut off is told to its peers`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("by hazel")
            try rowan.post("an acorn")
        }
        let copy = try hazel.copied()
        try? FileManager.default.removeItem(atPath: copy.path + "/peers")
        try copy.succeed("id", "keep", "--yes")
        try hazel.post("one branch")
        try copy.post("another branch")
        let node = try TestNode(rowan)
        try hazel.meet(node)
        let birch = try TestHome(name: "birch")
        try birch.succeed("join", try node.address())
        let peer = try TestNode(birch)
        try Eventually.equal(rowan, birch)
        #expect(try birch.texts().contains("one branch"))
        let shown = try rowan.run("import", try copy.bundle("copy"))
        #expect(shown.err == "1 log was written twice: nothing beyond the fork counts\n")
        try Eventually.equal(rowan, birch)
        for home in [rowan, birch] { #expect(Set(try home.texts()) == ["by hazel", "an acorn"]) }
        let stolen = try log(of: hazel)
        let far = try TestHome()
        try far.succeed("id", "restore", "--words-from", hazel.words)
        try far.succeed("import", try rowan.bundle("rowan"))
        let revoke = ["id", "revoke", stolen, "--keep-nothing", "--yes", "--words-from", hazel.words]
        #expect(try far.run(revoke).code == 0)
        let cutOff = try rowan.told("import", try far.bundle("far"))
        #expect(cutOff.contains("1 device was cut off"))
        try Eventually.holds("the peer to hear") { try birch.texts() == ["an acorn"] }
        try Eventually.equal(rowan, birch)
        #expect(try node.stop() == 0)
        #expect(try peer.stop() == 0)
    }

    @Test func `Forged words are one line, and what came before them stays`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("one")
        try hazel.succeed("id", "revoke", log(of: hazel), "--yes", "--words-from", hazel.words)
        let whole = try hazel.bundle("whole")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
        // The settlement stands in the first frame: its last byte is one of the signature.
        let end = try #require(Self.settlementEnd(in: bytes))
        bytes[end - 1] ^= 1
        expectFailure(
            try rowan.run("import", try rowan.write(bytes[...], "forged")),
            1,
            "the bundle is forged or damaged (badSettlement), in frame 1 at byte 48",
            hint: "export it again, and carry it as it is: scurry export > FILE"
        )
        #expect(
            try rowan.told("import", whole)
                == "2 entries of 1 person are new; 1 device was cut off by the owner's words"
        )
    }

    /// Behind the 208 bytes of the first field 3 of that length.
    private static func settlementEnd(in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: [0x1A, 0xD0, 0x01]) }.map { $0 + 3 + 208 }
    }
}
