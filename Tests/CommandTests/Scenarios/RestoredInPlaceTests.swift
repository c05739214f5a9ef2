import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A home whose files were written over with those of last week: the same files, as far as the system knows.
struct RestoredInPlaceTests {
    private func state(_ home: TestHome, _ check: String) throws -> String? {
        let ended = try home.run("doctor", "--json")
        return try JSONLines.parse(ended.out).first { $0["id"] as? String == check }?["state"] as? String
    }

    @Test func `It signs nothing, and doctor finds it before anything was written`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("one")
        let week = try home.copied()
        try home.post("two")
        let first = try home.bundle("first")
        try home.overwrite(with: week)
        let found = try home.run("doctor")
        #expect(found.code == 1)
        #expect(found.out.contains("problem  signing"), "\(found.out)")
        #expect(found.err.contains("scurry id restore, or scurry id keep"))
        let refused = try home.run("post", "other two")
        #expect(refused.code == 7, "\(refused.err)")
        #expect(refused.err.contains("copied, moved or restored from a backup"))
        #expect(try home.signingStop() == "copied")
        // Whoever has the file does not learn of a fork.
        let reader = try TestHome(name: "rowan")
        try reader.succeed("import", first)
        try reader.succeed("import", try home.bundleWithoutOwnPosts("second"))
        #expect(try reader.json("status").first?["set_aside_logs"] as? Int == 0)
        #expect(Set(try reader.texts()) == ["one", "two"])
        // The person decides, and it is as any other home from then on.
        try home.succeed("import", first)
        try home.succeed("id", "keep", "--yes")
        try home.post("three")
        try home.post("four")
        #expect(try home.signingStop() == nil)
        #expect(Set(try home.texts()) == ["one", "two", "three", "four"])
    }

    @Test func `Also where the copy was made while the node ran, and the node wrote on`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        try home.post("one")
        let week = try home.copied()
        try home.post("two")
        #expect(try node.stop() == 0)
        try home.overwrite(with: week)
        #expect(try home.run("post", "other two").code == 7)
        try home.succeed("id", "restore", "--words-from", home.words)
        try home.post("three")
    }

    @Test func `What was written over with the same, and what forgot its state, signs on`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("one")
        let same = try home.copied()
        try home.succeed("feed")
        try home.overwrite(with: same)
        #expect(try state(home, "signing") == nil)
        try home.post("two")
        try home.forgetState()
        try home.post("three")
        #expect(try home.signingStop() == nil)
    }

    @Test func `Kills, a full state directory, and commands beside a node look like no copy`() throws {
        var random = Seeded.fresh()
        let home = try TestHome(name: "hazel")
        for round in 0..<8 {
            let node = try TestNode(home)
            let command = try home.start(["post", "round \(round)"])
            command.closeInput()
            usleep(UInt32.random(in: 0...30_000, using: &random))
            node.process.signal(SIGKILL)
            _ = try node.process.exitCode()
            _ = try command.finish()
            // Again as long as the node that died holds the lock.
            try Eventually.holds("a post") { try home.run("post", "after \(round)").code == 0 }
        }
        #expect(try home.signingStop() == nil, "seed \(random.seed)")
        // Nothing can be kept there: nothing is concluded.
        try home.forgetState()
        try Data().write(to: URL(fileURLWithPath: home.path + "-state"))
        try home.post("without a state")
        try home.post("and again")
        #expect(try home.signingStop() == nil)
    }

    @Test func `A new home at the place of an old one begins anew`() throws {
        let home = try TestHome(name: "hazel")
        for number in 0..<3 { try home.post("\(number)") }
        let backup = home.folder.file("backup")
        try home.succeed("backup", backup)
        try FileManager.default.removeItem(atPath: home.path)
        try home.succeed("init", "--name", "oak", "--words-to", home.folder.file("oak"))
        try home.post("first")
        try FileManager.default.removeItem(atPath: home.path)
        try home.succeed("restore", backup)
        try home.succeed("id", "restore", "--words-from", home.words)
        try home.post("back")
        #expect(try home.signingStop() == nil)
    }

    @Test func `Doctor finds a fresh copy, and a device that was cut off`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("one")
        let copy = try home.copied()
        let found = try copy.run("doctor")
        #expect(found.code == 1)
        #expect(found.out.contains("problem  signing"), "\(found.out)")
        let log = try #require(try home.json("whoami").first?["log"] as? String)
        #expect(try home.run("id", "revoke", log, "--yes", "--words-from", home.words).code == 0)
        let ended = try home.run("doctor")
        #expect(ended.code == 1)
        #expect(ended.out.contains("this device was cut off"), "\(ended.out)")
        #expect(ended.err.contains("scurry id restore goes on with a new log"))
    }

    @Test func `The database's file alone holds all that was written, once nobody has it open`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        try home.post("a text to look for")
        #expect(try node.stop() == 0)
        let file = try Data(contentsOf: URL(fileURLWithPath: home.path + "/store.sqlite"))
        #expect(file.range(of: Data("a text to look for".utf8)) != nil)
        let log = try? FileManager.default.attributesOfItem(atPath: home.path + "/store.sqlite-wal")
        #expect(log?[.size] as? Int ?? 0 == 0)
    }
}
