import Foundation
import Testing

import Sodium

@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `lock` and `unlock`.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "no file system in memory"))
struct LockCommandTests {
    @Test func `The memory that is missing is told in the units of everything else`() {
        #expect(LockCommand.noMemory.message == "no memory to work the passphrase out: that takes 268 MB")
    }

    /// A home whose opened key lies in a directory of this test.
    private final class Locker {
        let home: TestHome
        let memory: String
        let file: String

        init() throws {
            home = try TestHome(name: "hazel")
            memory = "/dev/shm/scurry-test-\(UUID().uuidString)"
            try FileManager.default.createDirectory(
                atPath: memory,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            file = home.folder.file("passphrase")
            try write("open sesame\n")
        }

        deinit {
            try? FileManager.default.removeItem(atPath: memory)
        }

        func write(_ text: String) throws {
            try home.folder.write(text, to: "passphrase")
            chmod(file, 0o600)
        }

        var variables: [String: String] { ["XDG_RUNTIME_DIR": memory] }

        @discardableResult
        func run(_ arguments: String..., input: String = "") throws -> Spawned.Ended {
            try home.run(arguments, input: input, variables)
        }

        func lock() throws {
            let ended = try run("lock", "--yes", "--passphrase-file", file)
            #expect(ended == Spawned.Ended(code: 0, out: "", err: "locked; scurry unlock opens it\n"))
        }
    }

    private static let locked = ("the key of this device is locked", "scurry unlock")

    /// What was to be posted is kept.
    private func expectLocked(
        _ ended: Spawned.Ended,
        _ locker: Locker,
        at location: SourceLocation = #_sourceLocation
    ) {
        let message = "\(Self.locked.0); the text is kept in \(locker.home.path)/drafts/post"
        expectFailure(ended, 4, message, hint: Self.locked.1, at: location)
    }

    @Test func `Locked, nothing is written and everything is read; unlocked, it writes again`() throws {
        let locker = try Locker()
        let id = try locker.home.post("before")
        #expect(try locker.run("unlock").err == "there is no passphrase: nothing is locked\n")
        let hasPassphrase = {
            try ["whoami", "status"].map { command in
                try JSONLines.parse(try locker.run(command, "--json").out).first?["passphrase_set"] as? Bool
            }
        }
        #expect(try hasPassphrase() == [false, false])
        try locker.lock()
        #expect(try hasPassphrase() == [true, true])
        expectLocked(try locker.run("post", "x"), locker)
        let edit = try locker.run("edit", id, "x")
        #expect(edit.code == 4 && edit.err.contains("locked; the text is kept in \(locker.home.path)/drafts/edit"))
        for command in [["vote", "up", id], ["delete", id], ["follow", "hazel"]] {
            let ended = try locker.home.run(command, locker.variables)
            if command[0] == "follow" {
                #expect(ended.code != 0)
            } else {
                expectFailure(ended, 4, Self.locked.0, hint: Self.locked.1)
            }
        }
        #expect(try locker.run("feed").out.contains("before"))
        #expect(try locker.run("whoami").out.contains(" key      locked: scurry unlock\n"))
        #expect(try locker.run("doctor").out.contains("  keys      locked: scurry unlock"))
        let status = try JSONLines.parse(try locker.run("status", "--json").out)
        #expect(status.first?["locked"] as? Bool == true)
        let opened = try locker.run("unlock", "--passphrase-file", locker.file)
        #expect(opened.err == "unlocked until scurry lock, or until the machine restarts\n")
        #expect(try hasPassphrase() == [true, true])
        #expect(try locker.run("post", "after").code == 0)
        #expect(try locker.run("lock", "--yes").err == "locked; scurry unlock opens it\n")
        #expect(try locker.run("lock", "--yes").err == "it was locked; scurry unlock opens it\n")
        expectLocked(try locker.run("post", "x"), locker)
    }

    @Test func `Another passphrase than the one that is set locks, and says that it opens nothing`() throws {
        let locker = try Locker()
        try locker.lock()
        #expect(try locker.run("unlock", "--passphrase-file", locker.file).code == 0)
        // The same again is no news.
        try locker.lock()
        #expect(try locker.run("unlock", "--passphrase-file", locker.file).code == 0)
        try locker.write("another sesame\n")
        expectFailure(
            try locker.run("lock", "--yes", "--passphrase-file", locker.file),
            6,
            "locked under the passphrase that was set before: the one that was given does not open it",
            hint: "scurry unlock, with the one that was set"
        )
        expectLocked(try locker.run("post", "x"), locker)
    }

