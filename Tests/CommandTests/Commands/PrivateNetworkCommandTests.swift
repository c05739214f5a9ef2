import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `init --secret-file`, and what follows from it.
struct PrivateNetworkCommandTests {
    /// A folder with files that only this user can read.
    private let folder = Result { try ShortFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let folder = try folder.get()
        try folder.write(text, to: name)
        chmod(folder.file(name), 0o600)
        return folder.file(name)
    }

    private func home(_ name: String, _ secret: String) throws -> TestHome {
        let home = try TestHome()
        let words = home.folder.file("words")
        try home.succeed("init", "--name", name, "--network", "lab", "--secret-file", secret, "--words-to", words)
        return home
    }

    @Test func `With the secret they meet; with another one they do not, and are told what it may be`() throws {
        let secret = try file("secret", "a secret of the laboratory\n")
        let same = try file("same", "a secret of the laboratory")
        let other = try file("other", "a secret of the observatory\n")
        let (hazel, rowan) = (try home("hazel", secret), try home("rowan", same))
        try hazel.post("among us")
        let node = try TestNode(hazel)
        try rowan.succeed("join", try node.address())
        #expect(try rowan.run("sync", "--timeout", "60").err == "in step with 1 peer\n")
        #expect(try rowan.json("feed").count == 1)
        #expect(try rowan.json("status").first?["private"] as? Bool == true)
        #expect(try rowan.succeed("status").contains("private network lab"))
        let stranger = try home("stranger", other)
        try stranger.succeed("join", try node.address())
        let strangers = try TestNode(stranger)
        try strangers.process.wait(
            for: "takes the connection and does not answer (another network, another secret",
            in: .err
        )
        // The next call may be under way: it is told meanwhile, too.
        let row = try #require(try stranger.json("peers").first)
        #expect((row["failure"] as? String)?.hasPrefix("takes the connection and does not answer (another net") == true)
        #expect(row["state"] as? String != "connected")
        let shown = try stranger.run(["peers"], ["COLUMNS": "200"]).out
        #expect(shown.contains(" a node that hangs, or no node)"), "\(shown)")
        #expect(try stranger.json("feed").isEmpty)
        #expect(try stranger.run("sync", "--timeout", "1").code != 0)
        #expect(try node.stop() == 0)
        #expect(!node.process.text(.err).contains("broke the protocol"))
    }

    @Test func `A node of a private network that calls an open one is told that nobody answers it`() throws {
        let secret = try file("secret", "a secret of the laboratory\n")
        let (oak, hazel) = (try TestHome(), try home("hazel", secret))
        try oak.succeed("init", "--hub", "--network", "lab")
        let open = try TestNode(oak)
        try hazel.succeed("join", try open.address())
        let node = try TestNode(hazel)
        try Eventually.holds("the call to be told as unanswered") {
            let failure = try hazel.json("peers").first?["failure"] as? String
            return failure?.hasPrefix("takes the connection and does not answer (another network, ") == true
        }
        let shown = try hazel.run(["peers"], ["COLUMNS": "200"]).out
        #expect(shown.contains(" takes the connection and does not answer ("), "\(shown)")
        withExtendedLifetime((open, node)) {}
    }

