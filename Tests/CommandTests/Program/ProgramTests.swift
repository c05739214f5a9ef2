import Testing

struct ProgramTests {
    @Test(arguments: [
        (["psot"], "there is no command psot", "did you mean: scurry post"),
        (["xyzzy"], "there is no command xyzzy", "scurry -h"),
        (
            ["block", "rowan"], "there is no command block",
            "did you mean: scurry feed --following, which shows those whom you follow; nobody is hidden by name"
        ),
        (
            ["search", "acorn"], "there is no command search",
            "did you mean: scurry channel find TEXT, or scurry feed --from PERSON; the text of posts is not searched"
        ),
        (
            ["inbox"], "there is no command inbox",
            "did you mean: scurry mine, which tells the votes and replies that your posts have"
        ),
        (["dm", "rowan", "hi"], "there is no command dm", "scurry -h"),
        (["photo", "oak.jpg"], "there is no command photo", "scurry -h"),
        (["followers"], "there is no command followers", "did you mean: scurry who --followers"),
        (["like", "k7fa"], "there is no command like", "did you mean: scurry vote up ID"),
        (
            ["profile"], "there is no command profile",
            "did you mean: scurry who PERSON, or scurry name NAME for your own"
        ),
        (
            ["service", "uninstall"], "there is no command uninstall in scurry service",
            "did you mean: scurry service remove"
        ),
        (["channel", "joni", "x"], "there is no command joni in scurry channel", "did you mean: scurry channel join"),
        (["feed", "--sinec", "2h"], "unknown option '--sinec'", "did you mean --since? scurry feed -h"),
        (["feed", "--hlep"], "unknown option '--hlep'", "did you mean --help? scurry feed -h"),
        (["--hlep"], "unknown option '--hlep'", "did you mean --help? scurry -h"),
        (["edit", "k7fa", "--titel", "x"], "unknown option '--titel'", "did you mean --title? scurry edit -h"),
        (["feed", "--xyz"], "unknown option '--xyz'", "scurry feed -h"),
        (["feed", "--json", "--read"], "--json marks nothing as read: --read is not for it", "scurry feed -h"),
        (["feed", "two words"], "unexpected argument 'two words'", "scurry feed -h"),
        (["mine", "extra"], "unexpected argument 'extra'", "scurry mine -h"),
        (["feed", "#Squirrels", "-n", "5"], "unexpected argument '#Squirrels'", "scurry feed -c squirrels -n 5"),
        (
            ["init", "hazel", "--words-to", "w.h"], "unexpected argument 'hazel'",
            "scurry init --name hazel --words-to w.h"
        ),
        (["name", "hazel", "of", "oak"], "2 unexpected arguments: 'of', 'oak'", "scurry name 'hazel of oak'"),
        (
            ["vote", "vrqo"], "the value 'vrqo' is invalid for 'up|down|none': it takes 'up', 'down' or 'none'",
            "scurry vote up vrqo"
        ),
        (["-v"], "unknown option '-v'", "scurry --version"),
        (["-V"], "unknown option '-V'", "scurry --version"),
        (["-help"], "unknown option '-help'", "scurry -h"),
        (["post", "-help"], "unknown option '-help'", "scurry post -h"),
        (["post", "--channel", "squirrels", "--text", "hi"], "unknown option '--text'", "scurry post -h"),
        (["show"], "missing expected argument 'ID'", "scurry show -h"),
        (["post", "--title"], "missing value for '--title T'", "scurry post -h"),
        (["feed", "-n", "many"], "-n takes a number from 1 to 10000", "scurry feed -h"),
        (["who", "hazel", "-n", "many"], "-n takes a number from 0 to 10000", "scurry who -h"),
        (["who", "-n", "0"], "-n takes a number from 1 to 10000", "scurry who -h"),
        (["who", "--followers", "--following"], "--followers and --following exclude each other", "scurry who -h"),
        (
            ["who", "hazel", "--after", "rowan"],
            "--after is for a list of people: it takes --followers or --following", "scurry who -h"
        ),
        (
            ["post", "- a list"], "unknown option '- a list'",
            "put -- before a text that begins with a dash: scurry post -- \"- like this\""
        ),
        (["feed", "-n", "-1"], "-n takes a number from 1 to 10000", "scurry feed -h"),
        (["sync", "--timeout", "-1"], "the value '-1' is invalid for '--timeout S'", "scurry sync -h"),
        (
            ["post", "--title", "-x", "y"], "missing value for '--title T'",
            "join a value that begins with a dash to its option: scurry post --title=-x"
        ),
        (["post", "--title", "-c", "y"], "missing value for '--title T'", "scurry post -h"),
        (
            ["name", "-x"], "unknown option '-x'",
            "put -- before a text that begins with a dash: scurry name -- -x"
        ),
        (
            ["post", "-5"], "unknown option '-5'",
            "put -- before a text that begins with a dash: scurry post -- -5"
        ),
        (
            ["reply", "k7fa", "--title", "x"], "unknown option '--title'",
            "a reply has no title: scurry reply k7fa \"TEXT\""
        ),
        (
            ["reply", "-c", "cs193", "k7fa", "Hello."], "unknown option '-c'",
            "a reply is in the channels of what it answers: scurry reply k7fa \"TEXT\""
        ),
        (
            ["reply", "k7fa", "Hello.", "--channel=cs193"], "unknown option '--channel'",
            "a reply is in the channels of what it answers: scurry reply k7fa \"TEXT\""
        ),
        (
            ["reply", "-c", "cs193"], "unknown option '-c'",
            "a reply is in the channels of what it answers: scurry reply ID \"TEXT\""
        ),
        (
            ["edit", "k7fa", "-c", "cs193"], "unknown option '-c'",
            "a post stays in its channels: scurry edit k7fa \"TEXT\""
        ),
        (["feed", "--since"], "missing value for '--since T'", "scurry feed -h"),
        (
            ["reply", "--json", "k7fa", "-x"], "unknown option '-x'",
            "put -- before a text that begins with a dash: scurry reply k7fa -- -x"
        ),
        (
            ["edit", "k7fa", "--title", "-x"], "missing value for '--title T'",
            "join a value that begins with a dash to its option: scurry edit k7fa --title=-x"
        ),
        (
            ["edit", "--title", "T", "k7fa", "-x"], "unknown option '-x'",
            "put -- before a text that begins with a dash: scurry edit k7fa -- -x"
        ),
        (["feed", "-x"], "unknown option '-x'", "scurry feed -h"),
        (["name", "--json"], "missing expected argument 'NAME'", "scurry name -h"),
        (
            ["feed", "--color", "pink"],
            "the value 'pink' is invalid for '--color WHEN': it takes 'auto', 'always' or 'never'", "scurry feed -h"
        ),
    ])
    func `Usage errors look like all others`(arguments: [String], message: String, hint: String) throws {
        let home = try TestHome()
        expectFailure(try home.run(arguments), 64, message, hint: hint)
    }

