import Foundation
import Testing

@testable import scurry

/// What a person sees, compared with a file of `Tests/Transcripts`, byte for byte.
///
/// Ids, ports, paths and times differ from run to run: each is replaced by a stand-in of the same width, the same one
/// wherever it stands. `SCURRY_TRANSCRIPTS=write` writes the files instead, to be looked at before they are committed.
struct Transcript {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Transcripts")

    /// Every command that has help.
    static let commands: [[String]] =
        [[]]
        + [
            "init", "whoami", "name", "run", "join", "leave", "peers", "invite", "lock", "unlock", "post", "reply",
            "edit", "delete", "vote", "feed", "show", "mine", "who", "follow", "unfollow", "channel", "status", "sync",
            "doctor", "config", "service", "export", "import", "backup", "restore", "fingerprint", "rebuild", "id",
            "completions",
        ].map { [$0] } + ["install", "remove", "status"].map { ["service", $0] }
        + ["devices", "restore", "keep", "revoke", "end"].map { ["id", $0] }
        + ["list", "find", "join", "leave", "use"].map { ["channel", $0] }

    let columns: Int
    private(set) var text = ""
    /// Whole ids in the order in which they got their stand-ins.
    private var ids: [String] = []
    /// What is replaced before anything else, in this order.
    private var hidden: [(text: String, standIn: String)] = []

    init(columns: Int) {
        self.columns = columns
    }

    /// Gives an id its place: the same in every run.
    mutating func know(_ id: String) {
        if !ids.contains(id) { ids.append(id) }
    }

    /// The ids that a home shows, oldest post first.
    mutating func know(_ home: TestHome) throws {
        hide(home.path, as: "HOME")
        let me = try #require(try home.json("whoami").first)
        for key in ["id", "node", "device", "log"] { (me[key] as? String).map { know($0) } }
        for row in try home.json("feed", "-n", "1000").reversed() {
            for key in ["author", "id", "log"] { (row[key] as? String).map { know($0) } }
        }
        (try home.json("fingerprint").first?["fingerprint"] as? String).map { know($0) }
    }

    /// Runs a command, and writes down what was typed and what came, both streams in their order.
    mutating func type(_ arguments: String..., on home: TestHome, _ prompt: String = "") throws {
        let process = try home.start(arguments, ["COLUMNS": String(columns)], streams: .merged)
        let ended = try process.finish()
        let words = ["scurry"] + arguments.map { $0.contains(" ") ? "\"\($0)\"" : $0 }
        // Which a terminal does not get.
        let out = ended.out.replacing(#/(?m)^[a-z2-7]{52}\n/#, with: "")
        text += "\(prompt)$ \(words.joined(separator: " "))\n\(out)"
        if ended.code != 0 { text += "[exit \(ended.code)]\n" }
        text += "\n"
    }

    /// Replaces a text that differs from run to run.
    mutating func hide(_ text: String, as standIn: String) {
        hidden.append((text, standIn))
    }

    /// Adds what was drawn elsewhere: a terminal.
    mutating func add(_ more: String) {
        text += more
    }

    func expect(_ name: String, at location: SourceLocation = #_sourceLocation) throws {
        let url = Transcript.folder.appendingPathComponent("\(name).txt")
        let text = normalised
        if ProcessInfo.processInfo.environment["SCURRY_TRANSCRIPTS"] == "write" {
            try FileManager.default.createDirectory(at: Transcript.folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            return
        }
        let golden = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        if text == golden { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let wanted = golden.split(separator: "\n", omittingEmptySubsequences: false)
        let place = zip(lines, wanted).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(name).txt differs at line \(place + 1):
            wanted: \(wanted.dropFirst(place).first ?? "(the end)")
            found:  \(lines.dropFirst(place).first ?? "(the end)")
            \(text)
            """,
            sourceLocation: location
        )
    }

    /// Every line fits the width, in the columns of a terminal; the row of a whole id is never wrapped.
    func expectFits(at location: SourceLocation = #_sourceLocation) {
        for line in text.split(separator: "\n") where !line.hasPrefix("$ ") && !line.hasPrefix("scurry: ") {
            if line.hasPrefix("hint: ") || line.wholeMatch(of: #/ (id|author) +[a-z2-7]{52}/#) != nil { continue }
            #expect(DisplayWidth.columns(of: line) <= columns, "\(line)", sourceLocation: location)
        }
    }

    private var normalised: String {
        var result = text
        for (text, standIn) in hidden { result = result.replacing(text, with: standIn) }
        // What a colour ends with must not pass for a part of a word.
        result = result.replacing(#/\^\[\[[0-9;]*m/#) { "\($0.output)\u{0}" }
        result = result.replacing(#/127\.0\.0\.1:\d{4,5}/#, with: "127.0.0.1:40000")
        result = result.replacing(#/\b\d\d:\d\d\b/#, with: "12:00")
        result = result.replacing(#/(disk[^\n]*?[ \x00])[\d.]+ [kM]B/#) { "\($0.output.1)1 MB" }
        result = result.replacing(#/process \d+/#, with: "process 1000")
        // The age of the last comparison; what stands at the right keeps its column.
        result = result.replacing(#/synced (now|\d+ (?:s|min) ago)( *)/#) { match in
            let width = match.output.0.count
            let fresh = "synced now"
            return match.output.2.isEmpty ? fresh : fresh + String(repeating: " ", count: max(2, width - fresh.count))
        }
        result = result.replacing(#/[a-z2-7]{4,52}/#) { match in
            let word = String(match.output)
            // An id that did not fit its line goes on in the next one.
            let place = ids.firstIndex { word.count < 12 ? $0.hasPrefix(word) : $0.contains(word) }
            return place.map { Transcript.standIn($0, count: word.count) } ?? word
        }
        return result.replacing("\u{0}", with: "")
    }

    /// The order of the bytes behind base32: its digits come after its letters.
    static func precedes(_ left: String, _ right: String) -> Bool {
        let places = { (text: String) in text.utf8.map { $0 < 0x40 ? $0 + 0x80 : $0 } }
        return places(left).lexicographicallyPrecedes(places(right))
    }

    /// `AAAA`, `BBBB`, …: nobody takes it for an id.
    private static func standIn(_ place: Int, count: Int) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        return String(repeating: letters[place % letters.count], count: count)
    }
}
