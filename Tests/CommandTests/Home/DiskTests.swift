import Foundation
import Testing
import Transport

@testable import scurry

/// What people do to disks: each ends in one clear line, and `doctor` finds it.
struct DiskTests {
    /// A home whose database stands alone, as after a last close by another program, or on a backup medium.
    private func makeHome() throws -> TestHome {
        let home = try TestHome(name: "hazel")
        try home.post("an acorn")
        return home
    }

    private static let readOnly = """
        mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
        shift
        "$SCURRY" "$@"
        """

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"), arguments: ["alone", "with its log"])
    func `A home on a read-only disk is read, and what writes says why`(store: String) throws {
        let home = try makeHome()
        if store == "alone" {
            for suffix in ["-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: home.path + "/store.sqlite" + suffix)
            }
        }
        let variables = home.environment([
            "SCURRY": ScurryProgram.path, "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        ])
        func run(_ arguments: [String]) throws -> Spawned.Ended {
            try Spawned(
                ["-m", "--propagation", "private", "sh", "-c", Self.readOnly, "sh", home.path] + arguments,
                environment: variables,
                program: "/usr/bin/unshare"
            ).finish()
        }
        for command in [["feed", "--json"], ["mine", "--json"]] {
            let ended = try run(command)
            #expect(ended.code == 0, "\(command): \(ended.err)")
            #expect(ended.out.contains("an acorn"))
        }
        #expect(try run(["whoami"]).code == 0)
        let doctor = try run(["doctor"])
        #expect(doctor.code == 1)
        #expect(doctor.out.contains("problem  disk      the disk is mounted read-only"), "\(doctor.out)")
        for command in [["post", "x"], ["run", "--no-dial"]] {
            let refused = try run(command)
            #expect(refused.code == 1, "\(command): \(refused.err)")
            #expect(refused.err.contains("ead-only file system"), "\(command): \(refused.err)")
            #expect(refused.err.contains("hint: findmnt -T "), "\(command): \(refused.err)")
        }
    }

    /// The mount table as the program reads it says that the home is another machine's.
    private static let onNFS = """
        printf 'server:/home %s nfs4 rw 0 0\\n' "$1" > "$1.mounts"
        mount --bind "$1.mounts" /proc/$$/mounts || exit 99
        shift
        exec "$SCURRY" "$@"
        """

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `Whoever writes to a home on another machine's disk is warned, and a reader is not`() throws {
        let home = try makeHome()
        func run(_ arguments: String...) throws -> Spawned.Ended {
            try Mounts.run(Self.onNFS, arguments: [home.path] + arguments, environment: home.environment())
        }
        let posted = try run("post", "a nut")
        #expect(posted.code == 0)
        #expect(posted.err.contains("warning: the home is on nfs4: one machine at a time may use it"), "\(posted.err)")
        #expect(try !run("feed").err.contains("nfs4"))
        #expect(try run("doctor").out.contains("nfs4"))
    }

    @Test func `A temporary file that a killed write left is removed by the next write of the same file`() throws {
        let home = try makeHome()
        func place(_ name: String, permissions: Int) throws {
            try home.folder.write("half", to: "home/" + name)
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions],
                ofItemAtPath: home.path + "/" + name
            )
        }
        // These are a person's: by its permissions, by their names, and one that is named after its day.
        let kept = [
            "config.new-0123456789abcdee", "config.new-notes", "config.new-0123456789abcdef.txt",
            "config.new-2025112801091530",
        ]
        try place("config.new-0123456789abcdef", permissions: 0o600)
        try place("peers.new-0123456789abcdef", permissions: 0o600)
        for name in kept { try place(name, permissions: name.hasSuffix("ee") ? 0o644 : 0o600) }
        try home.succeed("config", "dial", "on")
        let names = try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.contains(".new-") }
        #expect(Set(names) == Set(kept + ["peers.new-0123456789abcdef"]))
        try home.succeed("join", "--trust", "oak.example.edu:7776")
        #expect(!FileManager.default.fileExists(atPath: home.path + "/peers.new-0123456789abcdef"))
    }

    @Test func `A home on another machine's disk is told by doctor`() throws {
        let folder = try ShortFolder()
        let examination = HomeExamination(layout: HomeLayout(directory: folder.path), now: 0, form: .json)
        let table = MountTable(parsing: "/dev/sda1 / ext4 rw 0 0\nserver:/home \(folder.path) nfs4 rw 0 0\n")
        let found = try #require(examination.files(table).first { $0.check.string == "place" })
        #expect(found.state == .warning)
        #expect(found.text.string.contains("nfs4"))
        let local = MountTable(parsing: "/dev/sda1 / ext4 rw 0 0\n")
        #expect(!examination.files(local).contains { $0.check.string == "place" })
        for type in ["nfs", "cifs", "9p", "fuse.sshfs", "afs"] { #expect(MountTable.isRemote(type), "\(type)") }
        for type in ["ext4", "tmpfs", "btrfs", "overlay", "fuseblk"] { #expect(!MountTable.isRemote(type), "\(type)") }
    }

    @Test func `A path that a shell would take apart is quoted`() {
        #expect(ShellWord.quoted("/home/me/.local").string == "/home/me/.local")
        #expect(ShellWord.quoted("/home/my own").string == "'/home/my own'")
        #expect(ShellWord.quoted("/it's").string == "'/it'\\''s'")
    }

    @Test func `The home, its settings and its peers may be links`() throws {
        let home = try makeHome()
        let (real, elsewhere) = (home.folder.file("big"), try ShortFolder())
        try FileManager.default.moveItem(atPath: home.path, toPath: real)
        try FileManager.default.createSymbolicLink(atPath: home.path, withDestinationPath: real)
        for (name, text) in [("peers", "# mine\n"), ("config", "# mine\ndial = off\n")] {
            try elsewhere.write(text, to: name)
            try FileManager.default.createSymbolicLink(
                atPath: real + "/" + name,
                withDestinationPath: elsewhere.file(name)
            )
        }
        try home.post("through the link")
        try home.succeed("join", "--trust", "oak.example.edu:7776")
        #expect(try elsewhere.read("peers").hasPrefix("# mine\noak.example.edu"))
        try home.succeed("config", "dial", "on")
        #expect(try elsewhere.read("config").hasPrefix("# mine\n"))
        #expect(try elsewhere.read("config").contains("dial = on"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: real + "/peers") == elsewhere.file("peers"))
        let node = try TestNode(home)
        #expect(try home.run("post", "x").code == 0)
        #expect(try node.stop() == 0)
    }

    @Test(arguments: [
        ("peers", ["join", "--trust", "oak.example.edu:7776"]), ("config", ["config", "dial", "on"]),
    ])
    func `A link that leads nowhere stays a link`(name: String, command: [String]) throws {
        let home = try makeHome()
        let (link, target) = (home.path + "/" + name, home.folder.file("away"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        expectFailure(
            try home.run(command),
            1,
            "\(link): No such file or directory",
            hint: "ls -d \(home.path) is as far as the path goes"
        )
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func `A peers file that is not read whole is not written back`() throws {
        let home = try makeHome()
        let bytes = Data("# caf\u{E9}\n".unicodeScalars.map { UInt8($0.value) })
        try bytes.write(to: URL(fileURLWithPath: home.path + "/peers"))
        #expect(try home.run("join", "--trust", "oak.example.edu:7776").code == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: home.path + "/peers")) == bytes)
        #expect(try home.run("peers").code == 0)
    }
}
