import Foundation
import Testing

/// A channel without posts, in homes that cannot write: there may be posts elsewhere.
struct EmptyChannelTests {
    private static let alone = " No peers yet: nobody else's posts can arrive.\n next: scurry join HOST:7776\n"
    private static let wide = ["COLUMNS": "160"]
    private static let stopped = """
         No post can be written: this home was copied, moved or restored from a backup: it signs nothing until you \
        decide.

        """

    @Test func `A home from a backup is not said to be empty where a channel is`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("an acorn", "-c", "oaks")
        try hazel.succeed("channel", "join", "cs193")
        #expect(
            try hazel.run(["feed"], Self.wide).out
                == " No posts in #cs193 yet.\n next: scurry post -c cs193 \"Hello\"\n"
        )
        try hazel.succeed("backup", hazel.folder.file("backup"))
        let back = try TestHome()
        try back.succeed("restore", hazel.folder.file("backup"))
        let elsewhere = " No posts in #cs193 yet.\n next: scurry feed --all\n"
        // Without a device key nothing can be kept.
        let wayOut = " next: scurry id restore, with the recovery words\n"
        for command in [["feed"], ["feed", "-c", "cs193"]] {
            #expect(try back.run(command, Self.wide).out == elsewhere + Self.stopped + wayOut, "\(command)")
        }
        #expect(try back.succeed("feed", "--all").contains("an acorn"))
        let alone = try back.run([], Self.wide).out
        #expect(alone.contains(" No posts in channels you joined yet.\n next: scurry feed --all\n"), "\(alone)")
        try back.succeed("channel", "leave", "cs193")
        #expect(try back.succeed("feed").contains("an acorn"))
    }

    @Test func `A copied home may be kept, and a hub writes nothing`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("an acorn", "-c", "oaks")
        let copy = try hazel.copied()
        let shown = try copy.run(["feed", "-c", "cs193"], Self.wide).out
        #expect(shown.contains(Self.stopped + " next: scurry id restore, or scurry id keep if"), "\(shown)")
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(
            try hub.run(["feed", "-c", "cs193"], Self.wide).out == """
                 No posts in #cs193 yet.
                 next: scurry feed --all
                 No post can be written: nobody writes on a hub.
                 next: scurry peers

                """
        )
    }

    @Test func `Of several channels without posts all are named`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("an acorn", "-c", "oaks")
        #expect(
            try hazel.succeed("feed", "-c", "cs193", "-c", "elms")
                == " No posts in #cs193 #elms yet.\n next: scurry feed --all\n" + Self.alone
        )
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(
            try hub.run(["feed", "-c", "cs193", "-c", "elms"], Self.wide).out == """
                 No posts in #cs193 #elms yet.
                 next: scurry feed --all
                 No post can be written: nobody writes on a hub.
                 next: scurry peers

                """ + Self.alone
        )
    }
}