    @Test func `A wrong passphrase, none, a short one and one for all to read`() throws {
        let locker = try Locker()
        expectFailure(
            try locker.run("lock", "--yes"),
            64,
            "this home has no passphrase yet",
            hint: "scurry lock --yes --passphrase-file FILE"
        )
        expectFailure(
            try locker.run("lock"),
            7,
            "nobody can be asked whether to lock",
            hint: "scurry lock --yes"
        )
        try locker.write("seven77\n")
        expectFailure(
            try locker.run("lock", "--yes", "--passphrase-file", locker.file),
            64,
            "a passphrase has at least 8 bytes",
            hint: "scurry lock --yes -h"
        )
        try locker.write("open sesame\n")
        chmod(locker.file, 0o644)
        expectFailure(
            try locker.run("lock", "--yes", "--passphrase-file", locker.file),
            1,
            "other users can get at \(locker.file)",
            hint: "chmod 600 \(locker.file)"
        )
        chmod(locker.file, 0o600)
        try locker.lock()
        try locker.write("open sesame!\n")
        expectFailure(
            try locker.run("unlock", "--passphrase-file", locker.file),
            4,
            "that is not the passphrase",
            hint: "scurry unlock"
        )
        expectFailure(
            try locker.run("unlock"),
            4,
            "nobody can be asked for the passphrase",
            hint: "scurry unlock --passphrase-file FILE"
        )
        try locker.write("\nopen sesame\n")
        expectFailure(
            try locker.run("unlock", "--passphrase-file", locker.file),
            64,
            "\(locker.file) holds no passphrase in its first line",
            hint: "scurry unlock -h"
        )
        #expect(try locker.run("unlock", "--passphrase-file", "-", input: "open sesame\r\nmore\n").code == 0)
    }

    @Test func `A passphrase that is too long or cannot be read is told from one that is missing`() throws {
        let locker = try Locker()
        try locker.lock()
        try locker.write(String(repeating: "x", count: Passphrase.bytesAtMost + 1) + "\n")
        expectFailure(
            try locker.run("unlock", "--passphrase-file", locker.file),
            64,
            "the passphrase in \(locker.file) is longer than 1,024 bytes",
            hint: "scurry unlock -h"
        )
        expectFailure(
            try locker.run("unlock", "--passphrase-file", locker.home.folder.path),
            1,
            "cannot read \(locker.home.folder.path): Is a directory",
            hint: "ls -l \(locker.home.folder.path)"
        )
        let spaced = locker.home.folder.file("a passphrase")
        try locker.home.folder.write("open sesame\n", to: "a passphrase")
        chmod(spaced, 0o644)
        expectFailure(
            try locker.run("unlock", "--passphrase-file", spaced),
            1,
            "other users can get at \(spaced)",
            hint: "chmod 600 '\(spaced)'"
        )
    }

    @Test func `A passphrase that is too long for the terminal's line is nobody else's`() throws {
        let locker = try Locker()
        try locker.lock()
        let shell = try Spawned(
            ["-c", "\"$0\" unlock; echo \"code=$?\"; read -r next; echo \"next=[$next]\"", ScurryProgram.path],
            environment: locker.home.environment(locker.variables),
            streams: .terminal(columns: 80),
            program: "/bin/sh"
        )
        try shell.wait(for: "passphrase: ")
        shell.send(String(repeating: "x", count: Passphrase.bytesAtMost + 100) + "\r")
        let seen = try shell.wait(for: "code=64")
        #expect(seen.contains("the passphrase is longer than 1,024 bytes"), "\(seen)")
        shell.send("typed later\r")
        try shell.wait(for: "next=[typed later]")
    }

