import Foundation
import Testing

/// A device key of another log, put in the place of the home's own.
struct OtherKeyTests {
    private static let why = "the device key here belongs to another log than this home's: it signs nothing"
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
