import Foundation
import Testing

@testable import Transport
@testable import scurry

/// Homes and databases that cannot be used: one clear line, exit 1, nothing made worse.
struct ProblemsTests {
    private func store(of home: TestHome) -> URL {
        URL(fileURLWithPath: home.path + "/store.sqlite")
    }

    /// Commands that read, and one that writes.
    private static let commands = [["feed"], ["status"], ["show", "abcd"], ["fingerprint"], ["post", "x"]]

    @Test func `A damaged database`() throws {
        let home = try TestHome(name: "hazel")
        let damaged = Data(repeating: 0x55, count: 8_192)
        try damaged.write(to: store(of: home))
        for command in ProblemsTests.commands {
            let ended = try home.run(command)
            #expect(ended.code == 1)
            #expect(ended.err.hasPrefix("scurry: error: the database is damaged (file is not a database)\nhint: "))
            #expect(ended.err.split(separator: "\n").count == 2)
        }
        #expect(try Data(contentsOf: store(of: home)) == damaged)
    }

    @Test func `A database of a newer version`() throws {
        let home = try TestHome(name: "hazel")
        var bytes = try Data(contentsOf: store(of: home))
        // user_version, four bytes at offset 60 of the header.
        bytes[62] = 3
        try bytes.write(to: store(of: home))
        for command in ProblemsTests.commands {
            let ended = try home.run(command)
            #expect(ended.code == 1)
            #expect(ended.err.hasSuffix("a newer scurry made it\nhint: install the newer scurry again: make install\n"))
        }
        #expect(try Data(contentsOf: store(of: home)) == bytes)
    }

    @Test func `A home without its database`() throws {
        let home = try TestHome(name: "hazel")
        try FileManager.default.removeItem(at: store(of: home))
        expectFailure(
            try home.run("feed"),
            1,
            "this home has no database",
            hint: "scurry restore BACKUP, or scurry id restore with the words, in a new SCURRY_HOME"
        )
    }

    @Test func `Keys that others can read`() throws {
        let home = try TestHome(name: "hazel")
        let key = home.path + "/keys/device.key"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        expectFailure(try home.run("post", "x"), 1, "other users can get at \(key)", hint: "chmod 600 \(key)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        #expect(try home.run("post", "x").code == 0)
    }

    @Test func `What could not be made is looked for in the folder that is there`() throws {
        let folder = try ShortFolder()
        let error = SystemError(call: "open", path: folder.file("none/config.new-1"), code: EACCES)
        #expect(Problems.failure(HomeError.system(error)).hint == "ls -ld \(folder.path) shows who may do that")
        let socket = NodeTerms.failure(.control(.system(error)))
        #expect(socket.hint == "ls -ld \(folder.path) shows who may do that")
        let long = SystemError(call: "bind", path: folder.file("control.sock"), code: ENAMETOOLONG)
        #expect(NodeTerms.failure(.control(.system(long))).hint == "scurry run with a shorter SCURRY_HOME")
    }

    @Test(.enabled(if: Stranger.isPossible, "nobody else can run the program here"))
    func `A home that one may not look at is not one that is missing`() throws {
        let home = try TestHome(name: "hazel")
        chmod(home.folder.path, 0)
        defer { chmod(home.folder.path, 0o700) }
        for command in [["feed"], ["post", "x"], [], ["init", "--name", "rowan"]] {
            expectFailure(
                try Stranger.run(command, home.environment()),
                1,
                "\(home.path): Permission denied",
                hint: "ls -ld \(home.folder.path) shows who may do that"
            )
        }
    }

    @Test func `A home that a link leads nowhere is not one that is missing`() throws {
        let folder = try ShortFolder()
        let link = folder.file("round")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        let environment = ScurryProgram.environment(home: link)
        let ended = try Spawned(["feed"], environment: environment).finish()
        #expect(ended.err.hasPrefix("scurry: error: \(link): Too many levels of symbolic links\n"), "\(ended.err)")
        #expect(ended.code == 1)
    }

    @Test func `Without a directory for a home`() throws {
        let process = try Spawned(["feed"], environment: ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin"])
        let ended = try process.finish()
        expectFailure(
            ended,
            1,
            "there is no home at /nonexistent/.local/share/scurry",
            hint: "scurry init --name NAME"
        )
    }

    @Test func `XDG directories hold a home where SCURRY_HOME does not say`() throws {
        let folder = try ShortFolder()
        let variables = [
            "HOME": folder.path, "XDG_DATA_HOME": folder.file("data"), "XDG_CONFIG_HOME": folder.file("config"),
            "PATH": "/usr/bin:/bin",
        ]
        let made = try Spawned(
            ["init", "--name", "hazel", "--words-to", folder.file("words")],
            environment: variables
        ).finish()
        #expect(made.code == 0, "\(made.err)")
        let joined = try Spawned(["join", "--trust", "oak"], environment: variables).finish()
        #expect(joined.code == 0)
        #expect(FileManager.default.fileExists(atPath: folder.file("data/scurry/store.sqlite")))
        #expect(FileManager.default.fileExists(atPath: folder.file("config/scurry/peers")))
    }
}
