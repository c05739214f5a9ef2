import Foundation
import GRDB
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `run`, `join`, `leave`, `peers`, `status`, `sync`, `fingerprint`, `rebuild`.
struct NodeCommandsTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `A node ends within a second`(signal: Int32) throws {
        let node = try TestNode(TestHome(name: "hazel"))
        let began = ContinuousClock.now
        node.process.signal(signal)
        #expect(try node.process.exitCode() == 0)
        // The node's own bound is below a second. Whatever else it may wait for takes ten, as a handshake does: between
        // them is room for a machine that is slow and busy.
        #expect(TransportLimits.stopMilliseconds < 1_000)
        let took = began.duration(to: .now)
        #expect(took < .seconds(8), "\(took)")
    }

    @Test func `A hangup ends no node that was started to outlive it`() throws {
        let home = try TestHome(name: "hazel")
        let process = try Spawned(
            ["-c", "trap '' HUP; exec \"$0\" run --listen 127.0.0.1:0", ScurryProgram.path],
            environment: home.environment(),
            program: "/bin/sh"
        )
        try process.wait(for: "listens on", in: .err)
        process.signal(SIGHUP)
        // A node that ends hears of no peer.
        for port in 1...5 {
            #expect(
                try home.told("join", "--trust", "127.0.0.1:\(port)").hasSuffix("the node calls it now: scurry peers")
            )
        }
        process.signal(SIGTERM)
        #expect(try process.exitCode() == 0)
    }

    @Test func `Another key for an address that is trusted is said, with the one before`() throws {
        let home = try TestHome(name: "hazel")
        let keys = try ["rowan", "acorn"].map { name in
            try #require(try TestHome(name: name).json("status").first?["node"] as? String)
        }
        #expect(try home.told("join", "\(keys[0])@127.0.0.1:9").hasPrefix("added 127.0.0.1:9"))
        let told = try home.told("join", "\(keys[1])@127.0.0.1:9")
        let warning = "warning: another key is trusted at 127.0.0.1:9 from now on; until now it was\n  \(keys[0])\n"
        #expect(told.hasPrefix(warning + "changed 127.0.0.1:9"), "\(told)")
        #expect(try !home.told("join", "\(keys[1])@127.0.0.1:9", "--name", "the hub").contains("warning"))
    }

    @Test func `A second node on the same home is refused`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let process = try #require(try home.json("status").first?["process"] as? Int)
        let second = try home.run("run", "--listen", "127.0.0.1:0")
        expectFailure(second, 75, "another node (process \(process)) runs on this home", hint: "scurry status")
        let rebuild = try home.run("rebuild")
        expectFailure(
            rebuild,
            75,
            "another process (\(process)) is using this home",
            hint: "kill \(process), then scurry rebuild"
        )
        _ = node
    }

    @Test func `A busy port is told`() throws {
        let first = try TestNode(TestHome(name: "hazel"))
        let port = try #require(try first.address().split(separator: ":").last)
        let second = try TestHome(name: "rowan").run("run", "--listen", "127.0.0.1:\(port)")
        expectFailure(
            second,
            75,
            "port \(port) is busy: another program listens there",
            hint: "scurry run --listen :0 picks a free one"
        )
    }

    @Test func `An address to listen on that is none is a usage error`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("run", "--listen", "here:port"),
            64,
            "here:port is no address to listen on: a port is a number from 0 to 65535",
            hint: "scurry run --listen 0.0.0.0:7776"
        )
    }

    @Test func `A bare address needs trust, and the peers file has what was joined`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("join", "oak.example.edu"),
            7,
            "nobody vouches for the key of oak.example.edu:7776",
            hint: "scurry join NODEID@oak.example.edu:7776, or scurry join --trust oak.example.edu:7776"
        )
        #expect(try home.json("peers").isEmpty)
        #expect(
            try home.told("join", "--trust", "oak.example.edu", "--name", "the hub")
                == "added oak.example.edu:7776; called when the node runs: scurry run"
        )
        let file = try String(contentsOfFile: home.path + "/peers", encoding: .utf8)
        #expect(file.hasSuffix("\noak.example.edu:7776  # the hub\n"))
        let row = try #require(try home.json("peers").first)
        #expect(row["address"] as? String == "oak.example.edu:7776")
        #expect(row["name"] as? String == "the hub")
        #expect(row["listed"] as? Bool == true)
        #expect(
            try home.told("join", "oak.example.edu:7776")
                == "oak.example.edu:7776 was there already; called when the node runs: scurry run"
        )
        #expect(try home.run("leave", "").code == 64)
        #expect(try home.told("leave", "the hub") == "removed oak.example.edu:7776")
        expectFailure(
            try home.run("leave", "oak.example.edu"),
            3,
            "no peer here is called oak.example.edu",
            hint: "scurry peers"
        )
    }

    @Test func `A peer is left by the line that join takes, and by no other node's`() throws {
        let home = try TestHome(name: "hazel")
        let node = try #require(try TestHome(name: "rowan").json("whoami").first?["node"] as? String)
        let other = try #require(try TestHome(name: "fern").json("whoami").first?["node"] as? String)
        try home.succeed("join", "\(node)@oak.example.edu:7776")
        #expect(try home.run("leave", "\(other)@oak.example.edu:7776").code == 3)
        #expect(try home.told("leave", "\(node)@oak.example.edu:7776") == "removed oak.example.edu:7776")
    }

    @Test func `An address that is listed twice can be left`() throws {
        let home = try TestHome(name: "hazel")
        try Data("oak:7776  # one\nelm\noak  # two\n".utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
        #expect(try home.told("leave", "oak:7776") == "removed oak:7776")
        #expect(try String(contentsOfFile: home.path + "/peers", encoding: .utf8) == "elm\n")
        let ambiguous = "oak # a tree\nelm # a tree\noak # a tree\n"
        try Data(ambiguous.utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
        let ended = try home.run("leave", "a tree")
        #expect(ended.code == 3 && ended.err.contains("a tree can mean 2 peers\n"), "\(ended.err)")
    }

    @Test func `On a terminal a bare address asks before it trusts`() throws {
        let home = try TestHome(name: "hazel")
        let no = try home.start(["join", "no-such-host.invalid"], streams: .terminal(columns: 80))
        try no.wait(for: "Trust whoever answers? [y/N] ")
        #expect(no.text(.out).contains("cannot be reached now: the name does not resolve"))
        no.send("\r")
        #expect(try no.finish().code == 7)
        #expect(try home.json("peers").isEmpty)
        let yes = try home.start(["join", "no-such-host.invalid"], streams: .terminal(columns: 80))
        try yes.wait(for: "Trust whoever answers? [y/N] ")
        yes.send("yes\r")
        #expect(try yes.finish().code == 0)
        #expect(try home.json("peers").count == 1)
    }

    @Test func `On a terminal the key that answers is shown, and that key is trusted`() throws {
        let home = try TestHome(name: "hazel")
        let peer = try TestNode(TestHome(name: "oak"))
        let parts = try peer.address().split(separator: "@")
        let (node, place) = (String(parts[0]), String(parts[1]))
        let yes = try home.start(["join", place], streams: .terminal(columns: 80))
        try yes.wait(for: "Trust this key? [y/N] ")
        #expect(yes.text(.out).contains("  \(node)\r\n"))
        yes.send("y\r")
        #expect(try yes.finish().code == 0)
        let file = try String(contentsOfFile: home.path + "/peers", encoding: .utf8)
        #expect(file.hasSuffix("\n\(node)@\(place)\n"))
        // It showed nothing of itself: nobody called, as far as the other node can tell.
        #expect(try peer.home.json("peers").isEmpty)
        #expect(try peer.stop() == 0)
        #expect(!peer.process.text(.err).contains("connected"))
    }

    @Test func `On a terminal a node of another network is refused, and so is this node itself`() throws {
        let home = try TestHome(name: "hazel")
        let elsewhere = try TestHome()
        try elsewhere.succeed("init", "--hub", "--network", "elsewhere")
        let peer = try TestNode(elsewhere)
        let place = try peer.address().split(separator: "@")[1]
        let refused = try home.start(["join", String(place)], streams: .terminal(columns: 80)).finish()
        #expect(refused.code == 7)
        #expect(refused.out.contains("what answers at \(place) is no node of the network campus"))
        let own = try TestNode(home)
        let itself = try home.start(
            ["join", String(own.address().split(separator: "@")[1])],
            streams: .terminal(columns: 80)
        )
        #expect(try itself.finish().out.contains("that is this node itself"))
        #expect(try home.json("peers").isEmpty)
    }

    @Test(arguments: [
        ("", "no address"),
        ("oak:0", "a port is a number from 1 to 65535"),
        ("short@oak", "what stands before the @ is not a node id"),
        ("2001:db8::1", "an IPv6 address needs brackets: [2001:db8::1]:7776"),
    ])
    func `An address that is none is a usage error`(address: String, why: String) throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("join", "--trust", "--", address),
            64,
            "\(address) is no address of a peer: \(why)",
            hint: "scurry join [NODEID@]HOST:7776"
        )
    }

    @Test(arguments: [
        ("http://foo", "foo"), ("https://me@oak.example.edu:8443/x", "oak.example.edu"), ("http://[::1]:80", "HOST"),
    ])
    func `A URL is no address, and its host may be one`(typed: String, host: String) throws {
        expectFailure(
            try TestHome(name: "hazel").run("join", "--trust", typed),
            64,
            "an address is HOST or HOST:PORT, and no URL",
            hint: "scurry join \(host)"
        )
    }

    @Test func `A bad line of the peers file is named by its number, and the rest is used`() throws {
        let home = try TestHome(name: "hazel")
        try Data("# mine\noak.example.edu\nnot an address\n".utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
        let ended = try home.run("peers", "--json")
        #expect(ended.code == 0)
        #expect(try JSONLines.parse(ended.out).count == 1)
        #expect(
            ended.err == "scurry: warning: \(home.path)/peers, line 3: more than one word before the comment\n"
        )
    }

    @Test func `The log says what a person acts on: a bad line, a name that does not resolve`() throws {
        let home = try TestHome(name: "hazel")
        try Data("two words\nno-such-host.invalid\n".utf8).write(to: URL(fileURLWithPath: home.path + "/peers"))
        let node = try TestNode(home)
        let log = try node.process.wait(for: "no-such-host.invalid:7776: ", in: .err)
        #expect(log.contains("warning: \(home.path)/peers, line 1: more than one word before the comment"))
        #expect(log.contains("cannot reach no-such-host.invalid:7776: the name does not resolve; next attempt in "))
        #expect(try node.stop() == 0)
    }

    @Test func `Of addresses that others told the log says nothing by itself`() throws {
        let home = try TestHome(name: "hazel")
        let other = try #require(try TestHome(name: "rowan").json("whoami").first?["node"] as? String)
        try Data("\(other)@told.invalid\n".utf8).write(to: URL(fileURLWithPath: home.path + "/learned_peers"))
        let telling = try TestNode(home, "--log", "info")
        try telling.process.wait(for: "cannot reach told.invalid:7776", in: .err)
        #expect(try telling.stop() == 0)
        let node = try TestNode(home)
        try Eventually.holds("the call to have failed") {
            try home.json("peers").contains { ($0["failures"] as? Int ?? 0) > 0 }
        }
        #expect(try node.stop() == 0)
        #expect(!node.process.text(.err).contains("told.invalid"))
    }

    @Test func `A node does not join itself`() throws {
        let home = try TestHome(name: "hazel")
        let node = try #require(try home.json("whoami").first?["node"] as? String)
        expectFailure(
            try home.run("join", "\(node)@localhost"),
            7,
            "that is this node itself",
            hint: "scurry status prints what others join"
        )
    }

    @Test func `Sync without peers, and with peers who are not there`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(try home.run("sync"), 5, "there are no peers", hint: "scurry join HOST:7776")
        let gone = try TestNode(TestHome(name: "rowan"))
        let node = try #require(try gone.address().split(separator: "@").first)
        _ = try gone.stop()
        let closed = try ClosedPort()
        let place = "127.0.0.1:\(closed.number)"
        try home.succeed("join", "\(node)@\(place)")
        let failed = try home.run("sync", "--timeout", "60")
        #expect(
            failed.err == """
                scurry: error: none of 1 peer could be reached
                  \(place)  nobody listens there
                hint: scurry doctor

                """
        )
        #expect(failed.code == 5 && failed.out.isEmpty)
        expectFailure(
            try home.run("sync", "--timeout", "0"),
            64,
            "--timeout takes 1 to 86400 seconds",
            hint: "scurry sync -h"
        )
    }

    @Test func `Sync names the peer that hangs, and ends by the signal that ends it`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let called = try TestNode(hazel)
        try rowan.succeed("join", try called.address())
        let place = try #require(try called.address().split(separator: "@").last)
        called.process.signal(SIGSTOP)
        defer { called.process.signal(SIGCONT) }
        // Long enough for the call to be under way, and shorter than its own deadline of ten seconds.
        let late = try rowan.run("sync", "--timeout", "5")
        #expect(late.code == 75)
        let told = "not done within 5 s: in step with 0 of 1 peer\n  \(place)  does not answer\n"
        #expect(late.err.contains(told) && late.err.hasSuffix("hint: scurry doctor\n"), "\(late.err)")
        let waiting = try rowan.start(["sync", "--timeout", "600"])
        try Eventually.holds("the round") { try rowan.json("status").first?["running"] as? Bool == true }
        waiting.signal(SIGINT)
        #expect(try waiting.exitCode() == -SIGINT)
    }

    @Test func `An address is never broken in two`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let address = try #require(try home.json("status").first?["listening"] as? String)
        let id = try #require(try home.json("whoami").first?["node"] as? String)
        for columns in ["40", "60", "80"] {
            #expect(try home.run(["status"], ["COLUMNS": columns]).out.contains("\(id)@\(address)\n"))
        }
        _ = node
    }

    @Test func `Two nodes that meet hold the same, live and after a split`() throws {
        let hazel = try TestHome(name: "hazel")
        let rowan = try TestHome(name: "rowan")
        try hazel.post("offline, from hazel")
        let first = try TestNode(hazel)
        try rowan.succeed("join", try first.address())
        let second = try TestNode(rowan)
        try Eventually.equal(hazel, rowan)
        try rowan.post("live, from rowan")
        try Eventually.equal(hazel, rowan)
        #expect(try second.stop() == 0)
        try hazel.post("while rowan is away")
        let id = try #require(try rowan.json("mine").first?["id"] as? String)
        try rowan.succeed("delete", id)
        #expect(try hazel.succeed("fingerprint") != rowan.succeed("fingerprint"))
        let again = try TestNode(rowan)
        try Eventually.equal(hazel, rowan)
        let texts = { (home: TestHome) in try home.json("feed").compactMap { $0["text"] as? String } }
        #expect(try texts(hazel) == ["while rowan is away", "offline, from hazel"])
        #expect(try texts(hazel) == texts(rowan))
        let peer = try #require(try hazel.json("peers").first)
        #expect(peer["state"] as? String == "connected")
        #expect(peer["direction"] as? String == "incoming")
        let synced = try rowan.run("sync")
        #expect(synced.err == "in step with 1 peer\n")
        _ = again
    }

    @Test func `Status tells the port that was picked, and its keys`() throws {
        let home = try TestHome(name: "hazel")
        let line = try home.succeed("status", "--json").dropLast()
        #expect(
            JSONLines.keys(line) == [
                "id", "node", "person", "network", "private", "home", "running", "replaced", "process", "started",
                "listening", "address",
                "peers_listed", "peers_connected", "peers_in_step", "last_in_step", "peers_refusing", "full",
                "carried_people",
                "left_out_people", "fingerprint", "complete", "posts", "people",
                "logs", "entries", "wanted_logs", "delayed_logs", "unsupplied_logs", "wanted_bodies", "gaps",
                "missing_entries", "set_aside_logs",
                "own_entries", "own_published",
                "signing_stopped", "signing_stop", "own_withdrawn", "passphrase_set", "locked",
                "received_bytes", "sent_bytes",
                "database_bytes", "disk_budget", "dropped_bodies", "budget_failure", "store_failure",
                "drafts",
            ]
        )
        let resting = try #require(try home.json("status").first)
        #expect(resting["running"] as? Bool == false && resting["address"] is NSNull)
        let node = try TestNode(home)
        let row = try #require(try home.json("status").first)
        #expect(row["running"] as? Bool == true)
        #expect((row["listening"] as? String)?.wholeMatch(of: #/127\.0\.0\.1:[1-9]\d*/#) != nil)
        #expect(try row["address"] as? String == node.address())
        #expect(try home.succeed("status").contains(" address "))
        _ = node
    }

    @Test func `Status does not say that a home signs where it cannot read whether it does`() throws {
        let home = try TestHome(name: "hazel")
        for words in [["status"], ["status", "--json"]] { #expect(try home.run(words).code == 0) }
        let database = try DatabaseQueue(path: home.path + "/store.sqlite")
        try database.write { try $0.execute(sql: "ALTER TABLE withdrawn RENAME TO gone") }
        try database.close()
        for words in [["status"], ["status", "--json"]] {
            let ended = try home.run(words)
            #expect(ended.code == 1 && ended.out.isEmpty, "\(ended)")
            #expect(ended.err.contains("the database failed"), "\(ended)")
        }
    }

    @Test func `A fingerprint says whether it is complete`() throws {
        let home = try TestHome(name: "hazel")
        let row = try #require(try home.json("fingerprint").first)
        let print = try #require(row["fingerprint"] as? String)
        #expect(row["complete"] as? Bool == true)
        #expect(try home.succeed("fingerprint") == "\(print)  complete\n")
        try home.post("more")
        #expect(try home.succeed("fingerprint") != "\(print)  complete\n")
    }

    @Test func `A fingerprint counts what is wanted in words, and its help says what a script takes`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("one")
        let database = try DatabaseQueue(path: home.path + "/store.sqlite")
        let want = """
            INSERT INTO body_wants
            SELECT key FROM entries WHERE key NOT IN (SELECT entry FROM body_wants) LIMIT 1
            """
        for state in ["1 text is still wanted", "2 texts are still wanted"] {
            try database.write { try $0.execute(sql: want) }
            #expect(try home.succeed("fingerprint").hasSuffix("  \(state)\n"))
        }
        try database.close()
        let row = try #require(try home.json("fingerprint").first)
        #expect(row["complete"] as? Bool == false && row["wanted_bodies"] as? Int == 2)
        #expect(row["wanted_logs"] as? Int == 0 && row["store_failure"] is NSNull)
        let help = try home.succeed("fingerprint", "-h").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("a script compares the fingerprints themselves"), "\(help)")
    }

    @Test func `A rebuild changes nothing that is shown`() throws {
        let home = try TestHome(name: "hazel")
        let id = try home.post("one", "-c", "a")
        try home.succeed("vote", "up", id)
        let before = try home.succeed("feed", "--json")
        #expect(try home.told("rebuild") == "rebuilt 1 post from 3 entries of 1 log")
        #expect(try home.succeed("feed", "--json") == before)
    }
}
