#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Sodium

/// Reads the recovery words from a file or the terminal; never from the arguments, which other users of the machine can
/// see.
///
/// The words are wiped after use; words of the list are so short that a string stores them in place.
struct WordEntry {
    /// Bytes of a file at most: twelve words with any space around them.
    private static let fileBytesAtMost = 4_096
    /// Attempts before the command ends, so that the person takes a fresh look at the paper. A guess.
    private static let attempts = 5

    /// The file with the words; nil: the terminal is asked.
    let file: String?
    /// The command without its options, for hints.
    let command: SafeText
    let console: Console

    /// - Throws: `Failure` 64 for invalid words, with the place of the wrong one.
    func words() throws(Failure) -> RecoveryWords {
        if let file { return try fromFile(file) }
        guard console.asking == .allowed else {
            throw Failure(.usage, "the recovery words are needed", hint: "\(command) --words-from FILE")
        }
        return try asked()
    }

    private func fromFile(_ path: String) throws(Failure) -> RecoveryWords {
        let shown = SafeText(line: path)
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SecretFile.unreadable(shown, errno, hint: "\(command) --words-from FILE")
        }
        defer { if descriptor > 0 { close(descriptor) } }
        try SecretFile.refuseExposed(descriptor, path)
        var words = try read(Descriptor(number: descriptor), called: shown, isEnd: { _ in false })
        defer { WordEntry.wipe(&words) }
        do throws(RecoveryWordsError) {
            return try RecoveryWords(words: words)
        } catch {
            throw Failure(.usage, "\(shown): \(WordEntry.explanation(error))", hint: "\(command) --words-from FILE")
        }
    }

    private func asked() throws(Failure) -> RecoveryWords {
        console.tell("Your twelve recovery words, in their order (nobody should look over your shoulder):")
        for _ in 0..<WordEntry.attempts {
            var words = try line("words: ", atLeast: RecoveryWords.wordCount)
            defer { WordEntry.wipe(&words) }
            for _ in 0..<WordEntry.attempts {
                do throws(RecoveryWordsError) {
                    return try RecoveryWords(words: words)
                } catch {
                    console.tell(WordEntry.explanation(error))
                    // Only the wrong word is asked again.
                    guard case .unknownWord(let place, _) = error else { break }
                    var again = try line("word \(place): ", atLeast: 1)
                    defer { WordEntry.wipe(&again) }
                    if let word = again.first, words.indices.contains(place - 1) { words[place - 1] = word }
                }
            }
        }
        throw Failure(.usage, "these are not recovery words", hint: command)
    }

    /// Reads at least `count` words, over several lines if necessary.
    private func line(_ question: SafeText, atLeast count: Int) throws(Failure) -> [String] {
        var words: [String] = []
        var question = question
        while words.count < count {
            _ = Descriptor.standardError.write(Array(StyledLine(question).text(console.err.look).utf8))
            var isOver = true
            do throws(Failure) {
                words += try read(.standardInput, called: "the typed line") { byte in
                    isOver = false
                    return byte == 0x0A
                }
            } catch {
                WordEntry.wipe(&words)
                throw error
            }
            if isOver {
                WordEntry.wipe(&words)
                _ = Descriptor.standardError.write([0x0A])
                throw Failure(.usage, "no words were given", hint: "\(command) --words-from FILE")
            }
            question = "\(words.count) of \(count), go on: "
        }
        return words
    }

    /// Reads words byte by byte, so that nothing behind the line is consumed; splits at white space.
    ///
    /// - Throws: `Failure` 64 for more than `fileBytesAtMost`; the failure for what cannot be read.
    private func read(
        _ input: Descriptor,
        called shown: SafeText,
        isEnd: (UInt8) -> Bool
    ) throws(Failure) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        word.reserveCapacity(64)
        defer { word.wipe() }
        func finish() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word.indices.forEach { word[$0] = 0 }
            word.removeAll(keepingCapacity: true)
        }
        do throws(SecretLine.Fault) {
            // One more than there may be, to see that it ends there.
            for _ in 0...WordEntry.fileBytesAtMost {
                guard let byte = try SecretLine.next(from: input) else {
                    finish()
                    return words
                }
                let end = isEnd(byte)
                if byte == 0x20 || (0x09...0x0D).contains(byte) { finish() } else { word.append(byte) }
                if end {
                    finish()
                    return words
                }
            }
            SecretLine.skip(on: input)
            throw SecretLine.Fault.tooLong
        } catch {
            finish()
            WordEntry.wipe(&words)
            let hint: SafeText = "\(command) --words-from FILE"
            switch error {
            case .tooLong: throw Failure(.usage, "\(shown) is longer than 4,096 bytes", hint: hint)
            case .unreadable(let code): throw SecretFile.unreadable(shown, code, hint: hint)
            }
        }
    }

    private static func wipe(_ words: inout [String]) {
        for index in words.indices { words[index] = "" }
        words = []
    }

    /// Names the place of a wrong word, and never the words.
    private static func explanation(_ error: RecoveryWordsError) -> SafeText {
        switch error {
        case .wrongCount(let count): "there are twelve recovery words, not \(count)"
        case .unknownWord(let place, let nearest):
            nearest.isEmpty
                ? "word \(place) is not in the list"
                : "word \(place) is not in the list; perhaps \(SafeText(line: nearest.joined(separator: ", or ")))"
        case .wrongChecksum:
            "all twelve words are in the list, but one of them is another one, or two changed places"
        }
    }
}
