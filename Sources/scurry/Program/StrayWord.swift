import ArgumentParser

/// Hints for words that a command does not take as they stand, but somebody may mean: a name without its option, a name
/// of several words, a post without a vote.
enum StrayWord {
    /// The command that was probably meant.
    ///
    /// - Parameters:
    ///   - message: what the parser says.
    ///   - arguments: all that was typed.
    ///   - path: the command.
    /// - Returns: nil if nothing else is likely.
    static func hint(for message: String, in arguments: [String], _ path: CommandPath) -> SafeText? {
        // Behind `--` a word may begin with a dash, and is not found.
        guard !arguments.contains("--") else { return nil }
        let places = path.places(in: arguments)
        let words = places.map { arguments[$0] }
        let whole = words.joined(separator: " ")
        // It may hold the secret of a network, which is to stay out of the list of processes.
        if arguments.contains(where: { UsageProblem.isInvite($0) }) {
            guard path.text == "scurry init" else { return nil }
            let who = arguments.contains("--hub") ? "--hub" : "--name NAME"
            return "scurry init \(who) --secret-file FILE, the invite in FILE"
        }
        guard message.contains("unexpected argument") else {
            return path.text == "scurry vote" && isPost(message, words) ? "scurry vote up \(whole)" : nil
        }
        switch path.text {
        case "scurry init", "scurry name":
            guard NameRule.fault(in: whole) == nil else { return nil }
            if path.text == "scurry name" { return retyped(arguments, without: places, path, ShellWord.quoted(whole)) }
            guard !arguments.contains(where: { ["--name", "--hub"].contains($0) || $0.hasPrefix("--name=") }) else {
                return nil
            }
            return retyped(arguments, without: places, path, ShellWord.option("--name", whole))
        case "scurry feed" where words.count == 1 && !arguments.contains("--all"):
            guard let channel = try? ChannelArgument.parse(whole) else { return nil }
            let read = retyped(arguments, without: places, path, ChannelArgument.option(channel.channel))
            // Without a home nobody is known: a bare word may be a person as well.
            if whole.hasPrefix("#") || arguments.contains("--from") { return read }
            let from = retyped(arguments, without: places, path, ShellWord.option("--from", whole))
            return "\(read), or for a person: \(from)"
        default: return nil
        }
    }

    /// Whether the only word of a vote, which is none of up, down and none, looks like the beginning of an id, and not
    /// like one of those or a command.
    private static func isPost(_ message: String, _ words: [String]) -> Bool {
        guard words.count == 1, let word = words.first else { return false }
        let names = ["up", "down", "none"] + Scurry.configuration.subcommands.map { $0._commandName }
        return message.contains("' is invalid for 'up|down|none'") && word.utf8.count >= ShortID.lettersAtLeast
            && NearestCommand.instead(of: word, among: names) == nil
            && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x37).contains($0) }
    }

    /// The command with all its options, and this in the place of its words.
    private static func retyped(
        _ arguments: [String],
        without places: [Int],
        _ path: CommandPath,
        _ replacement: SafeText
    ) -> SafeText {
        let first = path.text.split(separator: " ").count - 1
        let options = arguments.indices.filter { $0 >= first && !places.contains($0) }
        return options.reduce("\(SafeText(line: path.text)) \(replacement)") {
            "\($0) \(ShellWord.quoted(arguments[$1]))"
        }
    }
}