    @Test(.enabled(if: LockShim.isPossible, "needs cc, for a library that plays a broken disk"))
    func `Nobody is told that it is locked where the opened key could not be looked for`() throws {
        let locker = try Locker()
        try locker.lock()
        try #require(try locker.run("unlock", "--passphrase-file", locker.file).code == 0)
        let place = locker.memory + "/scurry"
        let shim = try ListingShim.variables(for: place, in: locker.home.folder)
        let broken = try locker.home.run(["lock", "--yes"], locker.variables.merging(shim) { $1 })
        #expect(broken.code == 1 && broken.err.contains("\(place): Input/output error"), "\(broken)")
        #expect(try locker.run("lock", "--yes").code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }

    @Test(.enabled(if: LockShim.isPossible, "needs cc, for a library that plays a broken disk"))
    func `A text is said to be kept once its name is on the disk`() throws {
        let locker = try Locker()
        try locker.lock()
        let folder = locker.home.path + "/drafts"
        let shim = try FlushShim.variables(for: folder, in: locker.home.folder)
        let ended = try locker.home.run(["post", "-"], input: "a text", locker.variables.merging(shim) { $1 })
        #expect(ended.code == 4 && ended.err.contains("the text could not be kept: it stands above"), "\(ended)")
        #expect(ended.err.hasPrefix("a text\n"), "\(ended.err)")
    }

    @Test func `On a terminal it asks, shows nothing of what is typed, and lets one try again`() throws {
        let locker = try Locker()
        let start = { (command: String) in
            try locker.home.start([command], locker.variables, streams: .terminal(columns: 80))
        }
        let no = try start("lock")
        try no.wait(for: "Lock this device? Writing then needs the passphrase. [y/N] ")
        no.send("n\r")
        #expect(try no.finish().code == 7)
        let lock = try start("lock")
        try lock.wait(for: "[y/N] ")
        lock.send("y\r")
        for (question, answer, count) in [
            ("new passphrase: ", "short", 1), ("new passphrase: ", "long enough", 2), ("again: ", "long enouch", 1),
            ("new passphrase: ", "long enough", 3), ("again: ", "long enough", 2),
        ] {
            try lock.wait(for: question, count)
            lock.send(answer + "\r")
        }
        let locked = try lock.finish()
        #expect(locked.code == 0)
        #expect(locked.out.contains("a passphrase has at least 8 bytes") && locked.out.contains("are not the same"))
        #expect(!locked.out.contains("enough") && !locked.out.contains("enouch"))
        let unlock = try start("unlock")
        try unlock.wait(for: "passphrase: ")
        unlock.send("wrong\r")
        try unlock.wait(for: "passphrase: ", 2)
        unlock.send("long enough\r")
        let opened = try unlock.finish()
        #expect(opened.code == 0 && opened.out.contains("unlocked until"), "\(opened.out)")
        #expect(!opened.out.contains("enough"))
        #expect(try locker.run("post", "open").code == 0)
    }

    @Test func `A terminal that was interrupted while a passphrase was typed shows again what is typed`() throws {
        let locker = try Locker()
        try locker.lock()
        let unlock = try locker.home.start(["unlock"], locker.variables, streams: .terminal(columns: 80))
        try unlock.wait(for: "passphrase: ")
        #expect(!(try unlock.echoes()))
        // Nor can it be stopped there, and leave the terminal to a shell as it is: this is a letter like others.
        unlock.send("\u{1A}open sesame\r")
        try unlock.wait(for: "passphrase: ", 2)
        unlock.signal(SIGTERM)
        #expect(try unlock.exitCode() == -SIGTERM)
        #expect(try unlock.echoes())
    }

    @Test func `A node that does not hear of it is said to hold the key`() throws {
        let locker = try Locker()
        let node = try TestNode(locker.home, variables: locker.variables)
        try #require(try locker.run("post", "one").code == 0)
        let places = try HeldPlaces(of: locker.home)
        let ended = try locker.run("lock", "--yes", "--passphrase-file", locker.file)
        #expect(
            ended.code == 75 && ended.err.contains("locked; but the node does not answer, and may still hold the key")
        )
        let unlocked = try locker.run("unlock", "--passphrase-file", locker.file)
        #expect(unlocked.code == 75 && unlocked.err.contains("unlocked; but the node does not answer"))
        #expect(places.failure == nil)
        withExtendedLifetime(node) {}
    }