    @Test func `Without a home the three commands to type are shown`() throws {
        let home = try TestHome()
        let text = try home.succeed()
        for command in ["scurry init --name NAME", "scurry run", "scurry join HOST:7776"] {
            #expect(text.contains(command))
        }
        #expect(try home.succeed("--json") == "{\"home\":null,\"next\":\"scurry init\"}\n")
    }

    @Test func `Every command has help with an example`() throws {
        let home = try TestHome()
        for command in Transcript.commands {
            for flag in ["-h", "--help"] {
                let ended = try home.run(command + [flag])
                #expect(ended.code == 0)
                #expect(ended.err.isEmpty)
                #expect(ended.out.hasPrefix("usage: scurry"), "\(command)")
                #expect(ended.out.contains("\nExample:\n  scurry"), "\(command)")
                #expect(ended.out.contains("--color WHEN") && ended.out.contains("--no-input"), "\(command)")
            }
        }
        #expect(try home.succeed("help", "feed") == home.succeed("feed", "-h"))
    }

    @Test func `Colours are for terminals, unless somebody asks`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("text")
        #expect(!(try home.succeed("feed")).contains("\u{1B}"))
        #expect(try home.succeed("feed", "--color", "always").contains("\u{1B}[1mhazel\u{1B}[0m"))
        let terminal = { (more: [String: String], arguments: [String]) in
            try home.start(["feed"] + arguments, more, streams: .terminal(columns: 80)).finish().out
        }
        #expect(try terminal([:], []).contains("\u{1B}[1mhazel"))
        #expect(!(try terminal(["NO_COLOR": "1"], [])).contains("\u{1B}"))
        #expect(!(try terminal(["TERM": "dumb"], [])).contains("\u{1B}"))
        #expect(!(try terminal([:], ["--color", "never"])).contains("\u{1B}"))
        #expect(!(try terminal([:], ["--json"])).contains("\u{1B}"))
    }

    @Test func `Long output goes through the pager on a terminal, and nowhere else`() throws {
        let home = try TestHome(name: "hazel")
        try home.post("text")
        let pager = ["PAGER": "sed s/^/paged:/"]
        #expect(try home.start(["feed"], pager, streams: .terminal(columns: 80)).finish().out.contains("paged:"))
        #expect(
            !(try home.start(["feed", "--json"], pager, streams: .terminal(columns: 80)).finish().out).contains(
                "paged:"
            )
        )
        #expect(!(try home.run(["feed"], pager).out).contains("paged:"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `Completions name every command`(shell: String) throws {
        let text = try TestHome().succeed("completions", shell)
        for command in Transcript.commands {
            if let name = command.last { #expect(text.contains(name), "\(name)") }
        }
    }

    @Test func `The version is printed`() throws {
        #expect(try TestHome().succeed("--version").hasPrefix("scurry 0."))
    }
}
