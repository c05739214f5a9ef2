/// Replaces, visibly, everything in a foreign text that a terminal would obey or hide.
///
/// Both functions are idempotent. Control characters become control pictures (`␛`), scalars that hide or reorder text
/// become their code (`<U+202E>`), a stack of combining marks is cut with its count, and a mark without a base gets a
/// `◌`.
enum Sanitizer {
    /// One line: each line break or tab becomes a space.
    static func line(_ text: String) -> String {
        cleaned(text, lineBreak: " ", tab: " ")
    }

    /// Many lines: keeps `\n`, reads CRLF as `\n`, and widens a tab to four spaces.
    static func body(_ text: String) -> String {
        cleaned(text, lineBreak: "\n", tab: "    ")
    }

    /// True for a scalar that must not reach a terminal raw, whatever precedes or follows it.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x7F else { return scalar.value < 0x20 }
        return switch scalar.value {
        case 0x7F...0x9F, 0x2028, 0x2029, 0xFFF9...0xFFFB, 0x13430...0x1345F, 0xE0000...0xE007F: true
        default: scalar.properties.isNoncharacterCodePoint || (isHidden(scalar) && !JoinerRules.mayAppear(scalar))
        }
    }

    /// True for a scalar that draws nothing itself: format characters, joiners, variation selectors, fillers.
    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0xAD { return false }
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        return scalar.properties.generalCategory == .format && !isVisibleFormat(scalar.value)
    }

    /// The Arabic, Syriac and Kaithi signs of category Cf that are drawn.
    private static func isVisibleFormat(_ value: UInt32) -> Bool {
        switch value {
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
        default: false
        }
    }

    private static func cleaned(_ text: String, lineBreak: String, tab: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        let scalars = Array(text.unicodeScalars)
        var output = Output()
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            switch scalar.value {
            case 0x0A: output.put(lineBreak, startsLine: lineBreak == "\n")
            case 0x0D where next == "\n": break
            case 0x09: output.put(tab, startsLine: false)
            default: output.take(scalar, before: next)
            }
        }
        return output.finished()
    }

    /// The text written so far, and the base that the next scalar may combine with.
    private struct Output {
        /// Combining marks kept on one letter, more than any living script stacks; guess.
        static let marksAtMost = 8

        var text = ""
        var rules = JoinerRules()
        var marks = 0
        var hasBase = false

        init() {}

        mutating func put(_ replacement: String, startsLine: Bool) {
            closeMarks()
            text += replacement
            rules.reset()
            hasBase = !startsLine
        }

        mutating func take(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
            if isForbidden(scalar) || (isHidden(scalar) && !rules.allows(scalar, before: next)) {
                put(picture(of: scalar), startsLine: false)
                return
            }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark:
                if !isHidden(scalar) { marks += 1 }
                if marks > Output.marksAtMost { return }
                if !hasBase { text.unicodeScalars.append("\u{25CC}") }
            case .spacingMark:
                closeMarks()
                if !hasBase { text.unicodeScalars.append("\u{25CC}") }
            default:
                if !isHidden(scalar) { closeMarks() }
            }
            text.unicodeScalars.append(scalar)
            rules.passed(scalar)
            hasBase = true
        }

        mutating func finished() -> String {
            closeMarks()
            return text
        }

        private mutating func closeMarks() {
            if marks > Output.marksAtMost { text += "<\(marks - Output.marksAtMost) more marks>" }
            marks = 0
        }

        private func picture(of scalar: Unicode.Scalar) -> String {
            switch scalar.value {
            case 0..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String($0) } ?? "?"
            case 0x7F: return "\u{2421}"
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
            }
        }
    }
}
