import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `invite`, and `join` with one.
struct InviteCommandTests {
    @Test func `An invite is one line, and joins without a question`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        expectFailure(
            try hazel.run("invite"),
            5,
            "no node runs here that could be called",
            hint: "scurry run, then scurry invite; or scurry invite --address HOST:7776"
        )
        try hazel.post("welcome")
        let node = try TestNode(hazel)
        let made = try hazel.run("invite")
        #expect(made.code == 0)
        #expect(made.err == "warning: only this machine can call 127.0.0.1; see scurry run --listen\n")
        let lines = made.out.split(separator: "\n")
        #expect(lines.count == 1)
        let invite = String(try #require(lines.first))
        #expect(invite.hasPrefix("scurry:\(try node.address())/campus/"))
        #expect(try hazel.json("invite").first?["invite"] as? String == invite)
        #expect(try rowan.run("join", "-", input: " \(invite)\n").code == 0)
        #expect(try rowan.run("sync", "--timeout", "60").err == "in step with 1 peer\n")
        #expect(try rowan.json("feed").count == 1)
        #expect(try rowan.told("join", invite).contains("was there already"))
        expectFailure(
            try hazel.run("join", invite),
            7,
            "that is this node itself",
            hint: "scurry status prints what others join"
        )
        expectFailure(
            try rowan.run("join", String(invite.dropLast())),
            64,
            "this invite is cut off or mistyped",
            hint: "ask for the whole line of scurry invite"
        )
        let port = try #require(try node.address().split(separator: ":").last)
        let named = try hazel.succeed("invite", "--address", "oak.example.edu")
        #expect(named.contains("@oak.example.edu:\(port)/campus/"), "the port where the node listens")
        #expect(try hazel.succeed("invite", "--address", "oak.example.edu:7776").contains("@oak.example.edu:7776/"))
        #expect(try rowan.succeed("invite", "--address", "oak").contains("@oak:7776/campus/"))
        try rowan.succeed("config", "listen", ":7999")
        #expect(try rowan.succeed("invite", "--address", "oak").contains("@oak:7999/campus/"))
        expectFailure(
            try hazel.run("invite", "--address", "two words"),
            64,
            "two words is no address: not a host name or an address",
            hint: "scurry invite --address HOST:7776"
        )
    }

    @Test func `On a terminal a QR code follows, in half blocks or in ASCII`() throws {
        let home = try TestHome(name: "hazel")
        let draw = { (columns: Int, more: [String: String]) in
            try home.start(["invite", "--address", "oak"], more, streams: .terminal(columns: columns)).finish().out
        }
        #expect(try draw(80, [:]).contains("▀"))
        #expect(try draw(40, [:]).contains("the QR code needs"))
        let ascii = try draw(120, ["LANG": "C"])
        #expect(ascii.contains("##    ") && !ascii.contains("▀"))
        #expect(try home.succeed("invite", "--address", "oak", "--qr").contains("▀"))
    }

    @Test func `An invite of another network is refused, by its name and by its secret`() throws {
        let folder = try ShortFolder()
        let file = { (name: String, text: String) in
            try folder.write(text, to: name)
            chmod(folder.file(name), 0o600)
            return folder.file(name)
        }
        let (one, two) = (
            try file("one", "a secret of the laboratory"), try file("two", "a secret of the observatory")
        )
        let home = { (arguments: [String]) in
            let home = try TestHome()
            let made = try home.run(["init", "--hub"] + arguments)
            try #require(made.code == 0, "\(made.err)")
            return home
        }
        let campus = try home([])
        let lab = try home(["--network", "lab"])
        let first = try home(["--network", "lab", "--secret-file", one])
        let second = try home(["--network", "lab", "--secret-file", two])
        let invite = { (home: TestHome) in
            try home.run("invite", "--address", "oak").out.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let told = try first.run("invite", "--address", "oak").err
        #expect(
            told == """
                warning: it holds the secret of the network: whoever gets this line is in
                on a machine with other users it is pasted: scurry join -

                """
        )
        let hint = "SCURRY_HOME=DIR scurry init --network"
        for (from, to, what) in [
            (lab, campus, "the network lab, this home is of the network campus"),
            (campus, lab, "the network campus, this home is of the network lab"),
            (first, lab, "the private network lab, this home is of the network lab"),
            (lab, first, "the network lab, this home is of the private network lab"),
            (second, first, "the private network lab, this home is of one of that name with another secret"),
        ] {
            let name = try #require(try from.json("whoami").first?["network"] as? String)
            let file = what.hasPrefix("the private") ? " --secret-file FILE, the invite in FILE," : ""
            expectFailure(
                try to.run("join", try invite(from)),
                7,
                "this invite is for \(what)",
                hint: "\(hint) \(name)\(file) makes a home for it"
            )
        }
        // Without a home the hint makes one of the right network.
        let nobody = try TestHome().run("join", try invite(first))
        #expect(nobody.code == 1)
        let way = "\nhint: scurry init --name NAME --secret-file FILE, the invite in FILE\n"
        #expect(nobody.err.hasSuffix(way), "\(nobody.err)")
        // So it does where the invite is kept out of the list of processes.
        let piped = { (text: String) in try TestHome().run("join", "-", input: text).err }
        #expect(try piped(invite(first) + "\n").hasSuffix(way))
        #expect(try piped(invite(lab) + "\n").hasSuffix("\nhint: scurry init --name NAME --network lab\n"))
        #expect(try piped("").hasSuffix("\nhint: scurry init --name NAME\n"))
        // The invite is all that a newcomer needs.
        let line = try file("invite", try invite(first) + "\n")
        let newcomer = try home(["--secret-file", line])
        #expect(try newcomer.json("whoami").first?["network"] as? String == "lab")
        let (hazel, back) = (try TestHome(name: "hazel"), try TestHome())
        try back.succeed("id", "restore", "--words-from", hazel.words, "--secret-file", line)
        #expect(try back.json("whoami").first?["network"] as? String == "lab")
        #expect(try newcomer.run("join", try invite(first)).code == 0)
        let wrong = try TestHome().run("init", "--hub", "--network", "other", "--secret-file", line)
        expectFailure(
            wrong,
            7,
            "the invite in \(line) is for the network lab",
            hint: "scurry init --hub --network lab --secret-file \(line)"
        )
        let restore = ["id", "restore", "--words-from", hazel.words, "--network", "other", "--secret-file", "-"]
        expectFailure(
            try TestHome().run(restore, input: try invite(first) + "\n"),
            7,
            "the invite in - is for the network lab",
            hint: "scurry id restore --words-from \(hazel.words) --network lab --secret-file FILE"
        )
    }

    @Test func `On a terminal nobody is to type an invite where no home could take it`() throws {
        let home = try TestHome()
        let ended = try home.start(["join", "-"], streams: .terminal(columns: 200)).finish()
        #expect(ended.code == 1 && ended.out.contains("scurry init --name NAME"), "\(ended.out)")
    }
}
