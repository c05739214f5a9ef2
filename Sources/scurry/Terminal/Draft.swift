#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Transport

/// A text being written, in a file of mode 0600 that outlives a crash of the editor, the program, or the machine.
///
/// The post that is answered is below a scissors line; from that line on nothing is posted.
struct Draft: Equatable, Sendable {
    /// Size of the largest file that is read: a longer text is no post. The file is kept.
    static let fileBytesAtMost = 1_048_576

    /// The scissors line: it and everything below is cut off.
    static let scissors = "------------------------ >8 ------------------------"

    let path: String

    init(path: String) {
        self.path = path
    }

    /// Creates the file, or keeps an earlier text in it, and puts the question below.
    ///
    /// A text that is not UTF-8 stays byte for byte, with the question that it has: the editor can mend it.
    func prepare(question: SafeText?) throws(Failure) {
        guard !isIllegible else { return }
        let earlier = try text() ?? ""
        var content = earlier + "\n"
        if let question {
            content += "\n" + Draft.scissors + "\n"
            content += "Write above that line; it and everything below is cut off.\nYou answer:\n\n"
            content += question.string + "\n"
        }
        try replace(with: Array(content.utf8))
    }

    /// The text without the question and surrounding space; nil if there is no file.
    func text() throws(Failure) -> String? {
        guard let bytes = try contents() else { return nil }
        guard let whole = String(validating: bytes, as: UTF8.self) else {
            throw Failure(
                .failure,
                "the draft is not UTF-8, and is kept in \(SafeText(line: path))",
                hint: "iconv -c -f UTF-8 -t UTF-8 \(ShellWord.quoted(path)) shows it without the bytes that are not"
            )
        }
        // What an editor ends its lines with is one character to Swift, whether it is one byte or two.
        var lines = whole.split(omittingEmptySubsequences: false) { ["\n", "\r\n"].contains($0) }
        if let cut = lines.firstIndex(where: { $0.hasPrefix(Draft.scissors) }) { lines = Array(lines[..<cut]) }
        let isBlank = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
        guard let first = lines.firstIndex(where: { !isBlank($0) }), let last = lines.lastIndex(where: { !isBlank($0) })
        else { return "" }
        var text = String(whole[lines[first].startIndex..<lines[last].endIndex])
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// Whether the file holds this text, as it is or but for the question and surrounding space.
    func holds(_ text: String) -> Bool {
        guard let bytes = try? contents() else { return false }
        if bytes.elementsEqual(text.utf8) { return true }
        guard let kept = try? self.text() else { return false }
        return kept.utf8.elementsEqual(text.utf8)
    }

    /// Whether the file holds bytes that are not UTF-8.
    var isIllegible: Bool {
        guard let bytes = try? contents() else { return false }
        return String(validating: bytes, as: UTF8.self) == nil
    }

    /// Numbers of the drafts of this name that have a file, `NAME` as 1 and `NAME-2` as 2; ascending.
    var keptNumbers: [Int] {
        let cut = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[cut...]
        let folder = cut == path.startIndex ? "." : String(path[..<cut])
        var numbers: [Int] = []
        for other in (try? FileSystem.names(in: folder)) ?? [] {
            if other == name { numbers.append(1) }
            guard other.hasPrefix(name + "-") else { continue }
            if let number = Int(other.dropFirst(name.count + 1)), number > 1 { numbers.append(number) }
        }
        return numbers.sorted()
    }

    /// Removes the file, once its text was posted.
    func discard() {
        unlink(path)
    }

    private func contents() throws(Failure) -> [UInt8]? {
        // O_NONBLOCK: does not wait for a writer if the file is a pipe.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        if file < 0 {
            if errno == ENOENT { return nil }
            throw problem("read", errno)
        }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .failure,
                "the draft \(SafeText(line: path)) is not a file",
                hint: "ls -ld \(ShellWord.quoted(path)) shows what is there instead"
            )
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= Draft.fileBytesAtMost {
            let count = read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw problem("read", errno)
            }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
        throw Failure(.usage, "the draft is longer than a post can be", hint: "shorten \(SafeText(line: path))")
    }

    /// Replaces the file: after a crash it holds the old text or the new one.
    func replace(with bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try FileSystem.replace(path, with: bytes)
        } catch {
            throw problem("write", error.code)
        }
    }

    private func problem(_ verb: SafeText, _ code: Int32) -> Failure {
        Failure(
            .failure,
            "cannot \(verb) the draft \(SafeText(line: path)): \(Descriptor.reason(code))",
            hint: "give the text instead: scurry post \"…\""
        )
    }
}
