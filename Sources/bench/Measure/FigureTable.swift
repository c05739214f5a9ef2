/// Several measurements of the same figures, one below the other.
struct FigureTable {
    private let rows: [Figures]

    init(_ rows: [Figures]) {
        self.rows = rows
    }

    /// One object with the rows as an array.
    var json: String {
        "{\"points\":[" + rows.map { $0.text(.json) }.joined(separator: ",") + "]}"
    }

    /// A table with a head, for a page.
    var markdown: String {
        let names = rows.first?.names ?? []
        let head = names.map { $0.replacing("_", with: " ") }
        let lines = rows.map { row in names.map { row.number(of: $0) } }
        return ([head, names.map { _ in "---:" }] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// The same with a row for each figure, where there are many and few measurements.
    var columns: String {
        let names = rows.first?.names ?? []
        let lines = names.map { name in [name.replacing("_", with: " ")] + rows.map { $0.number(of: name) } }
        return ([["", ""], ["---", "---:"]] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// Columns separated by tabs, names first, for a program that draws.
    var tabs: String {
        let names = rows.first?.names ?? []
        let lines = rows.map { row in names.map { row.number(of: $0) } }
        return ([names] + lines).map { $0.joined(separator: "\t") }.joined(separator: "\n") + "\n"
    }
}
