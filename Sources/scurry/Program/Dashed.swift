import ArgumentParser

/// Failures for words that begin with a dash and are no options, though the parser took them for some.
enum Dashed {
    /// The failure for a word that was not taken as the value of the option before it; nil: there is none.
    static func value(in arguments: [String], _ message: String, _ path: CommandPath) -> Failure? {
        for (option, word) in zip(arguments, arguments.dropFirst()) {
            guard word.hasPrefix("-"), !path.knows(option: word) else { continue }
            guard message.contains("'\(option)'") || message.contains("'\(option) ") else { continue }
            // No option takes a negative number.
            if Int(word) != nil {
                if option == "-n" { return UsageProblem.noCount(path) }
                let named = message.dropFirst("missing value for ".count)
                return Failure(.usage, "the value '\(word)' is invalid for \(String(named))", hint: "\(path.text) -h")
            }
            guard option.hasPrefix("--") else { return nil }
            return Failure(
                .usage,
                SafeText(line: message),
                hint: joined(option, word, after: UsageProblem.beforeText(arguments, path))
            )
        }
        return nil
    }

    private static func joined(_ option: String, _ word: String, after command: String) -> SafeText {
        "join a value that begins with a dash to its option: \(command) \(option)=\(ShellWord.quoted(word))"
    }

    /// The first word that looks like an option and is none of the command's; words behind `--` do not count.
    static func stranger(in arguments: [String], _ path: CommandPath) -> String? {
        arguments.prefix { $0 != "--" }.first { $0.hasPrefix("-") && $0 != "-" && !path.knows(option: $0) }
    }
}

extension CommandPath {
    /// Whether the command has this option, typed with a value or without.
    func knows(option word: String) -> Bool {
        help(of: word) != nil
    }

    /// The long option that a mistyped one is nearest to, with its dashes; nil if none is near.
    func nearest(option word: String) -> String? {
        guard word.hasPrefix("--") else { return nil }
        let names = lines("OPTIONS:").flatMap { line in
            line.split(whereSeparator: { ", /".contains($0) }).prefix { $0.hasPrefix("-") }
                .filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        }
        return NearestCommand.find(String(word.dropFirst(2).prefix { $0 != "=" }), among: names).map { "--" + $0 }
    }

    /// The first word behind the command that is neither an option nor the value of one.
    func firstArgument(in arguments: [String]) -> String? {
        places(in: arguments).first.map { arguments[$0] }
    }

    /// The places of the words behind the command that are neither options nor values of one.
    func places(in arguments: [String]) -> [Int] {
        var places: [Int] = []
        var isValue = false
        for (place, word) in arguments.enumerated().dropFirst(text.split(separator: " ").count - 1) {
            if isValue {
                isValue = false
            } else if word.hasPrefix("-") {
                isValue = !word.contains("=") && help(of: word)?.contains(" <") == true
            } else {
                places.append(place)
            }
        }
        return places
    }

    /// The failure for an empty text in the place of a file's name; nil: there is none.
    func namelessFile(in arguments: [String]) -> Failure? {
        // The help is looked through for those few that have one.
        guard arguments.contains(where: { $0.isEmpty || $0.hasSuffix("=") }) else { return nil }
        let options = arguments.prefix { $0 != "--" }
        let valueless = zip(options, options.dropFirst()).compactMap { $1.isEmpty ? $0 : nil }
        let joined = options.compactMap { $0.hasSuffix("=") ? String($0.dropLast()) : nil }
        let option = (valueless + joined).first { word in
            word.hasPrefix("--") && help(of: word)?.contains(" <file>") == true
        }
        if let option { return Failure(.usage, "\(option) takes the name of a file", hint: "\(text) -h") }
        guard firstArgument(in: arguments) == "", lines("ARGUMENTS:").contains(where: { $0.hasPrefix("  <file>") })
        else { return nil }
        return Failure(.usage, "\(text) takes the name of a file", hint: "\(text) -h")
    }

    /// The line of the help for an option, typed with a value or without.
    private func help(of word: String) -> Substring? {
        let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
        return lines("OPTIONS:").first { line in
            line.split(whereSeparator: { ", /".contains($0) }).contains { $0 == name }
        }
    }

    /// Whether the command takes a free text, which may begin with anything.
    var takesText: Bool {
        lines("ARGUMENTS:").contains {
            $0.hasPrefix("  <text>") || $0.hasPrefix("  <words>") || $0.hasPrefix("  <name>")
        }
    }

    /// Whether the command takes the id of a post.
    var takesID: Bool {
        lines("ARGUMENTS:").contains { $0.hasPrefix("  <id>") }
    }

    /// The lines of one section of the parser's help.
    private func lines(_ section: String) -> [Substring] {
        var isInside = false
        return Scurry.helpMessage(for: command, columns: 10_000).split(separator: "\n").filter { line in
            if !line.hasPrefix(" ") { isInside = line == section }
            return isInside && line.hasPrefix("  ")
        }
    }
}
