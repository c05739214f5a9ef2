import Foundation
import Testing

/// A node whose disk fills while it runs.
struct FullDiskNodeTests {
    /// A home on a disk of its own.
    private struct Place {
        let disk: SmallDisk
        let home: String

        init(megabytes: Int = 8) throws {
            disk = try SmallDisk(megabytes: megabytes)
            home = disk.folder.file("home")
            let ended = try run("init", "--name", "hazel", "--words-to", disk.folder.file("words"))
            try #require(ended.code == 0, "\(ended.err)")
        }

        func start(_ arguments: [String]) throws -> Spawned {
            try disk.start(ScurryProgram.path, arguments, environment: ScurryProgram.environment(home: home))
        }

        func run(_ arguments: String...) throws -> Spawned.Ended {
            try start(arguments).finish()
        }

        /// Asked again while the node that runs does not answer: on a busy machine it may be late.
        func status() throws -> [String: Any] {
            var row: [String: Any] = [:]
            try Eventually.holds("an answer") {
                row = try #require(JSONLines.parse(try run("status", "--json").out).first)
                return row["started"] is String || row["running"] as? Bool == false
            }
            return row
        }

        func print() throws -> String { try run("fingerprint").out }
    }

    private static let full = "the disk is full; nothing was changed"

    /// So long that a few of them fill what a database keeps in reserve.
    private static func text(_ number: Int) -> String {
        "\(number) " + String(repeating: "the squirrels of the campus \(number) ", count: 600)
    }

    /// Nothing that came from peers is missing, and an idle node writes nothing that would show that there is room.
    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `A post that did not fit leaves complete what is here`() throws {
        let hazel = try Place()
        let node = try hazel.start(["run", "--listen", "127.0.0.1:0"])
        try node.wait(for: "listens on", in: .err)
        try hazel.disk.fill()
        var isRefused = false
        for number in 0..<100 where !isRefused { isRefused = try hazel.run("post", Self.text(number)).code != 0 }
        try #require(isRefused)
        let status = try hazel.status()
        #expect(status["store_failure"] as? String == Self.full)
        #expect(status["complete"] as? Bool == true)
        let shown = try hazel.run("status").out
        #expect(shown.contains(", complete") && shown.contains("the last write failed: \(Self.full)"), "\(shown)")
        #expect(try hazel.print().hasSuffix("  complete\n"))
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
    }

    enum Taker: Sendable {
        case node
        case command
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"), arguments: [Taker.node, .command])
    func `An import that the disk does not take to its end says what it took`(taker: Taker) throws {
        let oak = try TestHome(name: "oak")
        try oak.fill(posts: 3_000, bytes: 8_000)
        let bundle = try oak.bundle("large")
        // Room for some of it: more than one transaction, which is in the database's log too, and less than all.
        let hazel = try Place(megabytes: 16)
        let news = #/([1-9]\d*) entries of 1 person are new\n/#
        let why = "scurry: error: the disk is full; what came before it is kept\nhint: df -h shows which disk is full\n"
        switch taker {
        case .node:
            let node = try hazel.start(["run", "--listen", "127.0.0.1:0"])
            try node.wait(for: "listens on", in: .err)
            let ended = try hazel.run("import", bundle)
            #expect(ended.code == 6 && ended.out.isEmpty, "\(ended)")
            #expect(ended.err.prefixMatch(of: news) != nil && ended.err.hasSuffix("are new\n" + why), "\(ended)")
            node.signal(SIGTERM)
            #expect(try node.exitCode() == 0)
        case .command:
            let ended = try hazel.run("import", bundle, "--json")
            #expect(ended.code == 6 && ended.err == why, "\(ended)")
            let row = try #require(JSONLines.parse(ended.out).first)
            #expect((row["entries"] as? Int ?? 0) > 0 && row["complete"] as? Bool == false, "\(ended)")
            #expect(row["fault"] is NSNull)
        }
    }