    @Test func `A node that does not hear of a peer is said to go on as before`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home, "--no-dial")
        let places = try HeldPlaces(of: home)
        let added = try home.run(["join", "--trust", "127.0.0.1:1"])
        #expect(added.code == 75, "\(added)")
        #expect(added.err.contains("added 127.0.0.1:1; but the node does not answer, and does not call it yet"))
        let removed = try home.run(["leave", "127.0.0.1:1"])
        #expect(removed.code == 6, "\(removed)")
        #expect(removed.err.contains("removed 127.0.0.1:1; but the node does not answer, and calls it until it ends"))
        let invite = try home.run(["invite"])
        #expect(invite.code == 75 && invite.err.contains("the node does not answer"), "\(invite)")
        #expect(places.failure == nil)
        withExtendedLifetime(node) {}
    }

    @Test func `Nobody is told that it is locked while the node holds a key that is not to be seen`() throws {
        let (locker, other) = (try Locker(), try Locker())
        try locker.lock()
        let node = try TestNode(locker.home, variables: locker.variables)
        try locker.run("unlock", "--passphrase-file", locker.file)
        // As if it lay where this session does not reach.
        try FileManager.default.removeItem(atPath: locker.home.path + "/opened_places")
        let ended = try locker.home.run(["lock", "--yes"], other.variables)
        #expect(ended.code == 75 && ended.err.contains("locked; but the node found the opened key"), "\(ended)")
        #expect(try locker.run("lock", "--yes").code == 0)
        #expect(try locker.run("post", "two").code == 4)
        withExtendedLifetime(node) {}
    }

    @Test func `A key that was opened in another session is used by the node, and wiped by lock here`() throws {
        let (locker, other) = (try Locker(), try Locker())
        try locker.lock()
        let node = try TestNode(locker.home, variables: locker.variables)
        let unlocked = try locker.home.run(["unlock", "--passphrase-file", locker.file], other.variables)
        #expect(unlocked.code == 0, "\(unlocked)")
        #expect(try locker.run("post", "one").code == 0)
        let keys = { try FileManager.default.subpathsOfDirectory(atPath: other.memory).filter { $0.hasSuffix(".key") } }
        #expect(try keys().count == 1)
        let ended = try locker.run("lock", "--yes")
        #expect(ended.err == "locked; scurry unlock opens it\n", "\(ended)")
        #expect(try keys().isEmpty)
        #expect(try locker.run("post", "two").code == 4)
        withExtendedLifetime(node) {}
    }

    @Test func `A passphrase that comes in pieces is read to its end`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        #expect(Descriptor(number: output).write(Array("correct horse ".utf8)) == .written)
        let writing = Thread {
            var waiting: Int32 = 1
            while waiting > 0 { ioctl(input, UInt(FIONREAD), &waiting) }
            _ = Descriptor(number: output).write(Array("battery staple\n".utf8))
            close(output)
        }
        writing.start()
        let secret = try #require(try SecretLine.read(from: input, limit: 100))
        #expect(secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } == "correct horse battery staple")
        close(input)
    }

    @Test func `A running node relays while it is locked, forgets the key, and takes it again`() throws {
        let locker = try Locker()
        let seed = try Data(contentsOf: URL(fileURLWithPath: locker.home.path + "/keys/device.key"))[16..<48]
        let node = try TestNode(locker.home, variables: locker.variables)
        try #require(try locker.run("post", "one").code == 0)
        let process = try #require(try locker.home.json("status").first?["process"] as? Int)
        #expect(try ProcessMemory.contains(seed, process), "the node holds the key")
        try locker.lock()
        #expect(!(try ProcessMemory.contains(seed, process)), "the node has forgotten the key")
        expectLocked(try locker.run("post", "x"), locker)
        // It goes on for others.
        let rowan = try TestHome(name: "rowan")
        try rowan.post("from rowan")
        try rowan.succeed("join", try node.address())
        try rowan.succeed("sync", "--timeout", "60")
        #expect(try rowan.json("feed").count == 2)
        #expect(try locker.home.json("feed").count == 2)
        #expect(try locker.run("unlock", "--passphrase-file", locker.file).code == 0)
        #expect(try locker.run("post", "two").err.hasPrefix("posted "))
        // A node that starts anew posts with no question.
        #expect(try node.stop() == 0)
        let again = try TestNode(locker.home, variables: locker.variables)
        #expect(try locker.run("post", "three").err.hasPrefix("posted "))
        #expect(try again.stop() == 0)
        #expect(!again.process.text(.err).contains("locked"))
        #expect(try locker.run("lock", "--yes").code == 0)
        let closed = try TestNode(locker.home, variables: locker.variables)
        #expect(closed.process.text(.err).contains("the key of this device is locked: this node reads and relays"))
    }

    @Test func `Without a session's directory the opened key lies in dev shm, for this user alone`() throws {
        let locker = try Locker()
        try locker.lock()
        #expect(try locker.home.run("unlock", "--passphrase-file", locker.file).code == 0)
        let folder = "/dev/shm/scurry-\(geteuid())"
        let facts = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(facts[.posixPermissions] as? Int == 0o700)
        #expect(try locker.home.run("post", "x").code == 0)
        #expect(try locker.home.run("lock", "--yes").code == 0)
        #expect(try locker.home.run("post", "x").code == 4)
    }

    @Test func `A hub has no key to lock`() throws {
        let home = try TestHome()
        try home.succeed("init", "--hub")
        for command in [["lock", "--yes"], ["unlock"]] {
            #expect(try home.run(command).code == 7)
        }
    }
}

/// What a process holds in memory.
enum ProcessMemory {
    /// Reads every region that can be read; only of one's own child.
    static func contains(_ bytes: some Collection<UInt8>, _ process: Int) throws -> Bool {
        let wanted = Data(bytes)
        let list = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps"))
        let maps = String(decoding: try list.readToEnd() ?? Data(), as: UTF8.self)
        let memory = open("/proc/\(process)/mem", O_RDONLY)
        try #require(memory >= 0, "the memory of a child can be read")
        defer { close(memory) }
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 1, words[1].hasPrefix("rw") else { continue }
            let ends = words[0].split(separator: "-").compactMap { UInt(String($0), radix: 16) }
            guard ends.count == 2, ends[1] - ends[0] < 1 << 28 else { continue }
            var region = Data(count: Int(ends[1] - ends[0]))
            let count = region.withUnsafeMutableBytes { pread(memory, $0.baseAddress, $0.count, off_t(ends[0])) }
            if count > 0, region.prefix(count).firstRange(of: wanted) != nil { return true }
        }
        return false
    }
}
