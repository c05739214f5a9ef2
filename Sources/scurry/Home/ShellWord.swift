/// Quoting of paths and values for a shell.
enum ShellWord {
    /// An option with its value, joined by `=` if the value would be taken for an option.
    static func option(_ name: SafeText, _ value: String) -> SafeText {
        "\(name)\(value.hasPrefix("-") ? "=" : " ")\(quoted(value))"
    }

    /// The path, in quotes if it has a character that a shell interprets.
    static func quoted(_ path: String) -> SafeText {
        let plain = path.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+,:=@~%".utf8.contains(byte)
        }
        if plain, !path.isEmpty, !path.hasPrefix("~") { return SafeText(line: path) }
        return SafeText(
            line: "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        )
    }
}
