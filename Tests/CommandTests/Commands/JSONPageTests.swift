import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What docs/json.md says of `--json`, beside what the program prints.
struct JSONPageTests {
    private let page: JSONPage

    init() throws {
        page = try JSONPage()
    }

    /// What is typed for each command of the page, in this order; words in capitals stand for what is there by then.
    private static let typed: [(command: String, words: [String])] = [
        ("scurry post", ["post", "Two acorns.", "-c", "acorns"]),
        ("scurry reply ID", ["reply", "POST", "Three."]),
        ("scurry edit ID", ["edit", "POST", "Four acorns."]),
        ("scurry edit ID", ["edit", "POST", "Four acorns."]),
        ("scurry vote up ID", ["vote", "up", "POST"]),
        ("scurry vote up ID", ["vote", "up", "POST"]),
        ("scurry follow PERSON", ["follow", "rowan"]),
        ("scurry follow PERSON", ["follow", "rowan"]),
        ("scurry name NAME", ["name", "hazel tree"]),
        ("scurry", []),
        ("scurry feed", ["feed"]),
        ("scurry mine", ["mine"]),
        ("scurry show ID", ["show", "POST"]),
        ("scurry show ID --history", ["show", "POST", "--history"]),
        ("scurry vote", ["vote"]),
        ("scurry who PERSON", ["who", "rowan"]),
        ("scurry who PERSON", ["who", "hazel tree"]),
        ("scurry who", ["who"]),
        ("scurry who --followers", ["who", "rowan", "--followers"]),
        ("scurry who --following", ["who", "--following"]),
        ("scurry follow", ["follow"]),
        ("scurry channel list", ["channel", "list"]),
        ("scurry channel find TEXT", ["channel", "find", "acorn"]),
        ("scurry whoami", ["whoami"]),
        ("scurry id devices", ["id", "devices"]),
        ("scurry id devices DEVICE", ["id", "devices", "DEVICE"]),
        ("scurry status", ["status"]),
        ("scurry peers", ["peers"]),
        ("scurry fingerprint", ["fingerprint"]),
        ("scurry doctor", ["doctor"]),
        ("scurry invite", ["invite"]),
        ("scurry import FILE", ["import", "FILE"]),
        ("scurry config KEY VALUE", ["config", "log", "info"]),
        ("scurry config", ["config"]),
        ("scurry config KEY", ["config", "log"]),
        ("scurry config --unset KEY", ["config", "--unset", "log"]),
        ("scurry service status", ["service", "status"]),
        ("scurry unfollow PERSON", ["unfollow", "rowan"]),
        ("scurry delete ID", ["delete", "POST"]),
    ]

    @Test func `Every command that takes --json is on the page, and every one of the page is run here`() throws {
        let takers = try JSONPageTests.takers(TestHome())
        #expect(takers.count >= 25, "the help lists them")
        // `scurry vote up ID` is `scurry vote` with its arguments.
        let documented = page.commands.map { command in
            takers.filter { command == $0 || command.hasPrefix($0 + " ") }.max { $0.count < $1.count } ?? command
        }
        #expect(Set(documented) == takers)
        #expect(Set(page.commands) == Set(JSONPageTests.typed.map(\.command)))
        #expect(Set(page.commands).count == page.commands.count, "each has one table")
    }

    @Test func `With a node and a peer every line has the keys and types of the page`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        try rowan.post("A walnut.", "-c", "nuts", "--title", "Found")
        let node = try TestNode(hazel)
        try rowan.succeed("join", try node.address())
        let other = try TestNode(rowan)
        try Eventually.holds("both in step") { try hazel.json("peers").first?["in_step"] as? Bool == true }
        let things = [
            "POST": try hazel.post("An acorn."),
            "DEVICE": try #require(try hazel.json("id", "devices").first?["id"] as? String),
            "FILE": try rowan.bundle("rowan"),
        ]
        // A text that waits, for the line of status.
        #expect(try hazel.run("reply", "zzzz", input: "Kept.").code == 3)
        for (command, words) in JSONPageTests.typed {
            let ended = try hazel.run(words.map { things[$0] ?? $0 } + ["--json"])
            // What doctor finds depends on the machine.
            #expect(ended.code == 0 || command == "scurry doctor" && ended.code == 1, "\(command): \(ended.err)")
            #expect(!ended.out.isEmpty, "\(command)")
            try expectLines(ended.out, of: command)
        }
        _ = (node, other)
    }

    @Test func `Without a node, without a person and without a home the keys are the same`() throws {
        let (place, hub) = (try TestHome(), try TestHome())
        try expectLines(place.succeed("--json"), of: "scurry")
        try hub.succeed("init", "--hub")
        try hub.succeed("join", "127.0.0.1:9", "--trust")
        for (command, words) in JSONPageTests.typed
        where ["scurry", "scurry status", "scurry whoami", "scurry peers", "scurry fingerprint"].contains(command) {
            let lines = try hub.run(words + ["--json"]).out
            #expect(!lines.isEmpty, "\(command)")
            try expectLines(lines, of: command)
        }
    }

    @Test func `A post that is not here any more is a line with the keys that the page names`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let root = try rowan.post("A question.")
        try hazel.succeed("import", try rowan.bundle("question"))
        try hazel.succeed("reply", root, "An answer.")
        let answer = try #require(try hazel.json("mine").first?["id"] as? String)
        try rowan.succeed("import", try hazel.bundle("answer"))
        try rowan.succeed("reply", answer, "Thanks.")
        try rowan.succeed("vote", "up", answer)
        let tail = try rowan.start(["feed", "--follow", "--json"])
        try tail.wait(for: "Thanks.")
        try hazel.succeed("id", "end", "--yes", "--words-from", hazel.folder.file("words"))
        try rowan.succeed("import", try hazel.bundle("end"))
        try tail.wait(for: "\"changed\":true}\n")
        tail.signal(SIGINT)
        let followed = try tail.finish().out
        let (shown, voted) = (try rowan.succeed("show", root, "--json"), try rowan.succeed("vote", "--json"))
        for (lines, command) in [(followed, "scurry feed"), (shown, "scurry show ID"), (voted, "scurry vote")] {
            #expect(lines.contains("{\"id\":\"\(answer)\",\"state\":\"missing\","), "\(command): \(lines)")
            try expectLines(lines, of: command)
        }
    }

    private func expectLines(_ text: String, of command: String, at location: SourceLocation = #_sourceLocation) throws
    {
        for line in text.split(separator: "\n") {
            let faults = try page.faults(in: String(line), of: command)
            #expect(faults.isEmpty, "\(command): \(line)", sourceLocation: location)
        }
    }

    /// The commands whose help names `--json`, as `scurry channel list`.
    private static func takers(_ home: TestHome) throws -> Set<String> {
        var takers: Set<String> = []
        var waiting: [[String]] = [[]]
        while let path = waiting.popLast() {
            let help = try home.run(path + ["-h"]).out.split(separator: "\n")
            if help.contains(where: { $0.hasPrefix("  --json ") }) {
                takers.insert((["scurry"] + path).joined(separator: " "))
            }
            // Names of commands are in small letters, those of arguments in capitals.
            waiting += help.compactMap { $0.firstMatch(of: #/^  ([a-z]+)  +\S/#).map { path + [String($0.1)] } }
        }
        return takers
    }
}
