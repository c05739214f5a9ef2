/// Numbers in the form that people read.
enum Amount {
    static func of(_ count: Int, _ one: SafeText, _ many: SafeText) -> SafeText {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }

    /// `1 log, 2 histories and 3 texts`
    static func list(_ parts: [SafeText]) -> SafeText {
        guard let last = parts.last, let first = parts.first, parts.count > 1 else { return parts.first ?? "" }
        let rest = parts.dropFirst().dropLast().reduce(first) { "\($0), \($1)" }
        return "\(rest) and \(last)"
    }

    /// `812 B`, `30 kB`, `1.2 MB`: powers of a thousand.
    static func bytes(_ count: UInt64) -> SafeText {
        if count < 1_000 { return "\(count) B" }
        var value = Double(count)
        var unit = "kB"
        for next in ["kB", "MB", "GB", "TB"] {
            value /= 1_000
            unit = next
            if value < 999.5 { break }
        }
        let tenths = (value * 10).rounded() / 10
        return tenths < 10 && tenths != tenths.rounded() ? "\(tenths) \(unit)" : "\(Int(value.rounded())) \(unit)"
    }
}
