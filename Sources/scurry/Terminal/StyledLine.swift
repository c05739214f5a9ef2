/// One line for a terminal: pieces of safe text, each with a style.
///
/// It is the only way from text to a terminal: escape sequences are written here and nowhere else.
struct StyledLine: Equatable, Sendable {
    enum Style: Equatable, Sendable {
        case plain, bold, dim
        /// For the word `error:`.
        case alarm
        /// One of the 256 colours of xterm.
        case hue(UInt8)
    }

    struct Span: Equatable, Sendable {
        var text: SafeText
        var style: Style
    }

    private(set) var spans: [Span] = []
    private(set) var columns = 0

    init() {}

    init(_ text: SafeText, _ style: Style = .plain) {
        add(text, style)
    }

    mutating func add(_ text: SafeText, _ style: Style = .plain) {
        if text.isEmpty { return }
        // A style does not show on spaces.
        spans.append(Span(text: text, style: text.string.utf8.allSatisfy { $0 == 0x20 } ? .plain : style))
        columns += text.columns
    }

    mutating func add(_ other: StyledLine) {
        spans += other.spans
        columns += other.columns
    }

    /// Adds a line that ends at a column; false, and nothing added, if fewer than two columns are between.
    mutating func addAtRight(_ other: StyledLine, endingAt end: Int) -> Bool {
        let gap = end - columns - other.columns
        guard gap >= 2 || other.columns == 0 else { return false }
        if other.columns == 0 { return true }
        add(.spaces(gap))
        add(other)
        return true
    }

    /// The text without styles.
    var plain: SafeText { spans.reduce("") { $0 + $1.text } }

    /// The line without spaces at the end.
    var trimmedEnd: StyledLine {
        var line = self
        while let last = line.spans.popLast() {
            let text = last.text.trimmedEnd
            line.columns -= last.text.columns
            if !text.isEmpty {
                line.add(text, last.style)
                break
            }
        }
        return line
    }

    /// The bytes for a stream, without a line break.
    func text(_ look: Look) -> String {
        spans.reduce(into: "") { result, span in
            let text = look.letters == .unicode ? span.text.string : StyledLine.asciiLetters(span.text.string)
            let opening = look.colour == .on ? StyledLine.opening(span.style) : ""
            result += opening.isEmpty ? text : opening + text + "\u{1B}[0m"
        }
    }

    /// Select Graphic Rendition, ECMA-48 §8.3.117.
    private static func opening(_ style: Style) -> String {
        switch style {
        case .plain: ""
        case .bold: "\u{1B}[1m"
        case .dim: "\u{1B}[2m"
        case .alarm: "\u{1B}[1;31m"
        case .hue(let colour): "\u{1B}[38;5;\(colour)m"
        }
    }

    /// The text with a question mark for each column that ASCII cannot draw.
    private static func asciiLetters(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if character.isASCII {
                result.append(character)
            } else {
                result += String(repeating: "?", count: DisplayWidth.columns(of: character))
            }
        }
    }
}

/// The colour of a channel: the same on every node, legible on light and dark backgrounds.
enum ChannelHue {
    /// Colours of medium lightness, easily told apart.
    private static let colours: [UInt8] = [33, 37, 71, 136, 166, 161, 98, 168, 64, 67, 130, 133]

    static func style(of channel: SafeText?) -> StyledLine.Style {
        guard let channel else { return .dim }
        let hash = channel.string.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return .hue(colours[Int((hash >> 32) % UInt64(colours.count))])
    }
}
