#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The source of a post's text: the argument, piped standard input, or `$EDITOR` on a terminal.
struct TextSource {
    /// Bytes read at most, so that an endless pipe ends; a text of this length is refused later.
    private static let inputBytesAtMost = 262_144

    /// The arguments as typed: none, `-`, or the text, in as many words as the shell made of it.
    let words: [String]
    /// The command without the text, for hints.
    let command: SafeText

    enum Source {
        case argument(String)
        case standardInput
        case editor
    }

    /// Whether the text comes from a pipe or a file.
    var isPiped: Bool {
        words == ["-"] || words.isEmpty && !Descriptor.standardInput.isTerminal
    }

    /// - Throws: `Failure` 64 for several words, and if there is neither a text nor a person to write one.
    func source(on console: Console) throws(Failure) -> Source {
        if words.count > 1 {
            throw Failure(
                .usage,
                "a text of several words needs quotes",
                hint: "\(command) \(ShellWord.quoted(words.joined(separator: " ")))"
            )
        }
        switch words.first {
        case "-": return .standardInput
        case let text?: return .argument(text)
        case nil: break
        }
        if !Descriptor.standardInput.isTerminal { return .standardInput }
        if console.asking == .allowed { return .editor }
        throw Failure(.usage, "there is no text", hint: "\(command) \"TEXT\"")
    }

    /// All of standard input, without the line break at its end.
    ///
    /// - Throws: `Failure` 64 for bytes that are not UTF-8, or for more bytes than any post has.
    static func standardInput(_ input: Descriptor = .standardInput, command: SafeText) throws(Failure) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= inputBytesAtMost {
            let (count, code) = buffer.withUnsafeMutableBytes { (input.read(into: $0), errno) }
            if count < 0 {
                throw Failure(
                    .failure,
                    "cannot read standard input: \(Descriptor.reason(code))",
                    hint: "\(command) \"TEXT\""
                )
            }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        guard bytes.count <= inputBytesAtMost else {
            throw Composer.tooLong(
                "the text takes more than \(inputBytesAtMost) bytes, a post has room for some 65,500"
            )
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.usage, "standard input is not UTF-8", hint: "iconv -t UTF-8 | \(command) -")
        }
        if text.hasSuffix("\r\n") || text.hasSuffix("\n") { text.removeLast() }
        return text
    }
}
