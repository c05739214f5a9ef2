/// Several measurements with the same figures.
struct FigureTable {
    private let rows: [Figures]

    init(_ rows: [Figures]) {
        self.rows = rows
    }

    /// One object with the rows as an array.
    var json: String {
        "{\"points\":[" + rows.map { $0.text(.json) }.joined(separator: ",") + "]}"
    }

    /// A table for a page: a column for each measurement, a row for each figure, the first as the head.
    var markdown: String {
        let names = rows.first?.names ?? []
        let lines = names.map { name in [name.replacing("_", with: " ")] + rows.map { $0.number(of: name) } }
        let rule = ["---"] + rows.map { _ in "---:" }
        return (lines.prefix(1) + [rule] + lines.dropFirst()).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// Columns separated by tabs, names first, for a program that draws.
    var tabs: String {
        let names = rows.first?.names ?? []
        let lines = rows.map { row in names.map { row.number(of: $0) } }
        return ([names] + lines).map { $0.joined(separator: "\t") }.joined(separator: "\n") + "\n"
    }
}