    @Test(.enabled(if: Mounts.isPossible, "needs root, to mount"))
    func `A node whose disk fills goes on, says so, and takes what it missed when there is room`() throws {
        let hazel = try Place()
        #expect(try hazel.run("post", "before").code == 0)
        let node = try hazel.start(["run", "--listen", "127.0.0.1:0"])
        try node.wait(for: "listens on", in: .err)
        let place = try hazel.status()
        let rowan = try TestHome(name: "rowan")
        let address = "\(try #require(place["node"] as? String))@\(try #require(place["listening"] as? String))"
        try rowan.succeed("join", address)
        let other = try TestNode(rowan)
        try Eventually.holds("both to meet") { try hazel.print() == rowan.succeed("fingerprint") }

        try hazel.disk.fill()
        // What the files hold already takes a few.
        var saved = ["before"]
        var refused: (text: String, ended: Spawned.Ended)?
        for number in 0..<100 where refused == nil {
            let text = Self.text(number)
            let ended = try hazel.run("post", text)
            if ended.code == 0 { saved.append(text) } else { refused = (text, ended) }
        }
        let (lost, said) = try #require(refused)
        #expect(said.code == 1)
        let lines = said.err.split(separator: "\n")
        #expect(lines.count(where: { $0.hasPrefix("scurry: error:") }) == 1)
        #expect(said.err.contains("scurry: error: the disk is full; nothing was changed; the text "), "\(said.err)")
        #expect(lines.last == "hint: df -h shows which disk is full", "\(said.err)")
        // What others write comes too, and does not fit either.
        for number in 100..<140 { try rowan.succeed("post", Self.text(number)) }
        try node.wait(for: "error: the disk is full; nothing was changed", in: .err)
        try Eventually.holds("status to say so") { try hazel.status()["store_failure"] as? String == Self.full }
        #expect(try hazel.status()["complete"] as? Bool == false)
        let shown = try hazel.run("status").out
        #expect(shown.contains("the last write failed: \(Self.full)"), "\(shown)")
        #expect(!shown.contains(", complete"), "\(shown)")
        #expect(try !hazel.print().contains("  complete"))
        #expect(try hazel.status()["running"] as? Bool == true)
        #expect(try hazel.run("feed", "-n", "3").code == 0)
        let doctor = try hazel.run("doctor")
        #expect(doctor.code == 1)
        #expect(doctor.out.contains("problem  disk      \(hazel.home): No space left on device"), "\(doctor.out)")
        #expect(doctor.out.contains("ok       database"), "\(doctor.out)")
        #expect(doctor.out.contains("warn     writing   the last write failed: \(Self.full)"), "\(doctor.out)")
        #expect(try hazel.run("sync", "--timeout", "1").err.contains("the last write failed: \(Self.full)\n"))
        #expect(try hazel.print() != rowan.succeed("fingerprint"))

        try hazel.disk.makeRoom()
        try Eventually.holds("both to hold the same") { try hazel.print() == rowan.succeed("fingerprint") }
        #expect(try hazel.run("post", "after").code == 0)
        #expect(try hazel.status()["store_failure"] is NSNull)
        #expect(try hazel.print().hasSuffix("  complete\n"))
        saved.append("after")
        try Eventually.holds("both to hold the last") {
            let print = try rowan.succeed("fingerprint")
            return try rowan.texts().contains("after") && hazel.print() == print
        }
        let texts = Set(try rowan.texts())
        #expect(texts.isSuperset(of: saved) && texts.count == saved.count + 40)
        #expect(!texts.contains(lost))
        #expect(try rowan.json("status").first?["set_aside_logs"] as? Int == 0)
        #expect(try hazel.status()["signing_stopped"] as? Bool == false)
        #expect(node.text(.err).components(separatedBy: "the disk is full").count <= 8, "\(node.text(.err))")
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
        #expect(try other.stop() == 0)
    }
}
