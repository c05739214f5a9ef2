import Entries

/// The rules of titles: one line, drawn as stored. The protocol bounds their bytes (`protocol/payload.md` §3), which
/// says nothing of their width; a title from another client is shown whatever it holds.
enum TitleRule {
    /// Columns at most: one line of the widest terminal that is drawn for.
    static let columnsAtMost = Wrap.widths.upperBound

    /// The title to store; a blank one is none.
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
        // Marks that stand on a letter take bytes and no columns.
        let bytes = title.utf8.count
        guard bytes <= PayloadLimits.titleBytes else {
            throw Failure(
                .usage,
                "a title takes at most \(PayloadLimits.titleBytes) bytes, this one takes \(bytes)",
                hint: hint
            )
        }
    }
}
