import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A home of its own for one test, and the program run on it.
final class TestHome {
    let folder: ShortFolder
    let path: String

    /// A place where a home can be made; nothing is there yet.
    init() throws {
        folder = try ShortFolder()
        path = folder.file("home")
    }

    /// A home of a person; the words are thrown away.
    convenience init(name: String) throws {
        try self.init()
        let made = try run("init", "--name", name, "--words-to", folder.file("words"))
        try #require(made.code == 0, "\(made.err)")
    }

    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ScurryProgram.environment(home: path, more)
    }

    func start(_ arguments: [String], _ more: [String: String] = [:], streams: Spawned.Streams = .pipes) throws
        -> Spawned
    {
        try Spawned(arguments, environment: environment(more), streams: streams)
    }

    @discardableResult
    func run(_ arguments: String..., input: String = "", _ more: [String: String] = [:]) throws -> Spawned.Ended {
        try run(arguments, input: input, more)
    }

    @discardableResult
    func run(_ arguments: [String], input: String = "", _ more: [String: String] = [:]) throws -> Spawned.Ended {
        let process = try start(arguments, more)
        process.send(input)
        process.closeInput()
        return try process.finish()
    }

    /// Runs a command that must work; what it printed.
    @discardableResult
    func succeed(_ arguments: String..., input: String = "", at location: SourceLocation = #_sourceLocation) throws
        -> String
    {
        let ended = try run(arguments, input: input)
        try #require(ended.code == 0, "\(arguments): \(ended.err)", sourceLocation: location)
        return ended.out
    }

    /// Runs a command that must write one line on standard error; that line. Of a post it gives the id besides.
    func told(_ arguments: String..., input: String = "", at location: SourceLocation = #_sourceLocation) throws
        -> String
    {
        let ended = try run(arguments, input: input)
        try #require(ended.code == 0, "\(arguments): \(ended.err)", sourceLocation: location)
        let isID = ended.out.wholeMatch(of: #/[a-z2-7]{52}\n/#) != nil
        #expect(ended.out.isEmpty || isID, sourceLocation: location)
        return ended.err.hasSuffix("\n") ? String(ended.err.dropLast()) : ended.err
    }

    /// Posts, and gives the whole id.
    @discardableResult
    func post(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> String {
        let ended = try run(["post"] + arguments)
        try #require(ended.code == 0, "\(ended.err)", sourceLocation: location)
        let row = try #require(try json("mine", "-n", "1").first)
        return try #require(row["id"] as? String)
    }

    /// The lines that a command prints with `--json`.
    func json(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
        let ended = try run(arguments + ["--json"])
        try #require(ended.code == 0, "\(arguments): \(ended.err)", sourceLocation: location)
        return try JSONLines.parse(ended.out)
    }
}

/// JSON Lines as a script reads them.
enum JSONLines {
    static func parse(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(object as? [String: Any])
        }
    }

    /// The keys of a line in their order.
    static func keys(_ line: some StringProtocol) -> [String] {
        var keys: [String] = []
        var depth = 0
        var string: String?
        var isEscaped = false
        var last = ""
        for character in line {
            if let open = string {
                if isEscaped || (character != "\"" && character != "\\") {
                    string = open + String(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    last = open
                    string = nil
                }
                continue
            }
            switch character {
            case "\"": string = ""
            case "{", "[": depth += 1
            case "}", "]": depth -= 1
            case ":" where depth == 1: keys.append(last)
            default: break
            }
        }
        return keys
    }
}

/// A folder of its own, 0700, with a path that fits a narrow terminal; gone afterwards.
final class ShortFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/sXXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Spawned.Trouble(description: "no folder in /tmp") }
        path = String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String {
        path + "/" + name
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func read(_ name: String) throws -> String {
        try String(decoding: Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }
}
