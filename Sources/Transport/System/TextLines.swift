/// Lines of a text file that people edit.
enum TextLines {
    /// What stands between line ends; behind the last one an empty line. A line may end as on Windows, which is one
    /// character to Swift.
    ///
    /// A carriage return before the end goes too: written back with a line end behind it, it would be read as one.
    static func split(_ text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map { line in
            let end = line.lastIndex { $0 != "\r" }.map { line.index(after: $0) } ?? line.startIndex
            return String(line[..<end])
        }
    }
}
