import Foundation
import Testing

/// The recovery words as people give them: wrong, another person's, in a file, by a pipe, on a terminal.
struct RecoveryWordsTests {
    @Test func `A wrong word is named by its place, and no home is made`() throws {
        let hazel = try TestHome(name: "hazel")
        var words = try hazel.folder.read("words").split(separator: " ").map { $0.filter { !$0.isWhitespace } }
        let right = words[4]
        words[4] = String(right.prefix(right.count - 1)) + (right.last == "q" ? "z" : "q")
        try hazel.folder.writeSecret(words.joined(separator: "\n"), to: "wrong")
        let back = try TestHome()
        let file = hazel.folder.file("wrong")
        let refused = try back.run("id", "restore", "--words-from", file)
        #expect(refused.code == 64)
        #expect(refused.err.contains("\(file): word 5 is not in the list; perhaps "))
        #expect(refused.err.contains(right))
        #expect(!refused.err.contains(words[4]))
        #expect(!FileManager.default.fileExists(atPath: back.path))
    }

    @Test func `A letter that makes another word of the list is found by the check, and no home is made`() throws {
        let folder = try ShortFolder()
        // Of the protocol's example the seventh word is cage: one letter makes it cake, which is in the list too.
        let words = "abandon amount liar amount expire adjust cake candy arch gather drum buyer"
        try folder.writeSecret(words, to: "wrong")
        let back = try TestHome()
        let refused = try back.run("id", "restore", "--words-from", folder.file("wrong"))
        #expect(refused.code == 64)
        #expect(refused.err.contains("all twelve words are in the list, but one of them is another one"))
        #expect(!FileManager.default.fileExists(atPath: back.path))
        try folder.writeSecret(words.replacing("cake", with: "cage"), to: "right")
        try back.succeed("id", "restore", "--words-from", folder.file("right"))
    }

    @Test func `Words in another order, too few, and a file that is none are told apart`() throws {
        let hazel = try TestHome(name: "hazel")
        let words = try hazel.folder.read("words").split(whereSeparator: \.isWhitespace)
        let back = try TestHome()
        let file = hazel.folder.file("wrong")
        let hint = "scurry id restore --words-from FILE"
        try hazel.folder.writeSecret(words.dropLast().joined(separator: " "), to: "wrong")
        expectFailure(
            try back.run("id", "restore", "--words-from", file),
            64,
            "\(file): there are twelve recovery words, not 11",
            hint: hint
        )
        // Of sixteen orders one may pass by chance: the first that does not.
        var refused: Spawned.Ended?
        for place in 1..<12 where words[place] != words[0] {
            var turned = words
            turned.swapAt(0, place)
            try hazel.folder.writeSecret(turned.joined(separator: " "), to: "wrong")
            let ended = try TestHome().run("id", "restore", "--words-from", file)
            if ended.code != 0 {
                refused = ended
                break
            }
        }
        #expect(
            refused?.err.contains("all twelve words are in the list, but one of them is another one") == true
        )
        let whole = words.joined(separator: " ")
        try hazel.folder.writeSecret(whole + String(repeating: "\n", count: 4_097 - whole.utf8.count), to: "wrong")
        expectFailure(
            try back.run("id", "restore", "--words-from", file),
            64,
            "\(file) is longer than 4,096 bytes",
            hint: hint
        )
        expectFailure(
            try back.run("id", "restore", "--words-from", hazel.folder.path),
            1,
            "cannot read \(hazel.folder.path): Is a directory",
            hint: hint
        )
        expectFailure(
            try back.run("id", "restore", "--words-from", "/nowhere/words"),
            3,
            "cannot read /nowhere/words: No such file or directory",
            hint: hint
        )
        try hazel.folder.write("x", to: "open")
        expectFailure(
            try back.run("id", "restore", "--words-from", hazel.folder.file("open")),
            1,
            "other users can get at \(hazel.folder.file("open"))",
            hint: "chmod 600 \(hazel.folder.file("open"))"
        )
        expectFailure(try back.run("id", "restore"), 64, "the recovery words are needed", hint: hint)
        #expect(try back.run("id", "restore", "abandon").code == 64)
    }

    @Test func `On a terminal the words are asked, and a wrong one again`() throws {
        let hazel = try TestHome(name: "hazel")
        let words = try hazel.folder.read("words").split(whereSeparator: \.isWhitespace).map(String.init)
        let back = try TestHome()
        let process = try back.start(["id", "restore"], streams: .terminal(columns: 80))
        try process.wait(for: "words: ")
        process.send((words.prefix(3) + ["qqqqqq"] + words[4...]).joined(separator: " ") + "\r")
        try process.wait(for: "word 4: ")
        process.send(words[3] + "\r")
        let ended = try process.finish()
        #expect(ended.code == 0, "\(ended.out)")
        #expect(try back.json("whoami").first?["id"] as? String == hazel.json("whoami").first?["id"] as? String)
    }

    @Test func `Without an answer on a terminal there is no home`() throws {
        let back = try TestHome()
        let process = try back.start(["id", "restore"], streams: .terminal(columns: 80))
        try process.wait(for: "words: ")
        process.send("\u{4}")
        #expect(try process.finish().code == 64)
        #expect(try back.run("whoami").code == 1)
    }

    @Test func `Words of another person are refused, and a home that signs needs none`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        let copy = try hazel.copied()
        expectFailure(
            try copy.run("id", "restore", "--words-from", rowan.words),
            7,
            "these words are another person's than this home's",
            hint: "SCURRY_HOME=DIR scurry id restore makes a home for them"
        )
        expectFailure(
            try hazel.run("id", "restore", "--words-from", hazel.words),
            7,
            "this home signs as it is: it needs no other device key",
            hint: "SCURRY_HOME=DIR scurry id restore makes another home of yours"
        )
        let secret = hazel.folder.file("secret")
        try hazel.folder.writeSecret("a secret of the laboratory", to: "secret")
        let lab = try TestHome()
        try lab.succeed(
            "id",
            "restore",
            "--words-from",
            hazel.words,
            "--network",
            "lab",
            "--secret-file",
            secret
        )
        #expect(try lab.json("whoami").first?["private"] as? Bool == true)
        #expect(try lab.json("whoami").first?["id"] as? String == hazel.json("whoami").first?["id"] as? String)
        expectFailure(
            try copy.run("id", "restore", "--words-from", hazel.words, "--network", "other"),
            7,
            "this home belongs to the network campus, for ever",
            hint: "SCURRY_HOME=DIR scurry id restore --network other"
        )
    }

    @Test func `Words come through a pipe, too`() throws {
        let hazel = try TestHome(name: "hazel")
        let back = try TestHome()
        let restored = try back.run("id", "restore", "--words-from", "-", input: try hazel.folder.read("words"))
        #expect(restored.code == 0, "\(restored.err)")
        #expect(try back.json("whoami").first?["id"] as? String == hazel.json("whoami").first?["id"] as? String)
    }
}
