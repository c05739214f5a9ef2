import Entries
import Foundation
import Storage
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `export` and `import` as a person and a script use them, with real processes.
struct BundleCommandTests {
    @Test func `Two nodes that never met converge by a file that goes to and fro`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let bagel = try hazel.post("Caught this one stealing my bagel.", "-c", "squirrels")
        let gone = try hazel.post("A word that goes: xylophone.")
        try rowan.post("By rowan.")
        let first = try hazel.bundle("1")
        // The first entry of each is the name.
        #expect(try rowan.told("import", first) == "3 entries of 1 person are new")
        try rowan.succeed("vote", "up", bagel)
        try rowan.succeed("reply", bagel, "The one from the library.")
        try hazel.succeed("delete", gone)
        #expect(try hazel.told("import", try rowan.bundle("2")) == "4 entries of 1 person are new")
        #expect(try rowan.told("import", try hazel.bundle("3")) == "1 entry of 1 person is new")
        let prints = try [hazel, rowan].map { try $0.succeed("fingerprint") }
        #expect(prints[0] == prints[1] && prints[0].contains("complete"))
        for home in [hazel, rowan] {
            let feed = try home.json("feed")
            #expect(feed.count == 3 && !feed.contains { $0["id"] as? String == gone })
            #expect(feed.first { $0["id"] as? String == bagel }?["up"] as? Int == 1)
        }
        #expect(try rowan.told("import", first) == "nothing new: all of it was here")
        #expect(try rowan.succeed("fingerprint") == prints[0])
    }

    @Test func `A bundle goes through standard output and standard input`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.post("one")
        let export = try hazel.start(["export"])
        let ended = try export.finish()
        #expect(ended.err == "exported 2 entries of 1 person\n" && ended.code == 0)
        let taking = try rowan.start(["import", "-", "--json"])
        taking.send(export.bytes(.out))
        taking.closeInput()
        let taken = try taking.finish()
        #expect(taken.code == 0 && taken.err.isEmpty)
        let line = try #require(try JSONLines.parse(taken.out).first)
        #expect(line["entries"] as? Int == 2 && line["people"] as? Int == 1 && line["complete"] as? Bool == true)
        #expect(
            JSONLines.keys(taken.out) == [
                "entries", "people", "texts", "later_logs", "passed_logs", "forked_logs", "differing_logs",
                "cut_off_logs",
                "ended_accounts", "refused_logs", "signing_stopped", "complete", "fault",
            ]
        )
    }

    @Test(arguments: ["entries SET flags = 70000 WHERE key >> 32", "logs SET head_root = x'00' WHERE number"])
    func `What cannot be read keeps nobody else's posts out of the bundle`(damage: String) throws {
        let (hazel, rowan, maple) = (
            try TestHome(name: "hazel"), try TestHome(name: "rowan"), try TestHome(name: "maple")
        )
        for home in [rowan, maple] {
            try home.post("By a neighbour.")
            _ = try hazel.told("import", home.bundle("1"))
        }
        try hazel.post("By hazel.")
        #expect(try hazel.json("feed").count == 3)
        let python = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            c.execute("PRAGMA ignore_check_constraints = 1")
            number = c.execute("SELECT number FROM logs ORDER BY number LIMIT 1 OFFSET 1").fetchone()
            c.execute("UPDATE \(damage) = ?", number)
            c.commit()
            """
        try Shell.run("python3", "-c", python, hazel.path + "/store.sqlite")
        let export = try hazel.start(["export"])
        let ended = try export.finish()
        #expect(ended.code == 6, "\(ended.err)")
        #expect(ended.err.contains("1 log could not be read as signed"), "\(ended.err)")
        let taker = try TestHome(name: "taker")
        let taken = try taker.start(["import", "-"])
        taken.send(export.bytes(.out))
        taken.closeInput()
        #expect(try taken.finish().code == 0)
        #expect(try taker.json("feed").count == 2)
    }

    @Test func `Nothing to export, or nothing since then, says so`() throws {
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        let empty = try hub.start(["export"])
        #expect(
            try empty.finish().err
                == "nothing to export yet: the bundle is empty; scurry join HOST:7776, or scurry post\n"
        )
        #expect(empty.bytes(.out).count == 93)
        let hazel = try TestHome(name: "hazel")
        let later = try hazel.start(["export", "--since", "2099-01-01"])
        #expect(
            try later.finish().err
                == "nothing was written or came since then: the bundle is empty; scurry export takes everything\n"
        )
        #expect(later.bytes(.out).count == 93)
        #expect(try hazel.run("export", "--since", "yesterday").err == "exported 1 entry of 1 person\n")
        expectFailure(
            try hazel.run("export", "--since", "soon"),
            64,
            "--since does not understand soon",
            hint: "scurry export --since 2h > campus.bundle; it takes 2h, yesterday, 2026-11-20 or 2026-11-20T10:00"
        )
    }

    @Test func `Own posts that a stopped home leaves out are told by the exit code`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.post("never left")
        try hazel.succeed("backup", hazel.folder.file("backup"))
        let back = try TestHome()
        try back.succeed("restore", hazel.folder.file("backup"))
        let export = try back.start(["export"])
        let ended = try export.finish()
        #expect(ended.code == 6)
        #expect(
            ended.err.hasSuffix(
                "scurry: error: your own posts are left out: this home was copied or restored, and signs nothing more\n"
                    + "hint: scurry status\n"
            ),
            "\(ended.err)"
        )
    }

    @Test func `A part that begins after what is here is said, exit 6, and the rest is taken`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        // Midnight at the end of the century's last day.
        try hazel.fill(posts: 20, bytes: 20, ending: 4_102_444_800_000)
        let late = try hazel.bundle("late", "--since", "2099-12-31T23:59:50Z")
        let ended = try rowan.run("import", late)
        expectFailure(
            ended,
            6,
            "1 log begins after what is held here: import an older export first",
            hint: "scurry export without --since on the other machine has all of it"
        )
        try rowan.succeed("import", try hazel.bundle("all"))
        #expect(try rowan.told("import", late) == "nothing new: all of it was here")
    }

    @Test(.enabled(if: WallClock.isPossible, "no C compiler to shift a clock with"))
    func `A daily bundle has what came late to the hub, and goes on from there`() throws {
        let clock = try WallClock()
        defer { withExtendedLifetime(clock) {} }
        let day: Int64 = 86_400
        let (laptop, hub, rowan) = (try TestHome(), try TestHome(), try TestHome(name: "rowan"))
        // Written three days ago, with nobody there.
        let offline = clock.ahead(seconds: -3 * day)
        try #require(
            try laptop.run(["init", "--name", "hazel", "--words-to", laptop.folder.file("words")], offline).code == 0
        )
        try #require(try laptop.run(["post", "Written on the train."], offline).code == 0)
        try hub.succeed("init", "--hub")
        #expect(try hub.told("import", try laptop.bundle("1")) == "2 entries of 1 person are new")
        let first = try hub.bundle("1", "--since", "yesterday")
        #expect(try rowan.told("import", first) == "2 entries of 1 person are new")
        // What the laptop writes next stands behind that.
        try laptop.post("Written today.")
        #expect(try hub.told("import", try laptop.bundle("2")) == "1 entry of 1 person is new")
        let second = try hub.bundle("2", "--since", "yesterday")
        #expect(try rowan.told("import", second) == "1 entry of 1 person is new")
        #expect(try rowan.json("feed").count == 2)
        // In three days nothing of it is new.
        let later = try hub.run(["export", "--since", "yesterday"], clock.ahead(seconds: 3 * day))
        #expect(
            later.err
                == "nothing was written or came since then: the bundle is empty; scurry export takes everything\n"
        )
    }

    @Test func `Texts that gave way to the disk budget are told`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        for text in ["one", "two"] { try hazel.post(text) }
        try rowan.succeed("import", try hazel.bundle("1"))
        let home = try Home(opening: HomeLayout(directory: rowan.path))
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        // So small that whatever may go goes.
        try store.keep(within: DiskBudget(bytes: 100_000)) { .max }
        try store.close()
        let export = try rowan.start(["export"])
        #expect(try export.finish().err == "exported 4 entries of 2 people, without 2 texts that gave way\n")
    }

    @Test func `No bundle goes to a terminal, and none is read from one`() throws {
        let hazel = try TestHome(name: "hazel")
        let out = try hazel.start(["export"], ["NO_COLOR": "1"], streams: .terminal(columns: 80)).finish()
        #expect(out.code == 64)
        #expect(out.out.contains("scurry: error: a bundle is no text for a terminal"))
        #expect(out.out.contains("hint: scurry export > campus.bundle"))
        let asked = try hazel.start(["import", "-"], ["NO_COLOR": "1"], streams: .terminal(columns: 80)).finish()
        #expect(asked.code == 64 && asked.out.contains("nothing is piped into standard input"))
    }

    @Test func `A reader who goes away ends an export quietly`() throws {
        let hazel = try TestHome(name: "hazel")
        try hazel.fill(posts: 200, bytes: 8_000)
        let export = try hazel.start(["export"])
        export.closeOutput()
        #expect(try export.exitCode() == 0)
    }

    @Test func `What cannot be taken has one line each`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try hazel.fill(posts: 100, bytes: 8_000)
        let whole = try hazel.bundle("whole")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
        let again = "export it again, and carry it as it is: scurry export > FILE"
        expectFailure(
            try rowan.run("import", try rowan.write(bytes.prefix(5_000), "short")),
            1,
            "the bundle is cut off, in frame 1 at byte 48",
            hint: again
        )
        let cut = try rowan.run("import", try rowan.write(bytes.prefix(bytes.count - 1_000), "cut"))
        #expect(cut.code == 6 && cut.out.isEmpty)
        let lines = cut.err.split(separator: "\n")
        #expect(lines.count == 3 && lines.first?.hasSuffix("entries of 1 person are new") == true)
        #expect(lines.dropFirst().first?.hasPrefix("scurry: error: the bundle is cut off, in frame 2 at byte ") == true)
        #expect(lines.dropFirst().first?.contains("; what came before it is kept") == true)
        var forged = bytes
        forged[bytes.count - 2_000] ^= 1
        let refused = try rowan.run("import", try rowan.write(forged[...], "forged"))
        #expect(refused.code == 1 && refused.err.hasPrefix("scurry: error: the bundle is forged or damaged (badProof)"))
        #expect(try rowan.told("import", whole).hasSuffix("entries of 1 person are new"))
        #expect(try rowan.stored() == 102)

        expectFailure(
            try rowan.run("import", try rowan.write(Array("words".utf8)[...], "words")),
            1,
            "that is no bundle",
            hint: "scurry export > FILE writes one"
        )
        var newer = bytes
        newer[15] = 2
        expectFailure(
            try rowan.run("import", try rowan.write(newer[...], "newer")),
            1,
            "a newer scurry wrote this bundle (version 2)",
            hint: "install the newer scurry: make install"
        )
        let missing = try rowan.run("import", rowan.folder.file("none"))
        #expect(missing.code == 3 && missing.err.contains("No such file or directory"))
        #expect(try rowan.run("import", rowan.folder.path).code == 1)
        let elsewhere = try TestHome()
        try elsewhere.succeed("init", "--hub", "--network", "elsewhere")
        expectFailure(
            try elsewhere.run("import", whole),
            7,
            "the bundle is of another network; this home belongs to elsewhere",
            hint: "SCURRY_HOME=DIR scurry init --network NAME makes a home there"
        )
        #expect(try elsewhere.succeed("fingerprint").contains("complete"))
        #expect(try elsewhere.json("fingerprint").first?["entries"] as? Int == 0)
    }

    @Test func `What is imported into a running node reaches its peer`() throws {
        let (hazel, rowan, oak) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"), try TestHome(name: "oak"))
        try oak.post("From far away.")
        try oak.fill(posts: 200, bytes: 8_000)
        let bundle = try oak.bundle("far")
        let node = try TestNode(hazel)
        try rowan.succeed("join", try node.address())
        let peer = try TestNode(rowan)
        try hazel.post("Here.")
        try Eventually.equal(hazel, rowan)
        #expect(try hazel.told("import", bundle) == "202 entries of 1 person are new")
        try Eventually.holds("the peer to have it") {
            try rowan.json("fingerprint").first?["entries"] as? Int == 205
        }
        try Eventually.equal(hazel, rowan)
        // The other way: the node's own posts leave in a file.
        #expect(try oak.told("import", try hazel.bundle("back")) == "3 entries of 2 people are new")
        try Eventually.equal(hazel, oak)
        #expect(try peer.stop() == 0)
        #expect(try node.stop() == 0)
    }

    @Test func `A pipe that stalls keeps nobody out, and a node that starts meanwhile takes the rest`() throws {
        let (hazel, oak) = (try TestHome(name: "hazel"), try TestHome(name: "oak"))
        try oak.fill(posts: 100, bytes: 8_000)
        let export = try oak.start(["export"])
        #expect(try export.finish().code == 0)
        let bytes = export.bytes(.out)
        let importing = try hazel.start(["import", "-"])
        // More than a pipe holds: once it is sent, the import has read the header and a part of the first frame.
        importing.send(Array(bytes.prefix(300_000)))
        try hazel.post("meanwhile")
        #expect(try hazel.told("rebuild") == "rebuilt 1 post from 2 entries of 1 log")
        let node = try TestNode(hazel)
        importing.send(Array(bytes.dropFirst(300_000)))
        let ended = try importing.finish()
        #expect(ended.code == 0 && ended.err == "101 entries of 1 person are new\n", "\(ended.err)")
        #expect(try node.stop() == 0)
        #expect(try hazel.stored() == 103)
    }

    @Test func `An import that is killed loses nothing that came before, and can be done again`() throws {
        var random = Seeded.fresh()
        let (hazel, oak) = (try TestHome(name: "hazel"), try TestHome(name: "oak"))
        try oak.fill(posts: 1_200, bytes: 8_000)
        let bundle = try oak.bundle("large")
        let own = try hazel.post("mine")
        var most = 0
        for _ in 0..<12 {
            let command = try hazel.start(["import", bundle])
            command.closeInput()
            usleep(UInt32.random(in: 0...600_000, using: &random))
            command.signal(SIGKILL)
            _ = try command.exitCode()
            let held = try #require(try hazel.stored())
            #expect(held >= most, "seed \(random.seed)")
            most = held
        }
        let ended = try hazel.run("import", bundle)
        #expect(ended.code == 0, "seed \(random.seed): \(ended.err)")
        #expect(try hazel.stored() == 1_203, "seed \(random.seed)")
        #expect(try hazel.json("mine").contains { $0["id"] as? String == own })
        #expect(try oak.told("import", try hazel.bundle("back")) == "2 entries of 1 person are new")
        #expect(try hazel.succeed("fingerprint") == oak.succeed("fingerprint"), "seed \(random.seed)")
    }
}

extension TestHome {
    /// Exports into a file of its own folder; its path.
    func bundle(_ name: String, _ options: String...) throws -> String {
        let export = try start(["export"] + options)
        let ended = try export.finish()
        try #require(ended.code == 0, "\(ended.err)")
        return try write(export.bytes(.out)[...], name)
    }

    /// Exports into a file of its own folder, from a home that signs nothing more and never published its last posts:
    /// all but those; its path.
    func bundleWithoutOwnPosts(_ name: String) throws -> String {
        let export = try start(["export"])
        let ended = try export.finish()
        try #require(ended.code == 6 && ended.err.contains("your own posts are left out: "), "\(ended.err)")
        return try write(export.bytes(.out)[...], name)
    }

    func write(_ bytes: ArraySlice<UInt8>, _ name: String) throws -> String {
        let path = folder.file("\(name).bundle")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private var home: Home { get throws { try Home(opening: HomeLayout(directory: path)) } }

    /// Writes many posts under one head, a second apart, the last at `ending` (Unix milliseconds).
    func fill(posts: Int, bytes: Int, ending: UInt64 = 1_790_000_000_000) throws {
        let home = try home
        let device = try #require(try home.keys().device)
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        var generator = SystemRandomNumberGenerator()
        let drafts = try (0..<posts).map { index in
            let post = try Post(salt: Salt(using: &generator), text: String(repeating: "x", count: bytes))
            return EntryStore.Draft(payload: .post(post), time: ending - UInt64(posts - 1 - index) * 1_000)
        }
        _ = try store.append(drafts, with: device.signing, publication: .held)
        try store.close()
    }

    /// Entries that are stored, those of heads that are not complete among them.
    func stored() throws -> Int? {
        let home = try home
        let status = try StoreReader(path: home.layout.store, network: home.network).status()
        return status.entries + status.pendingEntries
    }
}
