import Foundation
import Testing

/// A device key of another log, put in the place of the home's own.
struct OtherKeyTests {
    private static let why = "the device key here belongs to another log than this home's: it signs nothing"
    private static let later =
        "the device key here belongs to another log than this home's: once the node is started again it signs nothing"
    private static let way = "scurry id restore, with the recovery words, writes another"

    private func key(of home: TestHome) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: home.path + "/keys/device.key"))
    }

    /// Hazel's home with rowan's key.
    private func mixed(_ prepare: (TestHome) throws -> Void = { _ in }) throws -> TestHome {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try prepare(rowan)
        try Shell.run("cp", rowan.path + "/keys/device.key", hazel.path + "/keys/device.key")
        return hazel
    }

    @Test func `Whatever looks says that the home signs nothing, and the words mend it`() throws {
        let hazel = try mixed()
        let kept = "\(Self.why); the text is kept in \(hazel.path)/drafts/post"
        expectFailure(try hazel.run("post", "kept"), 7, kept, hint: Self.way)
        expectFailure(try hazel.run("name", "oak"), 7, Self.why, hint: Self.way)
        #expect(try hazel.signingStop() == "otherKey")
        for command in ["status", "whoami"] {
            #expect(try hazel.run([command], ["COLUMNS": "120"]).out.contains("stopped: \(Self.why)"), "\(command)")
        }
        let status = try hazel.succeed("status")
        #expect(status.contains(" next: scurry id restore\n") && !status.contains("id keep"), "\(status)")
        let doctor = try hazel.run("doctor", "--json")
        let finding = try #require(try JSONLines.parse(doctor.out).first { $0["id"] as? String == "signing" })
        #expect(doctor.code == 1 && finding["state"] as? String == "problem")
        #expect(finding["text"] as? String == Self.why && finding["help"] as? String == Self.way)
        expectFailure(try hazel.run("id", "keep", "--yes"), 7, Self.why, hint: Self.way)
        let before = try key(of: hazel)
        expectFailure(try hazel.run("lock", "--yes"), 7, Self.why, hint: Self.way)
        #expect(try key(of: hazel) == before)
        let node = try TestNode(hazel)
        try node.process.wait(for: Self.why, in: .err)
        #expect(try hazel.run("post", "through the node").code == 7)
        #expect(try node.stop() == 0)
        try hazel.succeed("id", "restore", "--words-from", hazel.words)
        #expect(try hazel.signingStop() == nil)
        try hazel.post("again")
    }

    @Test func `The other's key is put aside by the words, and works where it belongs`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        for number in 1...2 {
            try Shell.run("mv", rowan.path + "/keys/device.key", hazel.path + "/keys/device.key")
            let before = try key(of: hazel)
            let aside = hazel.path + "/keys/device.key.other" + (number == 1 ? "" : "-\(number)")
            let said = try hazel.run("id", "restore", "--words-from", hazel.words)
            #expect(said.code == 0, "\(said.err)")
            #expect(said.err.contains("The device key that was here is another home's; it is now in \(aside)\n"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == before)
            let mode = try FileManager.default.attributesOfItem(atPath: aside)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try hazel.post("hazel \(number)")
            try Shell.run("cp", "-p", aside, rowan.path + "/keys/device.key")
            try rowan.post("rowan \(number)")
        }
    }

    @Test func `Whoami names the home's own log, and no device that is another's`() throws {
        let hazel = try TestHome(name: "hazel")
        let before = try #require(try hazel.json("whoami").first)
        let rowan = try TestHome(name: "rowan")
        let other = try #require(try rowan.json("whoami").first)
        try Shell.run("cp", rowan.path + "/keys/device.key", hazel.path + "/keys/device.key")
        let after = try #require(try hazel.json("whoami").first)
        #expect(after["log"] as? String == before["log"] as? String && after["log"] is String)
        #expect(after["device"] is NSNull)
        let page = try hazel.run(["whoami"], ["COLUMNS": "120"]).out
        for key in ["device", "log"] {
            let id = try #require(other[key] as? String)
            #expect(!page.contains(id), "\(key): \(page)")
        }
    }

    @Test func `A node goes on with the key that it read, until it is told or started again`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let node = try TestNode(hazel)
        try hazel.post("before")
        try Shell.run("cp", rowan.path + "/keys/device.key", hazel.path + "/keys/device.key")
        try hazel.post("with the key in memory")
        let row = try node.status()
        #expect(row["signing_stopped"] as? Bool == false && row["signing_stop"] as? String == "otherKey")
        for command in ["status", "whoami"] {
            let page = try hazel.run([command], ["COLUMNS": "120"]).out
            #expect(page.contains(Self.later) && !page.contains("stopped: "), "\(command): \(page)")
        }
        let doctor = try hazel.run("doctor", "--json")
        let finding = try #require(try JSONLines.parse(doctor.out).first { $0["id"] as? String == "signing" })
        #expect(finding["state"] as? String == "problem" && finding["text"] as? String == Self.later)
        // What is to be locked is the key in the node's memory, too.
        expectFailure(try hazel.run("lock", "--yes"), 7, Self.why, hint: Self.way)
        #expect(try hazel.run("post", "too late").code == 7)
        #expect(try hazel.json("status").first?["signing_stopped"] as? Bool == true)
        #expect(try hazel.run(["status"], ["COLUMNS": "120"]).out.contains("stopped: \(Self.why)"))
        #expect(try node.stop() == 0)
    }

    @Test func `A node that began with another's key says so after the right one is back`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let (place, kept) = (hazel.path + "/keys/device.key", hazel.folder.file("kept"))
        try Shell.run("cp", "-p", place, kept)
        try Shell.run("cp", rowan.path + "/keys/device.key", place)
        let node = try TestNode(hazel)
        try Shell.run("cp", kept, place)
        let row = try node.status()
        #expect(row["signing_stopped"] as? Bool == true && row["signing_stop"] is NSNull)
        #expect(try hazel.run(["status"], ["COLUMNS": "120"]).out.contains("stopped in the node that runs"))
        let doctor = try hazel.run("doctor", "--json")
        let finding = try #require(try JSONLines.parse(doctor.out).first { $0["id"] as? String == "signing" })
        #expect(finding["state"] as? String == "problem")
        #expect(try hazel.run("post", "not yet").code == 7)
        #expect(try node.stop() == 0)
        try hazel.post("again")
    }

    @Test func `A key under a passphrase is known by its certificate`() throws {
        let hazel = try mixed { rowan in
            try rowan.folder.writeSecret("open sesame\n", to: "passphrase")
            try rowan.succeed("lock", "--yes", "--passphrase-file", rowan.folder.file("passphrase"))
        }
        #expect(try hazel.signingStop() == "otherKey")
        let kept = "\(Self.why); the text is kept in \(hazel.path)/drafts/post"
        expectFailure(try hazel.run("post", "kept"), 7, kept, hint: Self.way)
        expectFailure(try hazel.run("id", "keep", "--yes"), 7, Self.why, hint: Self.way)
        try hazel.succeed("id", "restore", "--words-from", hazel.words)
        try hazel.post("again")
    }
}
