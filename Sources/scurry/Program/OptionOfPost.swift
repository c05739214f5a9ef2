/// Options of `scurry post` that `reply` and `edit` do without: the hint says why.
enum OptionOfPost {
    /// The hint for such an option.
    ///
    /// - Parameters:
    ///   - word: the unknown option, as it was typed.
    ///   - arguments: all that was typed.
    ///   - path: the command.
    /// - Returns: nil if it is no such option.
    static func hint(for word: String, in arguments: [String], _ path: CommandPath) -> SafeText? {
        let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
        guard let reason = reason(name, path) else { return nil }
        var others = arguments
        if let place = others.firstIndex(of: word) {
            // With its value, which would pass for the id.
            others.removeSubrange(place..<min(others.endIndex, place + (word.contains("=") ? 1 : 2)))
        }
        let id = path.firstArgument(in: others).map { ShellWord.quoted($0) } ?? "ID"
        return "\(reason): \(path.text) \(id) \"TEXT\""
    }

    private static func reason(_ option: String, _ path: CommandPath) -> SafeText? {
        switch (path.text, option) {
        case ("scurry reply", "-c"), ("scurry reply", "--channel"): "a reply is in the channels of what it answers"
        case ("scurry reply", "--title"): "a reply has no title"
        case ("scurry edit", "-c"), ("scurry edit", "--channel"): "a post stays in its channels"
        default: nil
        }
    }
}
