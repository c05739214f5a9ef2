/// A QR code as lines of text: two rows of modules in a line of half blocks, or two characters for a module in ASCII.
struct QRDrawing {
    /// Width of the quiet zone in modules (§5.3.8: four).
    private static let quiet = 4

    private let code: QRCode

    init(_ code: QRCode) {
        self.code = code
    }

    /// Draws light modules and leaves dark ones blank: right on a terminal's usual dark background, and readers accept
    /// the inverse too.
    func lines(_ letters: Look.Letters) -> [StyledLine] {
        let range = -Self.quiet..<code.side + Self.quiet
        switch letters {
        case .unicode:
            return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
                let text = range.map { x in
                    switch (code[x, y], code[x, y + 1] || y + 1 >= range.upperBound) {
                    case (false, false): "█"
                    case (false, true): "▀"
                    case (true, false): "▄"
                    case (true, true): " "
                    }
                }
                return StyledLine(SafeText(line: text.joined()))
            }
        case .ascii:
            return range.map { y in
                StyledLine(SafeText(line: range.map { x in code[x, y] ? "  " : "##" }.joined()))
            }
        }
    }

    /// Columns that the lines take.
    func columns(_ letters: Look.Letters) -> Int {
        (code.side + 2 * Self.quiet) * (letters == .unicode ? 1 : 2)
    }
}
