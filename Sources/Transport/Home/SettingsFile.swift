/// The settings file: lines of `key = value`, edited by people and by `scurry config`.
///
/// Order, comments, blank lines and lines that do not parse are kept as they are; the caller interprets keys and
/// values.
package struct SettingsFile: Hashable, Sendable {
    private var lines: [Line]

    private enum Line: Hashable, Sendable {
        case comment(String)
        /// `head` ends before the value, `tail` begins behind it: a comment stays when the value changes.
        case setting(head: String, key: String, value: String, tail: String)
        case bad(String)

        var text: String {
            switch self {
            case .comment(let text), .bad(let text): text
            case .setting(let head, _, let value, let tail): head + value + tail
            }
        }

        var key: String? {
            switch self {
            case .comment, .bad: nil
            case .setting(_, let key, _, _): key
            }
        }
    }

    /// A line that sets a value.
    package struct Setting: Hashable, Sendable {
        package let key: String
        /// Without spaces around it; may be empty.
        package let value: String
        /// Counted from 1.
        package let line: Int
    }

    /// A value of several lines: written, it would be read as several settings.
    package struct LineBreak: Error, Hashable, Sendable {}

    package init(parsing text: String) {
        var texts = TextLines.split(text)
        if texts.last?.isEmpty == true { texts.removeLast() }
        lines = texts.map { Self.line(String($0)) }
    }

    /// Reads the file; an absent one is empty.
    ///
    /// - Throws: `EFBIG` from `TransportLimits.settingsFileBytes` on, and `EILSEQ` if it is not UTF-8: a file that was
    ///   not read whole must not be written back.
    package init(reading path: String) throws(SystemError) {
        self.init(parsing: try FileSystem.readText(path, limit: TransportLimits.settingsFileBytes) ?? "")
    }

    /// In the order of the file; a key may occur twice.
    package var settings: [Setting] {
        lines.enumerated().compactMap { index, line in
            guard case .setting(_, let key, let value, _) = line else { return nil }
            return Setting(key: key, value: value, line: index + 1)
        }
    }

    /// Numbers, from 1, of lines that are neither comments nor `key = value`.
    package var badLines: [Int] {
        lines.enumerated().compactMap { index, line in
            guard case .bad = line else { return nil }
            return index + 1
        }
    }

    package var isEmpty: Bool { lines.isEmpty }

    package var text: String { lines.map { $0.text + "\n" }.joined() }

    /// Replaces the value in the key's first line, or appends a line; removes further lines of the key.
    package mutating func set(_ key: String, to value: String) throws(LineBreak) {
        guard !value.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            throw LineBreak()
        }
        guard let place = lines.firstIndex(where: { $0.key == key }) else {
            return lines.append(.setting(head: key + " = ", key: key, value: value, tail: ""))
        }
        if case .setting(let head, _, _, let tail) = lines[place] {
            // A comment behind an empty value may have no space before it.
            let tail = tail.hasPrefix("#") ? " " + tail : tail
            lines[place] = .setting(head: head, key: key, value: value, tail: tail)
        }
        let later = lines[(place + 1)...].filter { $0.key != key }
        lines.replaceSubrange((place + 1)..., with: later)
    }

    /// Removes the key's lines, and returns how many there were.
    package mutating func unset(_ key: String) -> Int {
        let before = lines.count
        lines.removeAll { $0.key == key }
        return before - lines.count
    }

    /// Appends comments: the head of a new file.
    package mutating func comment(_ texts: [String]) {
        lines += texts.map { .comment($0) }
    }

    /// Replaces the file atomically, 0600; a crash leaves the old one or the new one.
    package func write(to path: String) throws(SystemError) {
        try NullDevice.refuse(path)
        if let directory = FileSystem.parent(of: path) { try FileSystem.makeDirectories(directory) }
        try FileSystem.replaceText(path, with: text)
    }

    private static func line(_ text: String) -> Line {
        let content = text.drop(while: \.isWhitespace)
        if content.isEmpty || content.hasPrefix("#") { return .comment(text) }
        guard let equals = text.firstIndex(of: "=") else { return .bad(text) }
        let key = text[content.startIndex..<equals].split(whereSeparator: \.isWhitespace)
        guard let only = key.first, key.count == 1 else { return .bad(text) }
        let start = text[text.index(after: equals)...].drop(while: \.isWhitespace).startIndex
        // A value may hold a `#`; a comment begins only behind a space, as in a shell.
        var end = start
        var place = start
        while place < text.endIndex {
            let isSpaced = place == start || text[text.index(before: place)].isWhitespace
            if text[place] == "#", isSpaced { break }
            if !text[place].isWhitespace { end = text.index(after: place) }
            place = text.index(after: place)
        }
        return .setting(
            head: String(text[..<start]),
            key: String(only),
            value: String(text[start..<end]),
            tail: String(text[end...])
        )
    }
}
