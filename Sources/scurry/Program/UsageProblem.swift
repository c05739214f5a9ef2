import ArgumentParser
import Storage
import Transport

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
        // The parser takes `--file=` for an option without a value.
        if let nameless = path.namelessFile(in: arguments) { return nameless }
        if message.hasPrefix("missing value for "), let dashed = Dashed.value(in: arguments, message, path) {
            return dashed
        }
        if message.hasPrefix("the value '"), message.contains("' is invalid for '-n N'") { return noCount(path) }
        // An argument that begins with a dash was taken for an option, so its place is empty.
        if message.hasPrefix("missing expected argument "), let stranger = Dashed.stranger(in: arguments, path) {
            message = "unknown option '\(stranger)'"
        }
        return Failure(.usage, SafeText(line: withoutInvites(message)), hint: hint(message, arguments, path))
    }

    /// What `-n` takes.
    ///
    /// - Parameter least: the smallest number.
    /// - Returns: the sentence, for the commands and for the parser's errors.
    static func count(from least: Int = 1) -> String {
        "-n takes a number from \(least) to \(StorageLimits.feedPagePosts)"
    }

    /// The failure for a value of `-n` that is no number.
    static func noCount(_ path: CommandPath) -> Failure {
        // Only there a page without posts says something.
        let sentence = count(from: path.text == "scurry who" ? 0 : 1)
        return Failure(.usage, SafeText(line: sentence), hint: "\(path.text) -h")
    }

    /// The message with `an invite` in the place of each: one may hold the secret of a network.
    static func withoutInvites(_ message: String) -> String {
        message.split(separator: " ", omittingEmptySubsequences: false)
            .map { isInvite($0) ? "an invite" : String($0) }.joined(separator: " ")
    }

    /// Whether a word is an invite, or holds one.
    static func isInvite(_ word: some StringProtocol) -> Bool { word.lowercased().contains(Invite.prefix) }

    /// The parser finds `-h` in any word that begins with a dash, such as `-hello`. The failure for such a word; nil:
    /// help was requested.
    static func notHelp(_ arguments: [String]) -> Failure? {
        let typed = arguments.prefix { $0 != "--" }
        guard !typed.contains(where: { ["-h", "--help"].contains($0) }),
            let word = typed.first(where: { word in
                word.hasPrefix("-") && word.contains("h") && !["--", "-c", "-n"].contains { word.hasPrefix($0) }
            })
        else { return nil }
        let path = CommandPath(arguments)
        let isText = path.takesText && word != "-help"
        return Failure(
            .usage,
            "unknown option '\(word)'",
            hint: isText ? beginsWithADash(arguments, path) : "\(path.text) -h"
        )
    }

    private static func beginsWithADash(_ arguments: [String], _ path: CommandPath) -> SafeText {
        "put -- before a text that begins with a dash: \(beforeText(arguments, path)) -- \"- like this\""
    }

    /// The command up to its text, with the id that was typed if it takes one.
    static func beforeText(_ arguments: [String], _ path: CommandPath) -> String {
        guard path.takesText, path.takesID, let id = path.firstArgument(in: arguments) else { return path.text }
        return "\(path.text) \(ShellWord.quoted(id))"
    }

    /// Two dashes and a letter.
    private static func isLongOption(_ word: String) -> Bool {
        word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true
    }

    private static func hint(_ message: String, _ arguments: [String], _ path: CommandPath) -> SafeText {
        let stranger = Dashed.stranger(in: arguments, path)
        if let meant = StrayWord.hint(for: message, in: arguments, path) { return meant }
        if path.text == "scurry", let stranger, ["-v", "-V"].contains(stranger) { return "scurry --version" }
        if let stranger, let hint = OptionOfPost.hint(for: stranger, in: arguments, path) { return hint }
        if let stranger, let meant = path.nearest(option: stranger) { return "did you mean \(meant)? \(path.text) -h" }
        // A text that begins with a dash, such as a list, was taken for options.
        if arguments.contains(where: { $0.hasPrefix("-") && $0.contains(" ") }) {
            return beginsWithADash(arguments, path)
        }
        // Nobody means to post what looks like an option of another program.
        if let stranger, path.takesText, !isLongOption(stranger) {
            let command = beforeText(arguments, path)
            return "put -- before a text that begins with a dash: \(command) -- \(ShellWord.quoted(stranger))"
        }
        return "\(path.text) -h"
    }
}
