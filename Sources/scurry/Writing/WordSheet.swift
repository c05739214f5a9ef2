#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Hands the recovery words to the person, once: in a file, or on standard error.
struct WordSheet {
    /// Number of words that are asked back, to check that they were written down.
    private static let askedBack = 2

    /// The new file for the words; nil: they are printed.
    let file: String?
    let console: Console

    /// - Throws: `Failure`; then no home is made, and the words mean nothing.
    func hand(over words: [String]) throws(Failure) {
        if let file {
            try write(words, to: file)
            console.tell("The recovery words are in \(SafeText(line: file)): move them off this machine.")
            explain()
            return
        }
        guard show(words) else {
            throw Failure(
                .failure,
                "the recovery words could not be shown: no identity was made",
                hint: "scurry init --words-to FILE"
            )
        }
        explain()
        if console.asking == .allowed {
            try askBack(words)
        } else {
            console.tell(
                "warning: the words above are in this output, and in every log of it; --words-to FILE is safer"
            )
        }
    }

    /// Prints the words; false if standard error is closed, or leads to a full disk.
    private func show(_ words: [String]) -> Bool {
        console.tell("These twelve words are your identity. They are shown once; write them on paper:")
        let columns = (words.map(\.utf8.count).max() ?? 0) + 6
        let perLine = max(1, min(4, (console.err.look.width - 2) / columns))
        var lines: [StyledLine] = [StyledLine()]
        for start in stride(from: 0, to: words.count, by: perLine) {
            var line = StyledLine("  ")
            for index in start..<min(start + perLine, words.count) {
                line.add(SafeText(line: "\(index + 1)").padded(toRight: 2), .dim)
                line.add(SafeText(line: " " + words[index]).padded(to: columns - 2), .bold)
            }
            lines.append(line.trimmedEnd)
        }
        lines.append(StyledLine())
        return console.err.show(lines)
    }

    private func explain() {
        console.tell("Whoever has them is you. Without them a lost or stolen device can never be cut off.")
    }

    private func askBack(_ words: [String]) throws(Failure) {
        let places = words.indices.shuffled().prefix(WordSheet.askedBack).sorted()
        for place in places {
            while true {
                guard let answer = Question.line("word \(place + 1): ", on: console) else {
                    throw Failure(.usage, "the words were not confirmed; no identity was made", hint: "scurry init")
                }
                if answer.lowercased().filter({ !$0.isWhitespace }) == words[place] { break }
                console.tell("that is not word \(place + 1): look again")
            }
        }
    }

    /// Writes a new file of mode 0600, and syncs it before the words mean anything.
    private func write(_ words: [String], to path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw problem(path, errno) }
        let outcome = Descriptor(number: descriptor).write(Array((words.joined(separator: " ") + "\n").utf8))
        let isSynced = fsync(descriptor) == 0
        let code = errno
        var facts = stat()
        let isClosed = fstat(descriptor, &facts) == 0 && facts.st_mode & 0o077 == 0
        close(descriptor)
        switch outcome {
        // A file system without permissions, as on many USB sticks.
        case .written where isSynced && !isClosed:
            unlink(path)
            throw Failure(
                .failure,
                "other users could read \(SafeText(line: path)): there files are open to all",
                hint: "scurry init --words-to a file elsewhere"
            )
        case .written where isSynced: return synchronizeFolder(of: path)
        // Part of the words would lie there, and be in the way of the next attempt.
        case .failed(let code):
            unlink(path)
            throw problem(path, code)
        case .written, .readerGone:
            unlink(path)
            throw problem(path, code)
        }
    }

    /// Syncs the directory entry, if the file system can.
    private func synchronizeFolder(of path: String) {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func problem(_ path: String, _ code: Int32) -> Failure {
        let shown = SafeText(line: path)
        if code == EEXIST {
            return Failure(.failure, "\(shown) is there already", hint: "scurry init --words-to another file")
        }
        return Failure(
            .failure,
            "cannot write \(shown): \(Descriptor.reason(code))",
            hint: "scurry init --words-to FILE"
        )
    }
}
