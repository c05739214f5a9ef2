import ArgumentParser

/// The help of a command: its synopsis, description, options, and an example at the end.
struct HelpScreen {
    private let command: any ParsableCommand.Type
    private let path: String
    private let width: Int

    /// Columns at most: wider lines are hard to read.
    private static let widthAtMost = 80

    init(of command: any ParsableCommand.Type, path: String, look: Look) {
        self.command = command
        self.path = path
        width = min(look.width, HelpScreen.widthAtMost)
    }

    var lines: [StyledLine] {
        var lines = usage
        lines.append(StyledLine())
        lines += paragraph(command.configuration.abstract)
        let (text, example) = discussion
        for part in text {
            lines.append(StyledLine())
            lines += paragraph(part)
        }
        lines += commands
        let rows = HelpScreen.rows(in: Scurry.helpMessage(for: command, columns: 10_000))
        if !rows.isEmpty {
            lines.append(StyledLine())
            lines += rows.flatMap { row($0.label, $0.text, column: labelColumns(rows.map(\.label))) }
        }
        if !example.isEmpty {
            lines.append(StyledLine())
            lines.append(StyledLine("Example:", .bold))
            lines += example.map { StyledLine(SafeText(line: $0)) }
        }
        return lines
    }

    private var usage: [StyledLine] {
        let text = command.configuration.usage ?? path
        let head: SafeText = "usage: "
        // Further lines are indented to the first option.
        let indent = head.columns + path.count + 1
        var line = head + SafeText(line: path)
        var lines: [StyledLine] = []
        for option in HelpScreen.options(in: String(text.dropFirst(path.count))) {
            let word = SafeText(line: " " + option)
            if line.columns + word.columns > width, line.columns > indent {
                lines.append(StyledLine(line))
                line = .spaces(min(indent, width / 2) - 1)
            }
            line = line + word
        }
        return lines + [StyledLine(line)]
    }

    /// The words of a synopsis; a bracketed group is one word.
    private static func options(in usage: String) -> [String] {
        var options: [String] = []
        var depth = 0
        for word in usage.split(separator: " ") {
            if depth > 0, let last = options.popLast() {
                options.append(last + " " + word)
            } else {
                options.append(String(word))
            }
            depth += word.count { $0 == "[" } - word.count { $0 == "]" }
        }
        return options
    }

    private var discussion: (text: [String], example: [String]) {
        var text: [String] = []
        var example: [String] = []
        var isExample = false
        for line in command.configuration.discussion.split(separator: "\n") {
            if line == "Example:" {
                isExample = true
            } else if isExample, line.hasPrefix("  ") {
                example.append(String(line))
            } else {
                isExample = false
                text.append(String(line))
            }
        }
        return (text, example)
    }

    /// The commands below this one, in their groups.
    private var commands: [StyledLine] {
        let configuration = command.configuration
        let groups =
            [(name: "", commands: configuration.ungroupedSubcommands)]
            + configuration.groupedSubcommands.map { (name: $0.name, commands: $0.subcommands) }
        let column = labelColumns(configuration.subcommands.map { $0._commandName })
        return groups.filter { !$0.commands.isEmpty }.flatMap { group in
            [StyledLine()] + (group.name.isEmpty ? [] : [StyledLine(SafeText(line: group.name), .bold)])
                + group.commands.flatMap { row($0._commandName, $0.configuration.abstract, column: column) }
        }
    }

    /// The parser's options and arguments; each is on one line at this width.
    private static func rows(in help: String) -> [(label: String, text: String)] {
        var rows: [(label: String, text: String)] = []
        var isInside = false
        for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.hasPrefix(" ") { isInside = line == "ARGUMENTS:" || line == "OPTIONS:" }
            guard isInside, line.hasPrefix("  ") else { continue }
            if line.hasPrefix("   "), let last = rows.popLast() {
                rows.append((last.label, line.trimmedSpaces))
                continue
            }
            let content = line.dropFirst(2)
            let end = content.firstRange(of: "  ")?.lowerBound ?? (content.count > 24 ? nil : content.endIndex)
            guard let end else {
                // A label that fills its column is followed by one space only.
                let place = content.index(content.startIndex, offsetBy: 24)
                let isCut = content[content.index(before: place)] == " "
                rows.append(
                    isCut
                        ? (Placeholder.capitals(content[..<place].trimmedSpaces), content[place...].trimmedSpaces)
                        : (Placeholder.capitals(content.trimmedSpaces), "")
                )
                continue
            }
            rows.append((Placeholder.capitals(content[..<end].trimmedSpaces), content[end...].trimmedSpaces))
        }
        return rows.map { ($0.label, withoutValues($0.text)) }
    }

    /// The text without the list of values, which it names itself.
    private static func withoutValues(_ text: String) -> String {
        if text == "Show help information." { return "Show this." }
        guard let start = text.firstRange(of: " (values: ") else { return text }
        return String(text[..<start.lowerBound])
    }

    private func labelColumns(_ labels: [String]) -> Int {
        min((labels.map(\.count).max() ?? 0) + 4, width < 60 ? 18 : 30)
    }

    private func row(_ label: String, _ text: String, column: Int) -> [StyledLine] {
        var head = StyledLine(SafeText(line: "  " + label))
        let texts = Wrap.lines(SafeText(line: text), width: width - column)
        let isBeside = head.columns + 2 <= column
        var lines: [StyledLine] = []
        for (index, text) in texts.enumerated() {
            if index == 0, isBeside {
                head.add(.spaces(column - head.columns))
                head.add(text)
                continue
            }
            lines.append(StyledLine(.spaces(column) + text))
        }
        return [head.trimmedEnd] + lines
    }

    private func paragraph(_ text: String) -> [StyledLine] {
        Wrap.lines(SafeText(line: text), width: width).map { StyledLine($0) }
    }
}

/// Placeholders: `<id>` to the parser, `ID` to people.
enum Placeholder {
    static func capitals(_ text: String) -> String {
        var result = ""
        var name: String?
        for character in text {
            switch (character, name) {
            case ("<", nil): name = ""
            case (">", let open?):
                result += open.contains("|") ? open : open.uppercased()
                name = nil
            case (_, let open?): name = open + String(character)
            case (_, nil): result.append(character)
            }
        }
        return result + (name.map { "<" + $0 } ?? "")
    }
}

extension StringProtocol {
    fileprivate var trimmedSpaces: String {
        let start = drop { $0 == " " }
        let end = start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex
        return String(start[..<end])
    }
}
