import Foundation
import Testing

/// docs/json.md as a test reads it: the keys and types of the lines that each command prints.
struct JSONPage {
    /// A row of a table.
    struct Key {
        let name: String
        /// `id`, `integer or null, bytes`, `word: up, down`.
        let type: String
        /// The table names no condition.
        let isAlways: Bool
    }

    /// A chapter with a table: of commands, or of what others refer to.
    struct Section {
        /// What stands in its heading as code, as `scurry show ID`; empty: it is only referred to.
        let commands: [String]
        fileprivate(set) var keys: [String: Key] = [:]
        /// Keys of lines that have no others (`alone`); empty: there are no such lines.
        fileprivate(set) var stub: Set<String> = []
    }

    let sections: [Section]

    private let post: Section
    private let draft: Section

    var commands: [String] { sections.flatMap(\.commands) }

    init() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/json.md")
        let text = try String(decoding: Data(contentsOf: url), as: UTF8.self)
        var anchored: [String: Section] = [:]
        var sections: [Section] = []
        for chapter in text.components(separatedBy: "\n## ").dropFirst() {
            let lines = chapter.components(separatedBy: "\n")
            var section = Section(commands: Self.codes(lines[0]).filter { $0.hasPrefix("scurry") })
            let body = lines.dropFirst().joined(separator: " ")
            // Sections refer to earlier ones; their own row of a key counts.
            if let reference = body.firstMatch(of: #/All keys of (?:a )?\[[^\]]+\]\(#([a-z-]+)\)/#) {
                section.keys = try #require(anchored[String(reference.1)], "\(reference.0)").keys
            }
            for line in lines {
                guard let key = Self.key(line) else { continue }
                section.keys[key.name] = key
            }
            if let alone = body.firstMatch(of: #/with ((?:`[a-z_]+`(?:, | and )?)+) alone/#) {
                section.stub = Set(Self.codes(String(alone.1)))
            }
            anchored[Self.anchor(lines[0])] = section
            if !section.commands.isEmpty { sections.append(section) }
        }
        self.sections = sections
        post = try #require(anchored["a-post"])
        draft = try #require(anchored["a-draft"])
    }

    /// Everything in which a line differs from its command's table; empty: nothing.
    func faults(in line: String, of command: String) throws -> [String] {
        let section = try #require(sections.first { $0.commands.contains(command) }, "no table of \(command)")
        return faults(in: try JSONDecoder().decode([String: JSONItem].self, from: Data(line.utf8)), section)
    }

    private func faults(in line: [String: JSONItem], _ section: Section) -> [String] {
        if Set(line.keys) == section.stub { return [] }
        let strange = line.keys.filter { section.keys[$0] == nil }.map { "\($0) is not on the page" }
        let missing = section.keys.values.filter { $0.isAlways && line[$0.name] == nil }.map { "\($0.name) is missing" }
        let wrong = section.keys.values.flatMap { key in
            line[key.name].map { faults(in: $0, key.type).map { "\(key.name): \($0)" } } ?? []
        }
        return strange + missing + wrong
    }

    private func faults(in item: JSONItem, _ type: String) -> [String] {
        let kind = String(type.prefix { $0 != ":" && $0 != "," })
        let word = kind.hasSuffix(" or null") ? String(kind.dropLast(8)) : kind
        switch (word, item) {
        case (_, .null) where word != kind: return []
        case ("integer", .integer), ("boolean", .boolean), ("string", .string): return []
        case ("id", .string(let text)) where text.wholeMatch(of: #/[a-z2-7]{52}/#) != nil: return []
        case ("time", .string(let text))
        where text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#) != nil: return []
        case ("word", .string(let text)) where Self.codes(type).contains(text): return []
        case ("list of ids", .list(let items)): return items.flatMap { faults(in: $0, "id") }
        case ("list of names", .list(let items)): return items.flatMap { faults(in: $0, "string") }
        case ("list of posts", .list(let items)): return items.flatMap { faults(in: $0, "post") }
        case ("list of drafts", .list(let items)): return items.flatMap { faults(in: $0, "draft") }
        case ("post", .object(let line)): return faults(in: line, post)
        case ("draft", .object(let line)): return faults(in: line, draft)
        default: return ["\(item) is no \(type)"]
        }
    }

    /// What stands between backquotes.
    private static func codes(_ text: String) -> [String] {
        text.matches(of: #/`([^`]+)`/#).map { String($0.1) }
    }

    /// `| key | type | what it is |`, with the key as code.
    private static func key(_ line: String) -> Key? {
        guard line.hasPrefix("| `") else { return nil }
        let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 5, let name = codes(cells[1]).first else { return nil }
        return Key(name: name, type: cells[2], isAlways: cells[1] == "`\(name)`")
    }

    /// The link to a heading, as pages of Markdown have it.
    private static func anchor(_ heading: String) -> String {
        String(heading.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" })
    }
}

/// A value of JSON that tells `true` from 1.
private enum JSONItem: Decodable {
    case null
    case boolean
    case integer
    case string(String)
    case list([JSONItem])
    case object([String: JSONItem])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if (try? container.decode(Bool.self)) != nil {
            self = .boolean
        } else if let number = try? container.decode(Int64.self), number >= 0 {
            self = .integer
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let items = try? container.decode([JSONItem].self) {
            self = .list(items)
        } else {
            self = .object(try container.decode([String: JSONItem].self))
        }
    }
}
