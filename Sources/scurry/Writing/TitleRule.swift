import Entries

/// What a title may be: one line, drawn as it is stored. The protocol bounds its bytes (`protocol/payload.md` §3), which is no
/// measure for what people see; a title that another client wrote is shown whatever it holds.
enum TitleRule {
    /// One line of the widest terminal that is drawn for.
    static let columnsAtMost = Wrap.widths.upperBound

    /// A title that says nothing is none.
    static func stored(_ title: String) -> String { title.allSatisfy(\.isWhitespace) ? "" : title }

    /// - Throws: `Failure` 64, before anything is read or an editor is opened.
    static func check(_ title: String, command: SafeText) throws(Failure) {
        let hint: SafeText = "\(command) \"TEXT\" --title \"TITLE\""
        let isPlain = title.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard isPlain else { throw Failure(.usage, "a title is one line, without control characters", hint: hint) }
        let columns = DisplayWidth.columns(of: title)
        guard columns <= columnsAtMost else {
            throw Failure(
                .usage,
                "a title takes at most \(columnsAtMost) columns, this one takes \(columns)",
                hint: hint
            )
        }
    }
}
