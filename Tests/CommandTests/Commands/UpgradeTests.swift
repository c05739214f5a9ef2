import Foundation
import Testing

/// What a new program finds and leaves behind.
struct UpgradeTests {
    @Test func `A node notices that its program was replaced, says so once, and goes on`() throws {
        let home = try TestHome(name: "hazel")
        let program = home.folder.file("scurry")
        try copyProgram(to: program)
        let node = try Spawned(
            ["run", "--listen", "127.0.0.1:0"],
            environment: home.environment(),
            program: program
        )
        try node.wait(for: "listens on", in: .err)
        #expect(try home.json("status").first?["replaced"] as? Bool == false)
        // As `install` does it: the old file loses its name. In between there is none, which is no new one.
        try FileManager.default.removeItem(atPath: program)
        #expect(try home.json("status").first?["replaced"] as? Bool == false)
        try Data("another program".utf8).write(to: URL(fileURLWithPath: program))
        #expect(try home.json("status").first?["replaced"] as? Bool == true)
        #expect(
            try home.succeed("status").contains(#/ program +was replaced; the new one runs when the node is started/#)
        )
        let finding = try #require(
            try JSONLines.parse(home.run("doctor", "--json").out).first { $0["id"] as? String == "node" }
        )
        #expect(finding["state"] as? String == "warn")
        try home.post("It goes on.")
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
        let log = try node.finish().err
        #expect(log.components(separatedBy: "\(program) was replaced").count == 2, "\(log)")
    }

    /// By another process: a file that this one had open for writing could not be run while a child of another test has
    /// it.
    private func copyProgram(to path: String) throws {
        let copy = Process()
        copy.executableURL = URL(fileURLWithPath: "/bin/cp")
        copy.arguments = [ScurryProgram.path, path]
        try copy.run()
        copy.waitUntilExit()
        try #require(copy.terminationStatus == 0)
    }

    @Test func `A copy from before a migration does not outlive the first erasure`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("quetzalcoatl")
        let other = try home.post("harmless")
        let copies = ["store.sqlite.before-v2", "store.sqlite.before-v3.partial"].map { home.path + "/" + $0 }
        for copy in copies { try FileManager.default.copyItem(atPath: home.path + "/store.sqlite", toPath: copy) }
        try home.succeed("vote", "up", other)
        #expect(copies.allSatisfy(FileManager.default.fileExists))
        try home.succeed("delete", id)
        #expect(!copies.contains(where: FileManager.default.fileExists))
        #expect(try Words.files(in: home, holding: "quetzalcoatl").isEmpty)
    }

    @Test func `Uninstalling removes what was installed, and says what stays`() throws {
        let folder = try ShortFolder()
        let manual = "usr/share/man/man1"
        try FileManager.default.createDirectory(
            atPath: folder.file(manual),
            withIntermediateDirectories: true
        )
        try FileManager.default.createDirectory(atPath: folder.file("usr/bin"), withIntermediateDirectories: true)
        let installed = ["usr/bin/scurry", manual + "/scurry.1", manual + "/scurry-post.1"]
        for file in installed + ["usr/bin/other"] { try folder.write("", to: file) }
        let (code, text) = try make("uninstall", "DESTDIR=\(folder.path)", "PREFIX=/usr")
        #expect(code == 0)
        for word in ["What stays", "SCURRY_HOME", "keys", "systemctl --user disable --now scurry"] {
            #expect(text.contains(word), "\(text)")
        }
        for file in installed { #expect(!FileManager.default.fileExists(atPath: folder.file(file))) }
        #expect(FileManager.default.fileExists(atPath: folder.file("usr/bin/other")))
    }

    @Test func `Manual pages have the names under which man looks for them`() throws {
        let folder = try ShortFolder()
        let page = ".Dt SCURRY.ID.RESTORE 1\nscurry restore scurry.backup\n.Xr scurry.id 1 ,\n"
        for file in ["scurry.1", "scurry.id.restore.1"] { try folder.write(page, to: file) }
        #expect(try make("manual-names", "MANUAL=\(folder.path)").code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["scurry-id-restore.1", "scurry.1"])
        #expect(
            try folder.read("scurry-id-restore.1")
                == ".Dt SCURRY-ID-RESTORE 1\nscurry restore scurry.backup\n.Xr scurry-id 1 ,\n"
        )
    }

    private func make(_ arguments: String...) throws -> (code: Int32, out: String) {
        let make = Process()
        make.executableURL = URL(fileURLWithPath: "/usr/bin/make")
        let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        make.arguments = ["-s", "-C", project] + arguments
        let output = Pipe()
        make.standardOutput = output
        try make.run()
        make.waitUntilExit()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (make.terminationStatus, text)
    }
}
