import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `backup` and `restore`.
struct BackupTests {
    private func contents(_ path: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: path))
    }

    /// A file beside the home, or in it, as a backup begins it, that was last written so many seconds ago.
    private func write(_ name: String, age: Double, _ home: TestHome) throws {
        try home.folder.write(name.contains("partial-") ? "scurry backup 1\n" : "SQLite format 3\0", to: name)
        let facts: [FileAttributeKey: Any] = [
            .modificationDate: Date(timeIntervalSinceNow: -age), .posixPermissions: 0o600,
        ]
        try FileManager.default.setAttributes(facts, ofItemAtPath: home.folder.file(name))
    }

    @Test func `A backup that cannot be written names the file as it was given`() throws {
        let home = try TestHome(name: "hazel")
        let folder = home.folder.file("nowhere")
        expectFailure(
            try home.run("backup", folder + "/backup"),
            1,
            "\(folder)/backup: No such file or directory",
            hint: "ls -d \(home.folder.path) is as far as the path goes"
        )
    }

    @Test func `A backup of a running node brings everything back but the device key, and forks nothing`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in try hazel.post("before", "-c", "oaks") }
        try hazel.succeed("channel", "join", "oaks")
        let node = try TestNode(hazel)
        let file = hazel.folder.file("backup")
        let saved = try hazel.told("backup", file)
        #expect(saved == "saved all but the device key in \(file); to come back: scurry restore \(file)")
        #expect(try contents(hazel.folder.path) == ["home", "home-state", "words", "backup"])
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let key = try Data(contentsOf: URL(fileURLWithPath: hazel.path + "/keys/device.key"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: key[16..<48]) == nil)
        let print = try hazel.succeed("fingerprint")
        let me = try #require(try hazel.json("whoami").first)
        _ = try node.stop()
        try hazel.post("after the backup")

        let back = try TestHome()
        let restored = try back.run("restore", file)
        #expect(restored.code == 0, "\(restored.err)")
        #expect(restored.err.contains("It has no device key and signs nothing yet.\nnext: scurry id restore"))
        #expect(try back.succeed("fingerprint") == print)
        #expect(try back.json("whoami").first?["node"] as? String == me["node"] as? String)
        #expect(try back.json("channel", "list").first?["joined"] as? Bool == true)
        #expect(!FileManager.default.fileExists(atPath: back.path + "/keys/device.key"))
        let refused = try back.run("post", "not yet")
        #expect(refused.code == 7)
        #expect(refused.err.contains("hint: scurry id restore, with the recovery words\n"))
        #expect(try back.run("id", "keep", "--yes").code == 7)

        try back.succeed("id", "restore", "--words-from", hazel.words)
        try back.post("again")
        // The machine that was saved lives on: both write, and nothing forks.
        let witness = try TestNode(rowan)
        try back.meet(witness)
        try hazel.meet(witness)
        try back.meet(witness)
        try Eventually.equal(hazel, back, rowan)
        #expect(Set(try rowan.texts()) == ["before", "after the backup", "again"])
        #expect(try rowan.json("status").first?["set_aside_logs"] as? Int == 0)
    }

    @Test func `A backup made while somebody writes is one moment of the home`() throws {
        let hazel = try TestHome(name: "hazel")
        let node = try TestNode(hazel)
        for round in 0..<3 {
            let writing = try hazel.start(["post", "while it is saved \(round)"])
            let file = hazel.folder.file("backup \(round)")
            try hazel.succeed("backup", file)
            #expect(try writing.finish().code == 0)
            let back = try TestHome()
            try back.succeed("restore", file)
            let print = try back.succeed("fingerprint")
            #expect((round...round + 1).contains(try back.texts().count))
            try back.succeed("rebuild")
            #expect(try back.succeed("fingerprint") == print)
        }
        _ = try node.stop()
    }

    @Test func `A file that is there is never overwritten`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.folder.write("precious", to: "file")
        let file = hazel.folder.file("file")
        expectFailure(
            try hazel.run("backup", "-"),
            64,
            "a backup is a file that you alone can read",
            hint: "scurry backup FILE"
        )
        expectFailure(
            try hazel.run("backup", file),
            1,
            "\(file) is there already",
            hint: "scurry backup another file, or rm \(file) first"
        )
        #expect(try hazel.folder.read("file") == "precious")
        let nowhere = try hazel.run("backup", "/nowhere/file")
        #expect(nowhere.code == 1)
        #expect(nowhere.err.contains("No such file or directory"))
    }

    @Test func `Two backups to one name are one, and whole`() throws {
        let hazel = try TestHome(name: "hazel")
        for number in 0..<40 { try hazel.post("post \(number) \(String(repeating: "x", count: 20_000))") }
        for round in 0..<4 {
            let file = hazel.folder.file("backup \(round)")
            let both = try (0..<2).map { _ in try hazel.start(["backup", file]) }
            let codes = try both.map { try $0.finish().code }.sorted()
            #expect(codes == [0, 1])
            let back = try TestHome()
            try back.succeed("restore", file)
            #expect(try back.texts().count == 40)
        }
        #expect(try contents(hazel.folder.path).count == 3 + 4)
        #expect(try contents(hazel.path).allSatisfy { !$0.hasPrefix("backup") })
    }

    @Test func `What a backup that was killed left is removed by the next one into the same folder`() throws {
        let hazel = try TestHome(name: "hazel")
        for (name, age) in [
            ("backup.partial-0123456789abcdef", 4_000.0), ("backup.copy-0123456789abcdef", 4_000),
            ("backup.copy-0123456789abcdef-journal", 4_000), ("other.partial-0123456789abcdea", 4_000),
            // One of the last hour may belong to a backup that runs on another machine.
            ("backup.partial-0123456789abcdee", 3_000),
            ("home/backup-copy-0123456789abcdea", 0), ("home/backup-copy-0123456789abcdea-journal", 0),
        ] {
            try write(name, age: age, hazel)
        }
        try hazel.succeed("backup", hazel.folder.file("backup"))
        let left = try contents(hazel.folder.path).filter { $0.hasPrefix("backup") || $0.hasPrefix("other") }
        #expect(left == ["backup", "backup.partial-0123456789abcdee"])
        #expect(try contents(hazel.path).allSatisfy { !$0.hasPrefix("backup") })
    }

    @Test(arguments: [["post", "an acorn"], ["run", "--no-dial"]])
    func `A copy that a killed backup left is removed by whoever writes next`(command: [String]) throws {
        let hazel = try TestHome(name: "hazel")
        for suffix in ["", "-journal"] { try write("home/backup-copy-0123456789abcdef" + suffix, age: 0, hazel) }
        try write("home/backup-copy-notes", age: 0, hazel)
        if command[0] == "run" {
            #expect(try TestNode(hazel).stop() == 0)
        } else {
            #expect(try hazel.run(command).code == 0)
        }
        #expect(try contents(hazel.path).filter { $0.hasPrefix("backup") } == ["backup-copy-notes"])
    }

    /// A backup that waits for the reader's file, which somebody holds: its partial file is there.
    private func waitingBackup(of home: TestHome, to file: String) throws -> (backup: Spawned, reader: Int32) {
        try home.succeed("channel", "join", "oaks")
        let reader = open(home.path + "/reader.sqlite", O_RDWR | O_CLOEXEC)
        try #require(reader >= 0)
        // As SQLite locks a file for writing: the bytes that readers share.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0002
        lock.l_len = 510
        try #require(fcntl(reader, F_SETLK, &lock) == 0)
        let backup = try home.start(["backup", file])
        try Eventually.holds("the partial file") {
            try contents(home.folder.path).contains { $0.hasPrefix("backup.partial-") }
        }
        return (backup, reader)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `A backup that is interrupted leaves nothing`(signal: Int32) throws {
        let hazel = try TestHome(name: "hazel")
        let (backup, reader) = try waitingBackup(of: hazel, to: hazel.folder.file("backup"))
        defer { close(reader) }
        backup.signal(signal)
        #expect(try backup.exitCode() == -signal)
        #expect(try contents(hazel.folder.path).allSatisfy { !$0.hasPrefix("backup") })
        #expect(try contents(hazel.path).allSatisfy { !$0.hasPrefix("backup") })
    }

    @Test func `A file of the person whose name only begins like a leftover's stays, however old it is`() throws {
        let hazel = try TestHome(name: "hazel")
        let names = [
            "b.partial-notes", "b.partial-0123456789abcde", "b.partial-0123456789ABCDEF",
            "b.partial-0123456789abcdef0", "b.partial-0123456789abcdef.txt", "b.partial-202511280110",
            "b.copy-202511280109", "b.copy-2025112801090000",
        ]
        for name in names { try write(name, age: 90_000, hazel) }
        try hazel.succeed("backup", hazel.folder.file("b"))
        #expect(try contents(hazel.folder.path).isSuperset(of: names))
    }

    @Test func `What has no place in a backup is named, and is in nobody's way`() throws {
        let hazel = try TestHome(name: "hazel")
        try Shell.run("mkdir", "-p", hazel.path + "/drafts/old")
        try hazel.folder.write("kept", to: "home/drafts/post")
        try hazel.folder.write("an editor's", to: "home/drafts/post~")
        let file = hazel.folder.file("backup")
        let saved = try hazel.run("backup", file)
        #expect(saved.code == 0)
        for name in ["drafts/old", "drafts/post~"] {
            #expect(saved.err.contains("left out: \(name) is no file of a home\n"), "\(saved.err)")
        }
        let back = try TestHome()
        try back.succeed("restore", file)
        #expect(try contents(back.path + "/drafts") == ["post"])
    }

    @Test func `A home is never overwritten`() throws {
        let hazel = try TestHome(name: "hazel")
        let file = hazel.folder.file("backup")
        try hazel.succeed("backup", file)
        let refused = try hazel.run("restore", file)
        #expect(refused.code == 1)
        #expect(refused.err.contains("there is a home at \(hazel.path) already"))
        #expect(try hazel.run("post", "as before").code == 0)
    }

    @Test func `Whatever is cut off, changed, or no backup at all is refused in one line and leaves nothing`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        try hazel.succeed("backup", hazel.folder.file("backup"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: hazel.folder.file("backup")))
        let file = hazel.folder.file("broken")
        let back = try TestHome()
        func expectRefused(_ bytes: Data, _ words: String, _ what: String) throws {
            try bytes.write(to: URL(fileURLWithPath: file))
            let refused = try back.run("restore", file)
            #expect(refused.code == 1, "\(what)")
            #expect(refused.err.hasPrefix("scurry: error: \(file) \(words)\nhint: "), "\(what): \(refused.err)")
            #expect(refused.err.split(separator: "\n").count == 2, "\(what)")
            #expect(!FileManager.default.fileExists(atPath: back.path), "\(what)")
        }
        let cut = "is cut off: a part of the backup is missing"
        for count in [16, 17, 40, whole.count / 2, whole.count - 37, whole.count - 1] {
            try expectRefused(whole.prefix(count), cut, "cut at \(count)")
        }
        for place in stride(from: 21, to: whole.count, by: whole.count / 12) {
            var changed = whole
            changed[place] ^= 0x20
            try expectRefused(changed, "is damaged", "changed at \(place)")
        }
        try expectRefused(whole + [0], "is damaged", "a byte more")
        try expectRefused(Data("something else entirely".utf8), "is no backup of a home", "foreign")
        try expectRefused(Data(), "is no backup of a home", "empty")
        try expectRefused(
            Data("scurry backup 2\n".utf8) + whole.dropFirst(16),
            "was written by a newer scurry",
            "newer"
        )
        let absent = try back.run("restore", hazel.folder.file("absent"))
        #expect(absent.code == 3 && absent.err.contains("No such file or directory"))
        #expect(try back.run("restore", hazel.folder.file("backup")).code == 0)
    }

    @Test func `A backup that comes through a pipe is refused as a pipe`() throws {
        let hazel = try TestHome(name: "hazel")
        let file = hazel.folder.file("backup")
        try hazel.succeed("backup", file)
        let back = try TestHome()
        let ended = try Spawned(
            ["-c", "cat \"$0\" 2> /dev/null | \"$1\" restore /dev/stdin", file, ScurryProgram.path],
            environment: back.environment(),
            program: "/bin/sh"
        ).finish()
        expectFailure(
            ended,
            1,
            "/dev/stdin is not a file: a backup is read twice, which no pipe allows",
            hint: "write it into a file first: scurry restore FILE"
        )
        #expect(!FileManager.default.fileExists(atPath: back.path))
    }

    @Test func `A restore that was killed is started over, by restore as by init`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("before")
        let file = hazel.folder.file("backup")
        try hazel.succeed("backup", file)
        func halfway() throws -> TestHome {
            let back = try TestHome()
            try back.succeed("restore", file)
            try Shell.run("rm", back.path + "/network")
            try Data("restore\n".utf8).write(to: URL(fileURLWithPath: back.path + "/unfinished"))
            try Shell.run("chmod", "600", back.path + "/unfinished")
            #expect(try back.run("feed").code == 1)
            return back
        }
        let again = try halfway()
        try again.succeed("restore", file)
        #expect(try again.texts() == ["before"])
        let anew = try halfway()
        try anew.succeed("init", "--hub")
        #expect(try contents(anew.path).isDisjoint(with: ["reader.sqlite", "drafts", "unfinished"]))
        #expect(try anew.texts().isEmpty)
    }

    @Test func `A home is in nobody's place, and its owner is told of another place`() throws {
        let hazel = try TestHome(name: "hazel")
        let file = hazel.folder.file("backup")
        try hazel.succeed("backup", file)
        expectFailure(
            try hazel.run("restore", file),
            1,
            "there is a home at \(hazel.path) already",
            hint: "SCURRY_HOME=DIR scurry restore \(file)"
        )
    }

    @Test func `What lies where a home is to be is in the way, and stays`() throws {
        let hazel = try TestHome(name: "hazel")
        let file = hazel.folder.file("backup")
        try hazel.succeed("backup", file)
        let back = try TestHome()
        try Shell.run("mkdir", "-m", "700", back.path)
        try back.folder.write("oak.example.edu:7776\n", to: "home/peers")
        expectFailure(
            try back.run("restore", file),
            1,
            "\(back.path)/peers is there already, and no home",
            hint: "mv it elsewhere first, or SCURRY_HOME=DIR scurry restore \(file)"
        )
        #expect(try back.folder.read("home/peers") == "oak.example.edu:7776\n")
    }

    @Test func `A private network's backup brings its secret back`() throws {
        let secret = try ShortFolder()
        try secret.writeSecret("a secret of the laboratory", to: "secret")
        let hub = try TestHome()
        try hub.succeed("init", "--hub", "--network", "lab", "--secret-file", secret.file("secret"))
        let file = hub.folder.file("backup")
        try hub.succeed("backup", file)
        let back = try TestHome()
        #expect(try back.run("restore", file).err.contains("restored a home of the private network lab in"))
        #expect(try back.json("status").first?["private"] as? Bool == true)
        let node = try TestNode(back)
        #expect(try node.stop() == 0)
    }

    @Test func `A hub is restored as it was`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let file = hub.folder.file("backup")
        try hub.succeed("backup", file)
        let back = try TestHome()
        let restored = try back.run("restore", file)
        #expect(restored.err.hasSuffix("next: scurry run\n"))
        #expect(try back.signingStop() == nil)
        #expect(
            try back.json("whoami").first?["node"] as? String == hub.json("whoami").first?["node"] as? String
        )
    }
}
