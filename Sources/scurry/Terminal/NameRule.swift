/// The rules of names: 1…32 columns on one line, drawn as stored, and without the separators of a heading.
enum NameRule {
    static let columnsAtMost = 32

    /// Separators of a heading: a name with one of these could pass for another person's name and tag.
    private static let reserved: Set<Unicode.Scalar> = ["~", "·", "#", "@", "▌", "|", "•", "│", "─"]

    /// Why a name is refused.
    enum Fault: Equatable {
        case empty
        case tooWide(columns: Int)
        /// Controls, joiners out of place, bidirectional marks: the sanitised name would differ.
        case hidden
        /// A sign that a heading uses, or `(you)`.
        case reserved
        /// A space at either end, or two in a row.
        case spacing

        /// The end of the sentence "a name …".
        var explanation: SafeText {
            switch self {
            case .empty: "a name needs at least one letter"
            case .tooWide(let columns):
                "a name takes at most \(NameRule.columnsAtMost) columns, this one takes \(columns)"
            case .hidden: "a name cannot hold control characters or anything that hides"
            case .reserved: "a name cannot hold ~ · # @ | • or (you)"
            case .spacing: "a name has single spaces, and none at its ends"
            }
        }
    }

    /// Why the name is refused; nil if it is allowed.
    static func fault(in name: String) -> Fault? {
        if LookAlike.fold(name).isEmpty { return .empty }
        if Sanitizer.line(name) != name { return .hidden }
        if name.unicodeScalars.contains(where: reserved.contains) || saysYou(name) { return .reserved }
        if name.split(separator: " ").joined(separator: " ") != name { return .spacing }
        if name.unicodeScalars.contains(where: { $0.properties.isWhitespace && $0 != " " }) { return .spacing }
        let columns = DisplayWidth.columns(of: name)
        return columns > columnsAtMost ? .tooWide(columns: columns) : nil
    }

    /// The name with `_` in place of what is reserved.
    static func withoutReserved(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isReserved = reserved.contains(scalar) || (scalar.properties.isWhitespace && scalar != " ")
            result.unicodeScalars.append(isReserved ? "_" : scalar)
        }
        if !saysYou(result) { return result }
        return String(result.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    private static func saysYou(_ name: String) -> Bool {
        LookAlike.fold(name).contains("(you)")
    }
}
