/// The drawing style of one stream: decided once, from facts and environment, by a pure function.
struct Look: Equatable, Sendable {
    enum Colour: Sendable { case on, off }

    /// The value of `--color`.
    enum ColourChoice: String, CaseIterable, Sendable { case auto, always, never }

    /// Facts about a stream.
    struct Stream: Equatable, Sendable {
        /// `isatty(3)`.
        var isTerminal: Bool
        /// From `ioctl(TIOCGWINSZ)`; nil if it does not say.
        var columns: Int?
    }

    /// 40…200 columns.
    var width: Int
    var colour: Colour
    var glyphs: Glyphs
    /// The letters that the terminal can show of people's texts; a pipe always gets UTF-8.
    var letters = Letters.unicode

    enum Letters: Sendable { case unicode, ascii }

    /// Columns if neither the terminal nor `COLUMNS` says.
    static let usualWidth = 80

    init(width: Int, colour: Colour, glyphs: Glyphs, letters: Letters = .unicode) {
        self.width = min(max(width, Wrap.widths.lowerBound), Wrap.widths.upperBound)
        self.colour = colour
        self.glyphs = glyphs
        self.letters = letters
    }

    /// Whether a tree must be drawn closer, and counts cannot be aligned; guess.
    var isNarrow: Bool { width < 60 }

    /// The look for a stream.
    init(of stream: Stream, environment: Environment, colour choice: ColourChoice) {
        let isDumb = environment["TERM"] == "dumb"
        let speaksUTF8 = Look.speaksUTF8(environment)
        let colour: Colour =
            switch choice {
            case .always: .on
            case .never: .off
            case .auto:
                stream.isTerminal && !isDumb && environment["TERM"] != nil && environment["NO_COLOR"] == nil
                    ? .on : .off
            }
        let columns = stream.isTerminal ? stream.columns : nil
        self.init(
            width: columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? Look.usualWidth,
            colour: colour,
            glyphs: speaksUTF8 && !isDumb ? .unicode : .ascii,
            letters: speaksUTF8 || !stream.isTerminal ? .unicode : .ascii
        )
    }

    /// `LC_ALL` before `LC_CTYPE` before `LANG`, as `setlocale(3)` reads them.
    private static func speaksUTF8(_ environment: Environment) -> Bool {
        let name = (environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "").lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }
}

/// The signs drawn around texts, one column each except the tree's.
struct Glyphs: Equatable, Sendable {
    var gutter: SafeText
    var separator: SafeText
    var rule: SafeText
    var unread: SafeText
    var down: SafeText
    var replies: SafeText
    var ellipsis: SafeText
    var trunk: SafeText
    var branch: SafeText
    var lastBranch: SafeText
    var twig: SafeText

    static let unicode = Glyphs(
        gutter: "▌",
        separator: "·",
        rule: "─",
        unread: "•",
        down: "−",
        replies: "↳",
        ellipsis: "…",
        trunk: "│",
        branch: "├",
        lastBranch: "└",
        twig: "─"
    )

    static let ascii = Glyphs(
        gutter: "|",
        separator: "-",
        rule: "-",
        unread: "!",
        down: "-",
        replies: ">",
        ellipsis: "...",
        trunk: "|",
        branch: "|",
        lastBranch: "`",
        twig: "-"
    )
}
