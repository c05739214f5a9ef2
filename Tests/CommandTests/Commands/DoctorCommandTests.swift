import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `doctor`: one line a check, and "blocked" told from "nobody there".
struct DoctorCommandTests {
    @Test func `A place outside of the home that cannot be written is told`() throws {
        let home = try TestHome(name: "hazel")
        let words = "an older copy of the database, put in its place, would go unnoticed"
        #expect(try !home.run("doctor").out.contains(words))
        let blind = try home.run(["doctor"], ["XDG_STATE_HOME": "/dev/null/nowhere"])
        #expect(blind.out.contains(" warn     state ") && blind.out.contains("unnoticed"), "\(blind.out)")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "needs /proc"))
    func `A place that permits everything and takes nothing is told with its name`() throws {
        let home = try TestHome(name: "hazel")
        let variables = ["XDG_STATE_HOME": "/proc/nope"]
        let (code, rows) = try findings(home, variables)
        #expect(code == 0 && state(rows, "state") == "warn")
        #expect(text(rows, "state").hasPrefix("nothing can be kept in /proc/nope/scurry ("), "\(text(rows, "state"))")
        #expect(try home.run(["post", "x"], variables).code == 0)
        // Looking leaves nothing behind, also where the place is not made yet.
        let folder = try ShortFolder()
        let place = ["XDG_STATE_HOME": folder.file("deep/state")]
        #expect(try findings(home, place).rows["state"] == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// The findings by their ids, and the exit code.
    private func findings(
        _ home: TestHome,
        _ more: [String: String] = [:]
    ) throws -> (code: Int32, rows: [String: [String: Any]]) {
        let ended = try home.run(["doctor", "--json"], more)
        let rows = try JSONLines.parse(ended.out).map { (try #require($0["id"] as? String), $0) }
        return (ended.code, Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }

    private func state(_ rows: [String: [String: Any]], _ id: String) -> String? { rows[id]?["state"] as? String }

    private func text(_ rows: [String: [String: Any]], _ id: String) -> String { rows[id]?["text"] as? String ?? "" }

    private func list(_ lines: String..., on home: TestHome) throws {
        let text = lines.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
    }

    @Test func `Where all is well every line says so`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let (first, second) = (try TestNode(hazel), try TestNode(rowan))
        try hazel.succeed("join", try second.address())
        let place = try #require(try second.address().split(separator: "@").last).description
        let (code, rows) = try findings(hazel)
        #expect(code == 0)
        let ids = [
            "home", "settings", "disk", "database", "clock", "node", "port", "service", "local", "peer \(place)",
        ]
        #expect(Set(rows.keys) == Set(ids))
        for id in ids where id != "disk" { #expect(state(rows, id) == "ok", "\(id): \(text(rows, id))") }
        let shown = try hazel.run("doctor")
        #expect(shown.code == 0 && shown.err.isEmpty)
        #expect(shown.out.contains(" ok       peer      \(place): fine\n"), "\(shown.out)")
        _ = first
    }

    @Test func `Who is called by others has peers, though none is listed`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        #expect(text(try findings(hazel).rows, "peers") == "none")
        let node = try TestNode(hazel)
        try rowan.succeed("join", try node.address())
        let caller = try TestNode(rowan)
        try Eventually.holds("the call") { (try node.status()["peers_connected"] as? Int ?? 0) > 0 }
        let rows = try findings(hazel).rows
        #expect(state(rows, "peers") == "ok")
        #expect(text(rows, "peers") == "none listed; 1 connected")
        withExtendedLifetime(caller) {}
    }

    @Test func `A person reads the clock in local time, and a script in UTC`() throws {
        let home = try TestHome(name: "hazel")
        let zone = ["TZ": "UTC-5:30"]
        let (_, rows) = try findings(home, zone)
        let told = text(rows, "clock")
        let utc = try #require(told.wholeMatch(of: #/20\d\d-\d\d-\d\dT(\d\d):(\d\d)[0-9:.]+Z/#), "\(told)")
        let shown = try home.run(["doctor"], zone).out
        let row = #/ ok       clock     \d+ [A-Z][a-z]{2} 20\d\d (\d\d):(\d\d)\n/#
        let local = try #require(shown.firstMatch(of: row), "\(shown)")
        let minuteOfDay = { (hour: Substring, minute: Substring) throws -> Int in
            try #require(Int(hour)) * 60 + #require(Int(minute))
        }
        let ahead = try minuteOfDay(local.output.1, local.output.2) - minuteOfDay(utc.output.1, utc.output.2)
        // Past midnight the hours begin anew; a minute may have ended between the two runs.
        #expect([330, 331].contains((ahead + 1_440) % 1_440), "\(told), \(shown)")
    }

    @Test func `Nobody there, and a name that is none, are told apart; alone they are problems`() throws {
        let home = try TestHome(name: "hazel")
        let closed = try ClosedPort()
        let place = "127.0.0.1:\(closed.number)"
        try list(place, "no-such-host.invalid", on: home)
        let (code, rows) = try findings(home)
        #expect(code == 1)
        #expect(state(rows, "peer \(place)") == "problem")
        #expect(text(rows, "peer \(place)") == "nobody there: the machine answers, and no node listens")
        #expect(text(rows, "peer no-such-host.invalid:7776") == "the name does not resolve")
        #expect(state(rows, "node") == "warn")
        let shown = try home.run("doctor")
        #expect(shown.code == 1)
        #expect(shown.err == "scurry: error: 2 problems\nhint: ask there for scurry status\n")
        // As long as another peer answers, one that sleeps is no problem.
        let there = try TestNode(TestHome(name: "oak"))
        try home.succeed("join", try there.address())
        let again = try findings(home)
        #expect(again.code == 0)
        #expect(state(again.rows, "peer \(place)") == "warn")
        withExtendedLifetime(closed) {}
    }

    @Test func `What swallows every call is blocked`() throws {
        let home = try TestHome(name: "hazel")
        let silence = try Silence()
        try list("127.0.0.1:\(silence.port)", on: home)
        let (code, rows) = try findings(home)
        #expect(code == 1)
        let id = "peer 127.0.0.1:\(silence.port)"
        #expect(text(rows, id) == "blocked: no answer at all; a firewall drops the calls, or the machine is off")
    }

    @Test func `A port that another program holds is taken, though nobody gets through to it`() throws {
        let home = try TestHome(name: "hazel")
        let silence = try Silence()
        try home.succeed("config", "listen", "127.0.0.1:\(silence.port)")
        let (code, rows) = try findings(home)
        #expect(code == 0)
        #expect(state(rows, "port") == "warn")
        #expect(text(rows, "port") == "127.0.0.1:\(silence.port) is taken by another program")
    }

    @Test func `Another network, another node and this node itself are told`() throws {
        let home = try TestHome(name: "hazel")
        let elsewhere = try TestHome()
        try elsewhere.succeed("init", "--hub", "--network", "elsewhere")
        let (stranger, other) = (try TestNode(elsewhere), try TestNode(TestHome(name: "rowan")))
        let own = try TestNode(home)
        let places = try [stranger, other, own].map { try $0.address().split(separator: "@").map(String.init) }
        let expected = places[0][0]
        try list(places[0][1], "\(expected)@\(places[1][1])", places[2][1], on: home)
        let (code, rows) = try findings(home)
        #expect(code == 1)
        #expect(
            text(rows, "peer \(places[0][1])")
                == "somebody is there, but no node of the network campus: another network, or another program"
        )
        let changed = "peer \(places[1][1])"
        #expect(state(rows, changed) == "problem")
        #expect(text(rows, changed) == "another node answers there than before: \(places[1][0])")
        #expect(
            rows[changed]?["help"] as? String == "if that is right: scurry join \(places[1][0])@\(places[1][1])"
        )
        #expect(text(rows, "peer \(places[2][1])") == "is this node itself")
        #expect(state(rows, "peer \(places[2][1])") == "warn")
    }

    @Test func `What others can read, a damaged file and a bad line are problems`() throws {
        let home = try TestHome(name: "hazel")
        let key = home.path + "/keys/device.key"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
        try list("two words", on: home)
        try Data("dial = maybe\n".utf8).write(to: URL(fileURLWithPath: home.path + "/config"))
        let ended = try home.run("doctor")
        #expect(ended.code == 1)
        for line in [
            "problem  home      other users can get at \(home.path)\n", "chmod 700 \(home.path)\n",
            "problem  home      other users can get at \(key)\n", "chmod 600 \(key)\n",
            "/config, line 1: maybe is no value",
            "/peers, line 1: more than one word before the comment",
        ] {
            #expect(ended.out.replacing(/\n {20}(?=\S)/, with: " ").contains(line.dropLast()), "\(line): \(ended.out)")
        }
    }

    @Test func `A database that is damaged inside is found, and one that is no database`() throws {
        let home = try TestHome(name: "hazel")
        for number in 0..<200 { try home.succeed("post", "Acorn \(number)") }
        let url = URL(fileURLWithPath: home.path + "/store.sqlite")
        var bytes = try Data(contentsOf: url)
        for page in 4..<bytes.count / 4_096 {
            bytes.replaceSubrange(page * 4_096..<page * 4_096 + 64, with: Data(repeating: 0x55, count: 64))
        }
        try bytes.write(to: url)
        #expect(state(try findings(home).rows, "database") == "problem")
        try Data(repeating: 0x55, count: 8_192).write(to: url)
        let (code, rows) = try findings(home)
        #expect(code == 1)
        #expect(rows["keys"] == nil)
        #expect(text(rows, "database") == "the database is damaged (file is not a database)")
        #expect(state(rows, "node") == "warn")
    }

    @Test func `A database whose structure is whole and whose entries are not is damaged`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("An acorn.")
        #expect(text(try findings(home).rows, "database").contains("structure whole"))
        let python =
            "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('UPDATE entries SET flags = 70000')"
        try Shell.run("python3", "-c", python + "; c.commit()", home.path + "/store.sqlite")
        let (code, rows) = try findings(home)
        #expect(code == 1)
        #expect(text(rows, "database").hasPrefix("the database is damaged"))
        let wayOut = "scurry restore BACKUP, or scurry id restore with the words, in a new SCURRY_HOME"
        for command in [["show", id], ["vote", "up", id], ["reply", id, "x"], ["edit", id, "x"], ["delete", id]] {
            let ended = try home.run(command)
            #expect(ended.code == 1, "\(command): \(ended.err)")
            #expect(ended.err.hasPrefix("scurry: error: the database is damaged"), "\(command): \(ended.err)")
            #expect(ended.err.hasSuffix("hint: \(wayOut)\n"), "\(command): \(ended.err)")
        }
        #expect(try home.run("show").code == 64)
    }

    @Test(.enabled(if: Stranger.isPossible, "nobody else can run the program here"))
    func `A database that may not be opened is looked at, and doctor sends nobody to itself`() throws {
        let home = try TestHome(name: "hazel")
        let store = home.path + "/store.sqlite"
        chmod(store, 0)
        // No permissions hold root off: the home is nobody's then, who runs the program.
        if geteuid() == 0 { try Shell.run("chown", "-R", "65534:65534", home.folder.path) }
        let ended = try Stranger.run(["doctor", "--json"], home.environment())
        #expect(ended.code == 1)
        let row = try #require(try JSONLines.parse(ended.out).first { $0["id"] as? String == "database" })
        let text = "the database cannot be opened: check the permissions of the home and its disk"
        #expect(row["text"] as? String == text)
        #expect(row["help"] as? String == "ls -l \(store)*")
        #expect(ended.err.hasSuffix("hint: ls -l \(store)*\n"), "\(ended.err)")
    }

    @Test func `Without a home that is the one finding`() throws {
        let home = try TestHome()
        let ended = try home.run("doctor", "--json")
        #expect(ended.code == 1)
        #expect(try JSONLines.parse(ended.out).compactMap { $0["id"] as? String } == ["home"])
        #expect(ended.err == "scurry: error: there is no home at \(home.path)\nhint: scurry init --name NAME\n")
    }

    @Test(.enabled(if: WallClock.isPossible))
    func `A clock that is long past is a problem, and one before the last post is told`() throws {
        let home = try TestHome(name: "hazel")
        let clock = try WallClock()
        try home.post("An acorn.")
        let (code, rows) = try findings(home, clock.standing(at: 86_400))
        #expect(code == 1)
        #expect(state(rows, "clock") == "problem")
        let late = try findings(home, clock.ahead(seconds: -3_600))
        #expect(late.code == 1)
        #expect(state(late.rows, "clock") == "problem")
        // Whose posts they are makes no difference: a reader's own clock was set back, too.
        let reader = try TestHome(name: "rowan")
        try reader.succeed("import", try home.bundle("campus"))
        #expect(state(try findings(reader).rows, "clock") == "ok")
        let behind = clock.ahead(seconds: -86_400)
        let found = try findings(reader, behind)
        #expect(found.code == 1)
        #expect(state(found.rows, "clock") == "problem")
        #expect(text(found.rows, "clock").contains("it was set back"))
        // And says so where the posts are missed, and where new ones are written.
        let feed = try reader.run(["feed"], behind)
        #expect(feed.code == 0)
        #expect(feed.out.contains("No posts yet; 1 post waits for its time."), "\(feed.out)")
        #expect(feed.err.contains("1 post waits for its time; scurry doctor"), "\(feed.err)")
        for words in [["status"], ["status", "--json"], ["channel", "list"], []] {
            let said = try reader.run(words, behind).err
            #expect(said.hasPrefix("scurry: note: the clock says "), "\(words): \(said)")
            #expect(said.hasSuffix("; 1 post waits for its time; scurry doctor\n"), "\(words): \(said)")
        }
        #expect(try reader.run(["post", "early"], behind).err.contains("the clock says "))
        for words in [["feed"], ["status"], ["channel", "list"]] { #expect(try reader.run(words).err.isEmpty) }
        // A post from a clock that was ahead, and is right again, is only told.
        try #require(try home.run(["post", "ahead"], clock.ahead(seconds: 7_200)).code == 0)
        let right = try findings(home)
        #expect(right.code == 0)
        #expect(state(right.rows, "clock") == "warn")
    }

    @Test func `A service that ends with the session is told`() throws {
        let home = try TestHome(name: "hazel")
        let tools = try FakeTools()
        try tools.putSystemd(linger: "no")
        let variables = ["PATH": tools.path, "XDG_CONFIG_HOME": home.folder.file("xdg")]
        #expect(try home.run(["service", "install"], variables).code == 0)
        let (code, rows) = try findings(home, variables)
        #expect(code == 0)
        #expect(state(rows, "service") == "warn")
        #expect(rows["service"]?["help"] as? String == "loginctl enable-linger")
        try tools.putSystemd(linger: "yes")
        #expect(state(try findings(home, variables).rows, "service") == "ok")
    }
}

/// A port whose queue is full: the kernel drops further calls without a word, as a firewall does.
private final class Silence {
    let port: UInt16
    private var sockets: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isBound else { throw Spawned.Trouble(description: "no port") }
        port = UInt16(bigEndian: address.sin_port)
        // Two fill a queue of none; the others are sure.
        for _ in 0..<4 {
            let caller = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            _ = fcntl(caller, F_SETFL, O_NONBLOCK)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(caller, $0, size) }
            }
            sockets.append(caller)
        }
    }

    deinit {
        for socket in sockets { close(socket) }
    }
}
