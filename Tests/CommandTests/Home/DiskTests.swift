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

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `On a full disk init names the disk, and a text from a pipe comes back`() throws {
        let folder = try ShortFolder()
        let script = """
            mount -t tmpfs -o size=8m tmpfs "$1" || exit 99
            "$SCURRY" init --name hazel --words-to "$1/words" > /dev/null 2>&1 || exit 98
            dd if=/dev/zero of="$1/filler" bs=4k > /dev/null 2>&1
            echo "not to be lost" | "$SCURRY" post
            echo "post: $?" >&2
            SCURRY_HOME="$1/other" "$SCURRY" init --name rowan --words-to "$1/more"
            echo "init: $?" >&2
            "$SCURRY" doctor | grep -c "problem  disk"
            """
        let ended = try Mounts.run(
            script,
            folder.path,
            environment: ScurryProgram.environment(home: folder.file("home"))
        )
        #expect(ended.err.contains("not to be lost\n"), "\(ended.err)")
        #expect(ended.err.contains("post: 1\n"), "\(ended.err)")
        #expect(ended.err.contains("init: 1\n"), "\(ended.err)")
        #expect(ended.err.contains("No space left on device\nhint: df -h"), "\(ended.err)")
        #expect(ended.out == "1\n")
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `Words for which the disk has no room leave no part of them behind`() throws {
        let (folder, other) = (try ShortFolder(), try ShortFolder())
        let script = """
            mount -t tmpfs -o size=64k tmpfs "$1" || exit 99
            dd if=/dev/zero of="$1/filler" bs=4k > /dev/null 2>&1
            "$SCURRY" init --name hazel --words-to "$1/words"
            echo "init: $?"
            ls "$1"
            """
        let ended = try Mounts.run(
            script,
            folder.path,
            environment: ScurryProgram.environment(home: other.file("home"))
        )
        #expect(ended.out == "init: 1\nfiller\n", "\(ended.out)")
        #expect(ended.err.contains("No space left on device"), "\(ended.err)")
    }

    /// A home with posts of others and its own on a small disk, which has no room left.
    private static let fullHome = """
        mount -t tmpfs -o size=8m tmpfs "$1" || exit 99
        "$SCURRY" init --name hazel --words-to "$2/words" > /dev/null 2>&1 || exit 98
        "$SCURRY" post "an acorn" > /dev/null 2>&1 || exit 97
        "$SCURRY" export > "$2/first" 2> /dev/null || exit 96

        """

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"), arguments: ["alone", "with its log"])
    func `What is on a full disk is saved, exported and read`(store: String) throws {
        let (folder, other) = (try ShortFolder(), try ShortFolder())
        let alone = store == "alone" ? "rm -f \"$1\"/home/store.sqlite-*\n" : ""
        let script =
            Self.fullHome + alone + """
                dd if=/dev/zero of="$1/filler" bs=4k > /dev/null 2>&1
                "$SCURRY" feed
                echo "feed: $?"
                "$SCURRY" backup "$2/backup"
                echo "backup: $?"
                "$SCURRY" export > "$2/bundle"
                echo "export: $?"
                ls "$2"
                "$SCURRY" backup "$1/backup"
                echo "backup: $?"
                SCURRY_HOME="$2/back" "$SCURRY" restore "$2/backup"
                SCURRY_HOME="$2/back" "$SCURRY" feed
                """
        let ended = try Mounts.run(
            script,
            folder.path,
            other.path,
            environment: ScurryProgram.environment(home: folder.file("home"))
        )
        #expect(ended.out.contains("feed: 0\nbackup: 0\nexport: 0\nbackup\nbundle\nfirst\nwords\n"), "\(ended)")
        #expect(ended.out.contains("backup: 1\n"), "\(ended)")
        #expect(ended.out.components(separatedBy: "an acorn").count == 3, "\(ended)")
    }

    /// SQLite has no room for its locks there, so a writer would not be noticed.
    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `On a full disk nothing is read for long while somebody may write`() throws {
        let (folder, other) = (try ShortFolder(), try ShortFolder())
        let script =
            Self.fullHome + """
                rm -f "$1"/home/store.sqlite-*
                dd if=/dev/zero of="$1/filler" bs=4k > /dev/null 2>&1
                flock "$1/home/lock" "$SCURRY" backup "$2/backup"
                echo "backup: $?"
                flock "$1/home/lock" "$SCURRY" export > "$2/second"
                echo "export: $?"
                "$SCURRY" feed --follow > /dev/null
                echo "follow: $?"
                ls "$2"
                """
        let ended = try Mounts.run(
            script,
            folder.path,
            other.path,
            environment: ScurryProgram.environment(home: folder.file("home"))
        )
        #expect(ended.out == "backup: 75\nexport: 75\nfollow: 1\nfirst\nsecond\nwords\n", "\(ended)")
        #expect(ended.err.components(separatedBy: " is using this home\n").count == 3, "\(ended.err)")
        #expect(ended.err.components(separatedBy: "the disk is full").count == 2, "\(ended.err)")
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `On a full disk a reader that stalls keeps no other reader away`() throws {
        let (folder, other) = (try ShortFolder(), try ShortFolder())
        // More than a pipe holds, so that the export waits for its reader; its first byte says that it has begun.
        let script =
            Self.fullHome + """
                text=$(head -c 60000 /dev/zero | tr '\\0' x)
                for number in 1 2 3 4; do "$SCURRY" post "$number $text" > /dev/null 2>&1 || exit 95; done
                "$SCURRY" export > "$2/first" 2> /dev/null || exit 94
                rm -f "$1"/home/store.sqlite-*
                dd if=/dev/zero of="$1/filler" bs=4k > /dev/null 2>&1
                mkfifo "$2/pipe"
                "$SCURRY" export > "$2/pipe" &
                exec 3< "$2/pipe"
                dd bs=1 count=1 <&3 > "$2/begun" 2> /dev/null
                "$SCURRY" backup "$2/backup"
                echo "backup: $?"
                "$SCURRY" export > "$2/second"
                echo "export: $?"
                cat <&3 > "$2/rest"
                wait $!
                echo "stalled: $?"
                """
        let ended = try Mounts.run(
            script,
            folder.path,
            other.path,
            environment: ScurryProgram.environment(home: folder.file("home"))
        )
        #expect(ended.out == "backup: 0\nexport: 0\nstalled: 0\n", "\(ended)")
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"), arguments: ["full", "read-only"])
    func `Posts that never left are kept back where the disk takes no note of it, and the others leave`(
        disk: String
    ) throws {
        let (folder, other) = (try ShortFolder(), try ShortFolder())
        let spoil =
            disk == "full"
            ? "rm -f \"$1\"/home/store.sqlite-*; dd if=/dev/zero of=\"$1/filler\" bs=4k > /dev/null 2>&1\n"
            : "mount -o remount,ro \"$1\" || exit 95\n"
        let script =
            Self.fullHome + "\"$SCURRY\" post \"a nut\" > /dev/null 2>&1 || exit 94\n" + spoil + """
                "$SCURRY" export > "$2/bundle"
                echo "export: $?"
                test -s "$2/bundle" && echo "written"
                """
        let ended = try Mounts.run(
            script,
            folder.path,
            other.path,
            environment: ScurryProgram.environment(home: folder.file("home"))
        )
        #expect(ended.out == "export: 6\nwritten\n", "\(ended)")
        #expect(ended.err.contains("your own posts are not in it: "), "\(ended.err)")
        #expect(!ended.err.contains("nothing to export"), "\(ended.err)")
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
        let examination = HomeExamination(layout: HomeLayout(directory: folder.path), now: 0)
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
