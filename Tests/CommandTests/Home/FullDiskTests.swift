import Foundation
import Testing

/// What people get done on a disk that is full.
struct FullDiskTests {
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

    /// A home on a small disk of its own, `$1`, with a post that left it; `$2` is on another disk.
    private static let home = """
        mount -t tmpfs -o size=8m tmpfs "$1" || exit 99
        "$SCURRY" init --name hazel --words-to "$2/words" > /dev/null 2>&1 || exit 98
        "$SCURRY" post "an acorn" > /dev/null 2>&1 || exit 97
        "$SCURRY" export > "$2/first" 2> /dev/null || exit 96

        """

    /// Runs a script after `home`, in a mount namespace of its own.
    private static func run(_ script: String) throws -> Spawned.Ended {
        let (disk, other) = (try ShortFolder(), try ShortFolder())
        return try Mounts.run(
            home + script,
            disk.path,
            other.path,
            environment: ScurryProgram.environment(home: disk.file("home"))
        )
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"), arguments: ["alone", "with its log"])
    func `What is on a full disk is saved, exported and read`(store: String) throws {
        let alone = store == "alone" ? "rm -f \"$1\"/home/store.sqlite-*\n" : ""
        let ended = try Self.run(
            alone + """
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
        )
        #expect(ended.out.contains("feed: 0\nbackup: 0\nexport: 0\nbackup\nbundle\nfirst\nwords\n"), "\(ended)")
        #expect(ended.out.contains("backup: 1\n"), "\(ended)")
        #expect(ended.out.components(separatedBy: "an acorn").count == 3, "\(ended)")
    }

    /// SQLite has no room for its locks there, so a writer would not be noticed.
    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `On a full disk nothing is read for long while somebody may write`() throws {
        let ended = try Self.run(
            """
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
        )
        #expect(ended.out == "backup: 75\nexport: 75\nfollow: 1\nfirst\nsecond\nwords\n", "\(ended)")
        #expect(ended.err.components(separatedBy: " is using this home\n").count == 3, "\(ended.err)")
        #expect(ended.err.components(separatedBy: "the disk is full").count == 2, "\(ended.err)")
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `On a full disk a reader that stalls keeps no other reader away`() throws {
        // More than a pipe holds, so that the export waits for its reader; its first byte says that it has begun.
        let ended = try Self.run(
            """
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
        )
        #expect(ended.out == "backup: 0\nexport: 0\nstalled: 0\n", "\(ended)")
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"), arguments: ["full", "read-only"])
    func `Posts that never left are kept back where the disk takes no note of it, and the others leave`(
        disk: String
    ) throws {
        let spoil =
            disk == "full"
            ? "rm -f \"$1\"/home/store.sqlite-*; dd if=/dev/zero of=\"$1/filler\" bs=4k > /dev/null 2>&1\n"
            : "mount -o remount,ro \"$1\" || exit 95\n"
        let ended = try Self.run(
            "\"$SCURRY\" post \"a nut\" > /dev/null 2>&1 || exit 94\n" + spoil + """
                "$SCURRY" export > "$2/bundle"
                echo "export: $?"
                test -s "$2/bundle" && echo "written"
                """
        )
        #expect(ended.out == "export: 6\nwritten\n", "\(ended)")
        #expect(ended.err.contains("your own posts are not in it: "), "\(ended.err)")
        #expect(!ended.err.contains("nothing to export"), "\(ended.err)")
    }
}
