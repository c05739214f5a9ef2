/// Wraps a safe text into lines of a width in columns.
///
/// It breaks at spaces and beside wide characters, and cuts a word longer than a line; space at the start of a line (a
/// poem, a program) is kept, at its end not.
enum Wrap {
    /// The widths that the renderers are made for, in columns.
    static let widths = 40...200

    /// Lines of at most `width` columns with the prefix, at least one; two columns are always left for the text.
    static func lines(_ text: SafeText, width: Int, prefix: SafeText = "") -> [SafeText] {
        let room = max(2, width - prefix.columns)
        return text.lines.flatMap { broken($0, room: room) }.map { $0.isEmpty ? prefix.trimmedEnd : prefix + $0 }
    }

    private static func broken(_ line: SafeText, room: Int) -> [SafeText] {
        if line.columns <= room { return [line.trimmedEnd] }
        let text = line.string
        var lines: [SafeText] = []
        var start = text.startIndex
        var used = 0
        /// The last place where the line may end, and where the next one would start.
        var place: (end: String.Index, next: String.Index)?
        var sawInk = false
        var isInSpaces = false
        var index = start
        while index < text.endIndex {
            let (after, columns) = line.unit(at: index)
            if text[index..<after] == " " {
                if sawInk { place = (isInSpaces ? place?.end ?? index : index, after) }
                isInSpaces = true
                used += 1
                index = after
                continue
            }
            if columns == 2, sawInk, !isInSpaces { place = (index, index) }
            if used + columns > room, index > start {
                let cut = place ?? (index, index)
                lines.append(line[start..<cut.end].trimmedEnd)
                start = cut.next
                used = line[start..<index].columns
                place = nil
            }
            used += columns
            sawInk = true
            isInSpaces = false
            index = after
            if columns == 2 { place = (after, after) }
        }
        lines.append(line[start..<text.endIndex].trimmedEnd)
        return lines
    }
}
