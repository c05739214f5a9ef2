import ArgumentParser

/// Turns the parser's errors into failures: one line, and the command that helps.
enum UsageProblem {
    static func failure(of error: any Error, arguments: [String]) -> Failure {
        let words = Scurry.message(for: error).split(separator: "\n", omittingEmptySubsequences: true)
        var message = Placeholder.capitals(String(words.first ?? "these arguments make no sense"))
        // The parser suggests options that are three letters away, and never --help; the hint has a suggestion of ours.
        if let range = message.firstRange(of: ". Did you mean '") { message = String(message[..<range.lowerBound]) }
        if let range = message.firstRange(of: ". Please provide one of ") {
            message.replaceSubrange(range, with: ": it takes ")
        }
        while message.hasSuffix(".") { message.removeLast() }
        if let first = message.first { message = first.lowercased() + message.dropFirst() }
        let path = CommandPath(arguments)
        if message.hasPrefix("missing value for "), let dashed = Dashed.value(in: arguments, message, path) {
            return dashed
        }
        // An argument that begins with a dash was taken for an option, so its place is empty.
        if message.hasPrefix("missing expected argument "), let stranger = Dashed.stranger(in: arguments, path) {
            message = "unknown option '\(stranger)'"
        }
        return Failure(.usage, SafeText(line: message), hint: hint(arguments, path))
    }

    /// The parser finds `-h` in any word that begins with a dash, such as `-hello`. The failure for such a word; nil:
    /// help was requested.
    static func notHelp(_ arguments: [String]) -> Failure? {
        let typed = arguments.prefix { $0 != "--" }
        guard !typed.contains(where: { ["-h", "--help"].contains($0) }),
            let word = typed.first(where: { word in
                word.hasPrefix("-") && word.contains("h") && !["--", "-c", "-n"].contains { word.hasPrefix($0) }
            })
        else { return nil }
        return Failure(.usage, "unknown option '\(word)'", hint: beginsWithADash(arguments, CommandPath(arguments)))
    }

    private static func beginsWithADash(_ arguments: [String], _ path: CommandPath) -> SafeText {
        "put -- before a text that begins with a dash: \(beforeText(arguments, path)) -- \"- like this\""
    }

    /// The command up to its text, with the id that was typed if it takes one.
    static func beforeText(_ arguments: [String], _ path: CommandPath) -> String {
        guard path.takesText, path.takesID, let id = path.firstArgument(in: arguments) else { return path.text }
        return "\(path.text) \(ShellWord.quoted(id))"
    }

    private static func hint(_ arguments: [String], _ path: CommandPath) -> SafeText {
        let stranger = Dashed.stranger(in: arguments, path)
        if let stranger, let hint = OptionOfPost.hint(for: stranger, in: arguments, path) { return hint }
        if let stranger, let meant = path.nearest(option: stranger) { return "did you mean \(meant)? \(path.text) -h" }
        // A text that begins with a dash, such as a list, was taken for options.
        if arguments.contains(where: { $0.hasPrefix("-") && $0.contains(" ") }) {
            return beginsWithADash(arguments, path)
        }
        if let stranger, path.takesText {
            let command = beforeText(arguments, path)
            return "put -- before a text that begins with a dash: \(command) -- \(ShellWord.quoted(stranger))"
        }
        return "\(path.text) -h"
    }
}
