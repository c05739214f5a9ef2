import Foundation
import Testing

/// What strangers, or the person, gave for a name: in a hint it is one word of a shell, and no secret.
struct ForeignTextTests {
    private static let name = "campus;touch${IFS}x"

    private func invite(_ home: TestHome) throws -> String {
        try home.succeed("invite", "--address", "oak").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// An invite of a private network, and what stands in it for the secret.
    private func secretInvite() throws -> (line: String, secret: String) {
        let lab = try TestHome()
        try lab.folder.writeSecret("a secret of the laboratory", to: "secret")
        try lab.succeed("init", "--hub", "--network", "lab", "--secret-file", lab.folder.file("secret"))
        let line = try invite(lab)
        return (line, String(try #require(line.split(separator: "/").dropLast().last)))
    }

    @Test func `The network of an invite is quoted in a hint`() throws {
        let (other, rowan) = (try TestHome(), try TestHome(name: "rowan"))
        try other.succeed("init", "--hub", "--network", Self.name)
        let line = try invite(other)
        expectFailure(
            try rowan.run("join", line),
            7,
            "this invite is for the network \(Self.name), this home is of the network campus",
            hint: "SCURRY_HOME=DIR scurry init --network '\(Self.name)' makes a home for it"
        )
        let nobody = try TestHome().run("join", line)
        #expect(nobody.err.hasSuffix("\nhint: scurry init --name NAME --network '\(Self.name)'\n"), "\(nobody.err)")
        expectFailure(
            try rowan.run("id", "restore", "--network", Self.name),
            7,
            "this home belongs to the network campus, for ever",
            hint: "SCURRY_HOME=DIR scurry id restore --network '\(Self.name)'"
        )
    }

    @Test func `A path is quoted in a hint`() throws {
        let home = try TestHome()
        let odd = ["SCURRY_HOME": home.folder.file("my home")]
        try #require(try home.run(["init", "--hub"], odd).code == 0)
        let peers = home.folder.file("my home/peers")
        try Data("not an address\n".utf8).write(to: URL(fileURLWithPath: peers))
        let shown = try home.run(["doctor"], odd).out
        #expect(shown.contains(" $EDITOR '\(peers)'\n"), "\(shown)")
    }

    @Test func `An invite that is not taken for one is not printed with its secret`() throws {
        let rowan = try TestHome(name: "rowan")
        let (line, secret) = try secretInvite()
        for text in ["S\(line.dropFirst())", "<\(line)>", "‹\(line)›"] {
            let ended = try rowan.run("join", "-", input: text + "\n")
            expectFailure(
                ended,
                64,
                "this is no invite: one begins with scurry:, in small letters, with nothing before it",
                hint: "ask for the whole line of scurry invite"
            )
        }
        for text in [String(line.dropFirst()), secret + "/abcdefgh", String(repeating: secret, count: 20)] {
            let ended = try rowan.run("join", "-", input: text + "\n")
            #expect(ended.code == 64 && ended.err.hasPrefix("scurry: error: this is no address of a peer: "))
            #expect(!ended.err.contains(secret), "\(ended.err)")
        }
    }

    @Test func `A command that takes no invite prints nothing of its secret`() throws {
        let (nobody, hazel) = (try TestHome(), try TestHome(name: "hazel"))
        let (line, secret) = try secretInvite()
        let ended = [
            try nobody.run("init", line), try hazel.run("name", line, "foo"), try hazel.run("leave", line),
        ]
        for command in ended {
            #expect(command.code != 0 && command.err.hasPrefix("scurry: error: "), "\(command.err)")
            for part in [secret.prefix(8), secret.suffix(8)] {
                #expect(!command.out.contains(part) && !command.err.contains(part), "\(command.err)")
            }
        }
    }

    @Test func `Standard input that cannot be read is told as that`() throws {
        let home = try TestHome(name: "hazel")
        let ended = try Spawned(
            ["-c", "exec \"$0\" join - < /", ScurryProgram.path],
            environment: home.environment(),
            program: "/bin/sh"
        ).finish()
        expectFailure(
            ended,
            1,
            "cannot read standard input: Is a directory",
            hint: "scurry join - < FILE, with the invite in FILE"
        )
    }

    @Test(arguments: [
        (["backup", ""], "scurry backup", "scurry backup"), (["restore", ""], "scurry restore", "scurry restore"),
        (["import", "--json", ""], "scurry import", "scurry import"),
        (["lock", "--yes", "--passphrase-file", ""], "--passphrase-file", "scurry lock"),
        (["unlock", "--passphrase-file="], "--passphrase-file", "scurry unlock"),
        (["init", "--name", "hazel", "--words-to", ""], "--words-to", "scurry init"),
        (["init", "--hub", "--secret-file="], "--secret-file", "scurry init"),
        (["id", "restore", "--words-from", ""], "--words-from", "scurry id restore"),
    ])
    func `An empty name of a file is a usage error`(arguments: [String], what: String, command: String) throws {
        let home = try TestHome()
        expectFailure(try home.run(arguments), 64, "\(what) takes the name of a file", hint: "\(command) -h")
        #expect(!FileManager.default.fileExists(atPath: home.path))
    }

    @Test func `An empty text that is no file's name is left to the command`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("--title", "", "words")
        #expect(try home.run("leave", "").err.hasPrefix("scurry: error: leave takes a peer"))
    }
}
