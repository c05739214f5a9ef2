import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Every `scurry` command that README.md shows runs.
struct ReadmeTests {
    @Test func `Every command of the README runs on a home of its own`() throws {
        let commands = try ReadmeTests.commands()
        #expect(commands.count >= 8, "the README shows a session")
        let oak = try TestHome(name: "oak")
        try oak.post("An acorn.")
        let peer = try TestNode(oak)
        let home = try TestHome()
        var node: TestNode?
        var last: String?
        for command in commands {
            var words = command
            switch words.first {
            case "init":
                words += ["--words-to", home.folder.file("words")]
            case "run":
                node = try TestNode(home)
                continue
            case "export":
                // `> FILE`, as a shell does it.
                let export = try home.start(Array(words.prefix { $0 != ">" }))
                #expect(try export.finish().code == 0)
                let file = home.folder.file(try #require(words.last))
                try Data(export.bytes(.out)).write(to: URL(fileURLWithPath: file))
                continue
            case "import":
                words = ["import", home.folder.file(try #require(words.last))]
            case "join":
                words = ["join", try peer.address()]
            case "feed" where words.contains("--follow"):
                let tail = try home.start(words)
                try tail.wait(for: "▌")
                tail.signal(SIGINT)
                _ = try tail.exitCode()
                continue
            default: break
            }
            // An id in the README stands for that of the post before.
            if let last, ReadmeTests.takesID(words) {
                words =
                    words.prefix(1) + words.dropFirst().map { $0.wholeMatch(of: #/[a-z2-7]{4}/#) == nil ? $0 : last }
            }
            let ended = try home.run(words)
            #expect(ended.code == 0, "scurry \(command.joined(separator: " ")): \(ended.err)")
            if words.first == "post" { last = try home.json("mine", "-n", "1").first?["id"] as? String }
        }
        #expect(try home.json("feed").contains { $0["own"] as? Bool == true })
        if let node { #expect(try node.stop() == 0) }
    }

    private static func takesID(_ words: [String]) -> Bool {
        ["vote", "reply", "show", "edit", "delete"].contains(words.first ?? "") || words.contains("--before")
    }

    /// The words after `scurry` of each such line in a fence of `sh`, without comments and prompts.
    private static func commands() throws -> [[String]] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("README.md")
        var commands: [[String]] = []
        var isInside = false
        for line in try String(decoding: Data(contentsOf: url), as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("```") {
                isInside = line == "```sh"
                continue
            }
            let text = line.hasPrefix("$ ") ? line.dropFirst(2) : line
            guard isInside, text.hasPrefix("scurry") else { continue }
            commands.append(Array(words(text).dropFirst()))
        }
        return commands
    }

    /// Words as a shell makes them of double quotes and spaces; a comment ends the line.
    private static func words(_ line: some StringProtocol) -> [String] {
        var words: [String] = []
        var word: String?
        var isQuoted = false
        for character in line {
            switch character {
            case "\"":
                isQuoted.toggle()
                word = word ?? ""
            case "#" where !isQuoted && word == nil: return words
            case " " where !isQuoted:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
