/// Labels and values below each other; a value that is too wide goes on in its own column.
struct Facts {
    struct Fact {
        let label: SafeText
        let value: SafeText

        init(_ label: SafeText, _ value: SafeText) {
            self.label = label
            self.value = value
        }
    }

    private let facts: [Fact]

    init(_ facts: [Fact]) {
        self.facts = facts
    }

    func lines(_ look: Look) -> [StyledLine] {
        let columns = (facts.map(\.label.columns).max() ?? 0) + 3
        return facts.flatMap { fact -> [StyledLine] in
            Wrap.lines(fact.value, width: look.width - columns).enumerated().map { index, text in
                var line = StyledLine((index == 0 ? " " + fact.label : "").padded(to: columns), .dim)
                line.add(text)
                return line
            }
        }
    }
}
