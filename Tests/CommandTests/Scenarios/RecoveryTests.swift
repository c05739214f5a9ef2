import Foundation
import Testing

/// `id restore` and `id devices`: a lost laptop, several devices, keys that are lost.
struct RecoveryTests {
    @Test func `A lost laptop is restored elsewhere, and follows and posts come back`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, rowan in
            try hazel.post("before the loss", "-c", "squirrels")
            try rowan.post("an acorn")
        }
        let before = try #require(try hazel.json("whoami").first)
        let acorn = try #require(try hazel.json("feed").first { $0["text"] as? String == "an acorn" }?["id"] as? String)
        try hazel.succeed("vote", "up", acorn)
        try hazel.succeed("follow", "rowan")
        let node = try TestNode(rowan)
        try hazel.meet(node)

        // The laptop is gone; the words are not.
        let back = try TestHome()
        let restored = try back.run("id", "restore", "--words-from", hazel.words)
        #expect(restored.code == 0, "\(restored.err)")
        #expect(restored.out.isEmpty)
        #expect(restored.err.contains("again, with a new device."))
        let after = try #require(try back.json("whoami").first)
        #expect(after["id"] as? String == before["id"] as? String)
        #expect(after["log"] as? String != before["log"] as? String)
        #expect(after["device"] as? String != before["device"] as? String)
        // Offline it writes at once.
        try back.post("after the loss")
        try back.meet(node)
        #expect(Set(try back.texts()) == ["before the loss", "an acorn", "after the loss"])
        #expect(try back.json("whoami").first?["name"] as? String == "hazel")
        #expect(try back.json("who", "rowan").first?["following"] as? Bool == true)
        #expect(try back.json("feed").first { $0["id"] as? String == acorn }?["vote"] as? String == "up")
        try Eventually.equal(back, rowan)
        #expect(Set(try rowan.texts()) == ["before the loss", "an acorn", "after the loss"])
        let devices = try back.json("id", "devices")
        #expect(devices.count == 2)
        #expect(devices.map { $0["own"] as? Bool } == [true, false])
        #expect(devices.last?["id"] as? String == before["log"] as? String)
        #expect(try rowan.json("status").first?["set_aside_logs"] as? Int == 0)
    }

    @Test func `Two devices that post offline and then meet lose nothing, and votes converge`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { _, rowan in try rowan.post("an acorn") }
        let node = try TestNode(rowan)
        let second = try TestHome()
        try second.succeed("id", "restore", "--words-from", hazel.words)
        try second.meet(node)
        let acorn = try #require(
            try second.json("feed").first { $0["text"] as? String == "an acorn" }?["id"] as? String
        )
        _ = try node.stop()
        // A day offline, each.
        for number in 0..<3 {
            try hazel.post("laptop \(number)")
            try second.post("desktop \(number)")
        }
        try hazel.succeed("vote", "up", acorn)
        try second.succeed("vote", "down", acorn)
        try second.succeed("vote", "up", acorn)
        let laptop = try TestNode(hazel)
        try second.meet(laptop)
        try Eventually.equal(hazel, second)
        try rowan.meet(laptop)
        try Eventually.equal(hazel, second, rowan)
        let wanted: Set = [
            "an acorn", "laptop 0", "laptop 1", "laptop 2", "desktop 0", "desktop 1", "desktop 2",
        ]
        for home in [hazel, second, rowan] {
            #expect(Set(try home.texts()) == wanted)
            let row = try #require(try home.json("feed").first { $0["id"] as? String == acorn })
            #expect(row["up"] as? Int == 1 && row["down"] as? Int == 0)
            #expect(try home.json("status").first?["set_aside_logs"] as? Int == 0)
        }
        #expect(try hazel.signingStop() == nil && second.signingStop() == nil)
        try hazel.post("and on")
        try second.post("and on, too")
    }

    @Test func `An edit from another device of a post that was deleted meanwhile is erased on both`() throws {
        let hazel = try TestHome(name: "hazel")
        let id = try hazel.post("first words")
        let second = try TestHome()
        try second.succeed("id", "restore", "--words-from", hazel.words)
        let node = try TestNode(hazel)
        try second.meet(node)
        try second.succeed("edit", id, "quetzalcoatl")
        #expect(try Self.holds("quetzalcoatl", second))
        try hazel.succeed("delete", id)
        // A node looks at its start, too: nothing starts anew from here on.
        let other = try TestNode(second)
        try Eventually.holds("the edit to be erased") {
            try !Self.holds("quetzalcoatl", hazel) && !Self.holds("quetzalcoatl", second)
        }
        withExtendedLifetime((node, other)) {}
    }

    /// Whether the words are in the home's store or its write-ahead log.
    private static func holds(_ words: String, _ home: TestHome) throws -> Bool {
        try ["store.sqlite", "store.sqlite-wal"].contains { name in
            let path = home.path + "/" + name
            guard FileManager.default.fileExists(atPath: path) else { return false }
            return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(words.utf8)) != nil
        }
    }

    @Test func `A device key for another network is named, and the words make one for this`() throws {
        let hazel = try TestHome(name: "hazel")
        let elsewhere = try TestHome()
        try elsewhere.succeed("id", "restore", "--words-from", hazel.words, "--network", "elsewhere")
        try Shell.run("cp", elsewhere.path + "/keys/device.key", hazel.path + "/keys/device.key")
        expectFailure(
            try hazel.run("post", "x"),
            1,
            "\(hazel.path)/keys/device.key belongs to another network",
            hint: "scurry id restore, with the recovery words, writes another"
        )
        try hazel.succeed("id", "restore", "--words-from", hazel.words)
        try hazel.post("again")
        #expect(try hazel.json("id", "devices").count == 2)
    }

    @Test func `A locked copy says first that it signs nothing, and is kept once it is unlocked`() throws {
        let hazel = try TestHome(name: "hazel")
        let passphrase = hazel.folder.file("passphrase")
        try hazel.folder.writeSecret("open sesame\n", to: "passphrase")
        try hazel.succeed("lock", "--yes", "--passphrase-file", passphrase)
        let copy = try hazel.copied()
        let refused = try copy.run("post", "x")
        #expect(refused.code == 7)
        #expect(refused.err.contains("it signs nothing until you decide; the text is kept in"))
        expectFailure(
            try copy.run("id", "keep", "--yes"),
            4,
            "the key of this device is locked",
            hint: "scurry unlock"
        )
        try copy.succeed("unlock", "--passphrase-file", passphrase)
        try copy.succeed("id", "keep", "--yes")
        try copy.post("unlocked and kept")
        try copy.succeed("lock", "--yes")
        // The passphrase is lost, the words are not.
        let restored = try copy.run("id", "restore", "--words-from", hazel.words)
        #expect(restored.code == 0, "\(restored.err)")
        #expect(restored.err.contains("The new device key has no passphrase: scurry lock sets one."))
        try copy.post("without a passphrase")
        #expect(try copy.json("id", "devices").count == 2)
    }

    @Test func `A hub becomes a person's home, and only if it is meant to`() throws {
        let hazel = try TestHome(name: "hazel")
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        expectFailure(
            try hub.run("id", "devices"),
            7,
            "this home is a hub: it has no person",
            hint: "SCURRY_HOME=DIR scurry init --name NAME makes a home for you"
        )
        expectFailure(
            try hub.run("id", "restore", "--words-from", hazel.words),
            7,
            "this home is a hub, and nobody can be asked here whether it is to be yours",
            hint: "scurry id restore --yes --words-from \(hazel.words); "
                + "in another home: SCURRY_HOME=DIR scurry id restore"
        )
        let question = "This home is a hub, without a person. Shall it be yours, for good? [y/N] "
        let command = ["id", "restore", "--words-from", hazel.words]
        let no = try hub.start(command, streams: .terminal(columns: 80))
        try no.wait(for: question)
        no.send("\r")
        let refused = try no.finish()
        #expect(refused.code == 7 && refused.out.contains("nothing was changed"), "\(refused.out)")
        #expect(try hub.json("whoami").first?["id"] is NSNull)
        let yes = try hub.start(command, streams: .terminal(columns: 80))
        try yes.wait(for: question)
        yes.send("y\r")
        let agreed = try yes.finish()
        #expect(agreed.code == 0, "\(agreed.out)")
        try hub.post("from the hub")
        let other = try TestHome()
        try other.succeed("init", "--hub")
        try other.succeed("id", "restore", "--yes", "--words-from", hazel.words)
        #expect(try other.json("whoami").first?["id"] as? String == hazel.json("whoami").first?["id"] as? String)
        #expect(try hub.json("id", "devices").count == 1)
    }

    @Test func `A home with a device key goes to nobody else, though its database is lost`() throws {
        let (hazel, oak, hub) = (try TestHome(name: "hazel"), try TestHome(name: "oak"), try TestHome())
        try hub.succeed("init", "--hub")
        try hazel.overwriteStore(from: hub)
        let key = try Data(contentsOf: URL(fileURLWithPath: hazel.path + "/keys/device.key"))
        expectFailure(
            try hazel.run("id", "restore", "--words-from", oak.words),
            7,
            "these words are another person's than this home's",
            hint: "SCURRY_HOME=DIR scurry id restore makes a home for them"
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: hazel.path + "/keys/device.key")) == key)
    }

    @Test(arguments: ["open", "locked", "damaged"])
    func `A home with a device key is no hub, though its database is lost`(key: String) throws {
        let (hazel, hub) = (try TestHome(name: "hazel"), try TestHome())
        let id = try #require(try hazel.json("whoami").first?["id"] as? String)
        switch key {
        case "locked":
            try hazel.folder.writeSecret("open sesame\n", to: "passphrase")
            try hazel.succeed("lock", "--yes", "--passphrase-file", hazel.folder.file("passphrase"))
        case "damaged": try hazel.folder.write("damaged", to: "home/keys/device.key")
        default: break
        }
        // A database without a person.
        try hub.succeed("init", "--hub")
        try hazel.overwriteStore(from: hub)
        try hazel.succeed("id", "restore", "--words-from", hazel.words)
        #expect(try hazel.json("whoami").first?["id"] as? String == id)
        try hazel.post("back")
    }
}
