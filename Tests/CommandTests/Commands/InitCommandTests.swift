import Foundation
import Testing

struct InitCommandTests {
    @Test(arguments: ["2>/dev/full", "2>&-"])
    func `Words that nobody could read make no home`(_ redirection: String) throws {
        let home = try TestHome()
        let script = "exec \(ScurryProgram.path) init --name hazel \(redirection)"
        let ended = try Spawned(["-c", script], environment: home.environment(), program: "/bin/sh").finish()
        #expect(ended.code == 1)
        #expect(!FileManager.default.fileExists(atPath: home.path + "/network"))
        #expect(try home.run("init", "--name", "hazel", "--words-to", home.folder.file("words")).code == 0)
    }

    @Test func `A home is made offline and posts at once`() throws {
        let home = try TestHome()
        let made = try home.run("init", "--name", "hazel", "--words-to", home.folder.file("words"))
        #expect(made.code == 0)
        #expect(made.out.isEmpty)
        #expect(made.err.contains("You are hazel ~"))
        let posted = try home.run("post", "first")
        #expect(posted.code == 0)
        #expect(try home.json("feed").count == 1)
    }

    @Test func `Words go into a new file that nobody else can read`() throws {
        let home = try TestHome()
        let file = home.folder.file("words")
        let made = try home.run("init", "--name", "hazel", "--words-to", file)
        let words = try home.folder.read("words").split(separator: " ")
        #expect(words.count == 12)
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        // One of them may stand in what is said: they are words of every day.
        for (word, next) in zip(words, words.dropFirst()) { #expect(!made.err.contains("\(word) \(next)")) }
    }

    @Test func `A file that is there already is never overwritten, and no home is made`() throws {
        let home = try TestHome()
        try home.folder.write("precious", to: "words")
        let file = home.folder.file("words")
        let refused = try home.run("init", "--name", "hazel", "--words-to", file)
        expectFailure(refused, 1, "\(file) is there already", hint: "scurry init --words-to another file")
        #expect(try home.folder.read("words") == "precious")
        #expect(try home.run("whoami").code == 1)
    }

    @Test func `In a script without a file the words are on standard error with a warning`() throws {
        let home = try TestHome()
        let made = try home.run("init", "--name", "hazel")
        #expect(made.code == 0)
        #expect(made.out.isEmpty)
        #expect(made.err.contains("These twelve words are your identity."))
        #expect(made.err.contains("\n   1 "))
        #expect(made.err.contains("warning: the words above are in this output"))
        #expect(made.err.contains("can never be cut off"))
    }

    @Test func `On a terminal two of the words are asked back`() throws {
        let home = try TestHome()
        let process = try home.start(["init"], streams: .terminal(columns: 80))
        try process.wait(for: "What should people call you? ")
        process.send("hazel\r")
        try InitCommandTests.answer(process)
        let ended = try process.finish()
        #expect(ended.code == 0, "\(ended.out)")
        #expect(ended.out.contains("You are hazel ~"))
        #expect(try home.json("whoami").first?["name"] as? String == "hazel")
    }

    @Test func `A wrong word is asked again, and without an answer there is no home`() throws {
        let home = try TestHome()
        let process = try home.start(["init", "--name", "hazel"], streams: .terminal(columns: 80))
        try process.wait(for: InitCommandTests.question)
        process.send("nonsense\r")
        try process.wait(for: "look again")
        process.send("\u{4}")
        let ended = try process.finish()
        #expect(ended.code == 64)
        #expect(ended.out.contains("no identity was made"))
        #expect(try home.run("whoami").code == 1)
    }

    @Test func `An existing home is refused`() throws {
        let home = try TestHome(name: "hazel")
        let before = try home.succeed("whoami")
        let refused = try home.run("init", "--name", "other")
        expectFailure(
            refused,
            1,
            "there is a home at \(home.path) already",
            hint: "scurry whoami; another home: SCURRY_HOME=DIR scurry init"
        )
        #expect(try home.succeed("whoami") == before)
    }

    @Test(arguments: [
        ("", "a name needs at least one letter"),
        ("ha~zel", "a name cannot hold ~ · # @ | • or (you)"),
        ("ha\u{202E}zel", "a name cannot hold control characters or anything that hides"),
        (String(repeating: "a", count: 33), "a name takes at most 32 columns, this one takes 33"),
        (" hazel", "a name has single spaces, and none at its ends"),
    ])
    func `A name that could deceive is refused`(name: String, why: String) throws {
        let home = try TestHome()
        expectFailure(try home.run("init", "--name", name), 64, why, hint: "scurry init --name hazel")
        #expect(try home.run("whoami").code == 1)
    }

    @Test func `A script without a name is told`() throws {
        let home = try TestHome()
        let refused = try home.run("init")
        expectFailure(
            refused,
            64,
            "a name is needed where nobody can be asked",
            hint: "scurry init --name NAME"
        )
    }

    @Test func `A network has a name without spaces`() throws {
        let home = try TestHome()
        let refused = try home.run("init", "--name", "hazel", "--network", "my campus")
        expectFailure(
            refused,
            64,
            "a network's name has 1 to 64 printable ASCII characters and no space",
            hint: "scurry init --network campus"
        )
    }

    @Test func `A hub has no person`() throws {
        let home = try TestHome()
        #expect(try home.run("init", "--hub").code == 0)
        let row = try #require(try home.json("whoami").first)
        #expect(row["id"] is NSNull)
        #expect(row["node"] is String)
        expectFailure(
            try home.run("post", "hello"),
            7,
            "this home is a hub: it has no person",
            hint: "SCURRY_HOME=DIR scurry init --name NAME makes a home for you"
        )
        #expect(try home.run("feed").code == 0)
        expectFailure(
            try home.run("init", "--hub", "--name", "x"),
            64,
            "a hub has no name: --hub and --name exclude each other",
            hint: "scurry init -h"
        )
    }

    @Test func `Everything of a home is closed to others`() throws {
        let home = try TestHome(name: "hazel")
        let facts = try FileManager.default.attributesOfItem(atPath: home.path)
        #expect(facts[.posixPermissions] as? Int == 0o700)
        for key in ["keys/device.key", "keys/node.key"] {
            let facts = try FileManager.default.attributesOfItem(atPath: home.path + "/" + key)
            #expect(facts[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Of the words that are shown one may be "word".
    private static var question: Regex<(Substring, Substring)> { #/word (\d+): /# }

    /// Reads the words that are on the screen, and answers each question for one of them.
    static func answer(_ process: Spawned) throws {
        let shown = try process.wait(for: question)
        var words: [Int: String] = [:]
        for match in shown.matches(of: #/(\d+) +([a-z]+)/#) {
            if let number = Int(match.1), (1...12).contains(number), words[number] == nil {
                words[number] = String(match.2)
            }
        }
        try #require(words.count == 12, "\(shown)")
        for turn in 1...2 {
            let asked = try process.wait(for: question, turn).matches(of: question)
            let number = try #require(asked.last.flatMap { Int($0.1) })
            process.send((words[number] ?? "") + "\r")
        }
    }
}
