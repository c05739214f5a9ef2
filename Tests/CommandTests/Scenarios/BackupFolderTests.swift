import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Folders into which a backup goes: it is there, or the error says whether it is.
struct BackupFolderTests {
    @Test(.enabled(if: Stranger.isPossible, "nobody else can run the program here"))
    func `A backup goes into a folder that one may write to and not read`() throws {
        let folder = try ShortFolder()
        let box = folder.file("box")
        try #require(mkdir(box, 0o700) == 0)
        if geteuid() == 0 { for path in [folder.path, box] { try #require(chown(path, 65_534, 65_534) == 0) } }
        let variables = ScurryProgram.environment(home: folder.file("home"))
        let made = try Stranger.run(["init", "--hub"], variables)
        try #require(made.code == 0, "\(made.err)")
        try #require(chmod(box, 0o300) == 0)
        defer { chmod(box, 0o700) }
        let saved = try Stranger.run(["backup", box + "/backup"], variables)
        #expect(saved.code == 0, "\(saved.err)")
        #expect(FileManager.default.fileExists(atPath: box + "/backup"))
    }

    @Test(.enabled(if: LockShim.isPossible, "needs cc, for a library that fails to flush"))
    func `A backup that a power cut may take is there, and the error says both`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let box = hub.folder.file("box")
        try #require(mkdir(box, 0o700) == 0)
        let file = box + "/backup"
        expectFailure(
            try hub.run(["backup", file], FlushShim.variables(for: box, in: hub.folder)),
            1,
            "\(file) is there and whole, but a power cut may take it: \(box): Input/output error",
            hint: "sync; dmesg | tail"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: box) == ["backup"])
        let back = try TestHome()
        try back.succeed("restore", file)
    }

    @Test(.enabled(if: LockShim.isPossible, "needs cc, for a library that knows no hard links"))
    func `Without hard links a backup that gets no name leaves none, and the next one is made`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let box = hub.folder.file("box")
        try #require(mkdir(box, 0o700) == 0)
        let file = box + "/backup"
        var variables = try LinkShim.variables(refusing: file, in: hub.folder)
        let refused = try hub.run(["backup", file], variables)
        #expect(refused.code == 1 && refused.err.contains("\(file): Input/output error"), "\(refused.err)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: box).isEmpty)
        variables["UNNAMED"] = nil
        #expect(try hub.run(["backup", file], variables).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: box) == ["backup"])
        try TestHome().succeed("restore", file)
    }
}
