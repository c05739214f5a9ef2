/// Lines of a text file that people edit.
enum TextLines {
    /// Splits at line ends, `\n` or `\r\n` (one character to Swift); after the last one there is an empty line.
    ///
    /// Further carriage returns before a line end are dropped: written back, they would be read as part of it.
    static func split(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { line in
            let end = line.lastIndex { $0 != "\r" }.map { line.index(after: $0) } ?? line.startIndex
            return String(line[..<end])
        }
    }
}
