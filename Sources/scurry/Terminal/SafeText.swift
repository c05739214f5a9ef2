/// A text that may be written to a terminal as it is.
///
/// Every initialiser sanitises, literals and interpolations too, and the renderers take nothing else: the compiler
/// keeps a peer's text from reaching a terminal raw. It holds `\n` only if it was made as a body.
struct SafeText: Hashable, Sendable {
    /// The text without anything that a terminal obeys or hides.
    let string: String

    /// One line: breaks and tabs become spaces.
    init(line text: String) {
        string = Sanitizer.line(text)
    }

    /// Several lines, separated by `\n`.
    init(body text: String) {
        string = Sanitizer.body(text)
    }

    /// The name of a person, also one that breaks the name rules, in a form that cannot pass for the text around it.
    ///
    /// Separators of a heading are replaced by `_`; it is cut at 32 columns, and `nameless` if nothing is left.
    init(name text: String) {
        let kept = Sanitizer.line(NameRule.withoutReserved(text)).split(separator: " ").joined(separator: " ")
        let name = SafeText(unchecked: kept).truncated(to: NameRule.columnsAtMost)
        self = name.columns == 0 ? "nameless" : name
    }

    /// Only for text cut from, or joined of, safe text in this file.
    private init(unchecked text: String) {
        string = text
    }

    /// Columns it takes; meaningful for one line.
    var columns: Int { DisplayWidth.columns(of: string) }

    var isEmpty: Bool { string.isEmpty }

    /// The lines of a body, at least one, without their breaks.
    var lines: [SafeText] {
        string.split(separator: "\n", omittingEmptySubsequences: false).map { SafeText(unchecked: String($0)) }
    }

    /// The part within a range of grapheme clusters.
    subscript(range: Range<String.Index>) -> SafeText {
        SafeText(unchecked: String(string[range]))
    }

    /// Scalars of a grapheme cluster that are looked at together, more than any living script or emoji joins; guess.
    private static let joinedAtMost = 32

    /// The end of the smallest piece that may stand on a line by itself, and its columns.
    ///
    /// A piece is a grapheme cluster, unless that is wider than two columns or longer than `joinedAtMost`: some scripts
    /// join without end, and a line must end.
    func unit(at index: String.Index) -> (end: String.Index, columns: Int) {
        let scalars = string.unicodeScalars
        let next = scalars.index(after: index)
        if Self.standsAlone(scalars[index]), next == string.endIndex || Self.standsAlone(scalars[next]) {
            return (next, DisplayWidth.columns(of: scalars[index]))
        }
        // A copy: of a slice too the end of a cluster is looked for in the whole text, from each scalar of one that
        // fills a post; that took minutes.
        let bound = scalars.index(index, offsetBy: Self.joinedAtMost, limitedBy: string.endIndex) ?? string.endIndex
        let unit = Self.firstUnit(of: String(scalars[index..<bound]))
        return (string.utf8.index(index, offsetBy: unit.bytes), unit.columns)
    }

    /// Whether the scalar and another such one beside it are two clusters.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x300 && scalar != "\r"
    }

    /// The first piece of a text of at least one and at most `joinedAtMost` scalars.
    private static func firstUnit(of text: String) -> (bytes: Int, columns: Int) {
        let clusterEnd = text.index(after: text.startIndex)
        let columns = DisplayWidth.columns(of: text[..<clusterEnd])
        if columns <= 2 { return (text.utf8.distance(from: text.startIndex, to: clusterEnd), columns) }
        let scalars = text.unicodeScalars
        var end = scalars.index(after: text.startIndex)
        var isJoined = false
        while end < clusterEnd {
            let scalar = scalars[end]
            let next = scalars.index(after: end)
            // A joiner keeps its emoji, unless its base is no emoji by itself: then they are drawn side by side.
            let isHeld = isJoined && scalar.properties.isEmoji && DisplayWidth.columns(of: text[..<next]) <= 2
            guard DisplayWidth.columns(of: scalar) == 0 || isHeld else { break }
            isJoined = scalar == "\u{200D}"
            end = next
        }
        return (text.utf8.distance(from: text.startIndex, to: end), DisplayWidth.columns(of: text[..<end]))
    }

    /// Spaces, none if the count is negative.
    static func spaces(_ count: Int) -> SafeText {
        SafeText(unchecked: String(repeating: " ", count: max(0, count)))
    }

    /// This text so many times.
    func repeated(_ count: Int) -> SafeText {
        SafeText(unchecked: String(repeating: string, count: max(0, count)))
    }

    static func + (left: SafeText, right: SafeText) -> SafeText {
        SafeText(unchecked: left.string + right.string)
    }

    /// The text cut to so many columns, with a marker at the end if it was cut.
    func truncated(to limit: Int, marker: SafeText = "…") -> SafeText {
        if columns <= limit { return self }
        let room = limit - marker.columns
        guard room >= 0 else { return "" }
        var end = string.startIndex
        var used = 0
        while end < string.endIndex {
            let unit = unit(at: end)
            used += unit.columns
            if used > room { break }
            end = unit.end
        }
        // A joiner between two letters would now join the marker.
        let scalars = string.unicodeScalars
        while end > string.startIndex, ["\u{200C}", "\u{200D}"].contains(scalars[scalars.index(before: end)]) {
            end = scalars.index(before: end)
        }
        return self[string.startIndex..<end].trimmedEnd + marker
    }

    /// Filled with spaces on the right up to so many columns.
    func padded(to width: Int) -> SafeText {
        self + .spaces(width - columns)
    }

    /// Filled with spaces on the left up to so many columns.
    func padded(toRight width: Int) -> SafeText {
        .spaces(width - columns) + self
    }

    /// Without spaces at the end.
    var trimmedEnd: SafeText {
        var end = string.endIndex
        while end > string.startIndex, string[string.index(before: end)] == " " { end = string.index(before: end) }
        return end == string.endIndex ? self : self[string.startIndex..<end]
    }
}

extension SafeText: ExpressibleByStringInterpolation {
    /// Sanitises the literal and its interpolations as one line.
    init(stringLiteral value: String) {
        self.init(line: value)
    }
}

extension SafeText: CustomStringConvertible {
    var description: String { string }
}