    @Test func `On a terminal a call that nothing answers is no node that is trusted`() throws {
        let secret = try file("secret", "a secret of the laboratory\n")
        let (hub, rowan) = (try TestHome(), try TestHome(name: "rowan"))
        try hub.succeed("init", "--hub", "--network", "campus", "--secret-file", secret)
        let node = try TestNode(hub)
        let place = try #require(try node.address().split(separator: "@").last)
        let ended = try rowan.start(["join", String(place)], streams: .terminal(columns: 200)).finish()
        #expect(ended.code == 75)
        #expect(ended.out.contains("\(place) takes the call and says nothing: a node that hangs, another network, or"))
        #expect(
            ended.out.contains(
                "scurry whoami, here and there, names the network; scurry status there tells whether the node hangs"
            )
        )
        #expect(try rowan.json("peers").isEmpty)
    }

    /// An invite of a private network, and the secret that its home keeps.
    private func invited() throws -> (line: String, secret: Data) {
        let lab = try home("hazel", file("secret", "a secret of the laboratory\n"))
        let line = try lab.succeed("invite", "--address", "oak").trimmingCharacters(in: .whitespacesAndNewlines)
        return (line, try kept(by: lab))
    }

    private func kept(by home: TestHome) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: home.path + "/keys/network.secret"))
    }

    @Test func `An invite through a pipe makes a home of its network`() throws {
        let (line, secret) = try invited()
        let home = try TestHome()
        let made = try home.run("init", "--hub", "--secret-file", "-", input: line + "\n")
        try #require(made.code == 0, "\(made.err)")
        #expect(try home.json("whoami").first?["network"] as? String == "lab")
        #expect(try kept(by: home) == secret)
    }

    @Test(arguments: [[], ["--network", "lab"]])
    func `An invite with white space around it is an invite, and no secret`(options: [String]) throws {
        let (line, secret) = try invited()
        let home = try TestHome()
        let path = try file("spaced", "\n \(line) \r\n\n")
        let made = try home.run(["init", "--hub", "--secret-file", path] + options)
        try #require(made.code == 0, "\(made.err)")
        #expect(try home.json("whoami").first?["network"] as? String == "lab")
        #expect(try kept(by: home) == secret)
    }

    @Test func `An invite that is not taken for one is no secret either`() throws {
        let line = try invited().line
        let home = try TestHome()
        for text in ["join \(line)", "S\(line.dropFirst())"] {
            expectFailure(
                try home.run("init", "--hub", "--network", "lab", "--secret-file", file("odd", text + "\n")),
                64,
                "this is no invite: one begins with scurry:, in small letters, with nothing before it",
                hint: "ask for the whole line of scurry invite"
            )
        }
        #expect(try home.run("whoami").code == 1)
    }

    @Test func `A secret's own last byte may be a carriage return`() throws {
        let bare = try file("bare", "fifteen bytes..\r")
        #expect(try TestHome().run("init", "--hub", "--network", "lab", "--secret-file", bare).code == 0)
    }

    @Test(arguments: [" ", "\t \r\n", "\0"])
    func `A secret of nothing but white space makes no home`(piece: String) throws {
        let home = try TestHome()
        let blank = try file("blank", String(repeating: piece, count: 20))
        expectFailure(
            try home.run("init", "--hub", "--network", "lab", "--secret-file", blank),
            64,
            "\(blank) holds nothing but white space: that is no secret",
            hint: "(umask 077; head -c 30 /dev/urandom | base64 > \(blank)) makes one"
        )
        #expect(try home.run("whoami").code == 1)
    }

    @Test func `A secret that is short, missing or for all to read makes no home`() throws {
        let home = try TestHome()
        let short = try file("short", "fifteen bytes..\n")
        let make = { (path: String) in try home.run("init", "--hub", "--network", "lab", "--secret-file", path) }
        expectFailure(
            try make(short),
            64,
            "a network's secret has 16 to 1024 bytes; \(short) holds 15",
            hint: "(umask 077; head -c 30 /dev/urandom | base64 > \(short)) makes one"
        )
        let ended = try file("ended", "fifteen bytes..\r\n")
        expectFailure(
            try make(ended),
            64,
            "a network's secret has 16 to 1024 bytes; \(ended) holds 15",
            hint: "(umask 077; head -c 30 /dev/urandom | base64 > \(ended)) makes one"
        )
        let exposed = try file("exposed", "a secret of the laboratory\n")
        chmod(exposed, 0o640)
        expectFailure(try make(exposed), 1, "other users can get at \(exposed)", hint: "chmod 600 \(exposed)")
        let spaced = try file("a $secret", "fifteen bytes..\n")
        expectFailure(
            try make(spaced),
            64,
            "a network's secret has 16 to 1024 bytes; \(spaced) holds 15",
            hint: "(umask 077; head -c 30 /dev/urandom | base64 > '\(spaced)') makes one"
        )
        expectFailure(
            try make("/nonexistent/secret"),
            3,
            "cannot read /nonexistent/secret: No such file or directory",
            hint: "ls -l /nonexistent/secret"
        )
        #expect(try home.run("whoami").code == 1)
        chmod(exposed, 0o600)
        #expect(try make(exposed).code == 0)
        let kept = home.path + "/keys/network.secret"
        #expect(try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int == 0o600)
        chmod(kept, 0o644)
        expectFailure(
            try home.run("run", "--listen", "127.0.0.1:0"),
            1,
            "other users can get at \(kept)",
            hint: "chmod 600 \(kept)"
        )
    }
}
