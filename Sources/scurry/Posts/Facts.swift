/// Rows of labels and values; a value that is too wide continues in its own column.
struct Facts {
    struct Fact {
        let label: SafeText
        let value: SafeText
        let form: Form

        init(_ label: SafeText, _ value: SafeText, _ form: Form = .text) {
            self.label = label
            self.value = value
            self.form = form
        }
    }

    enum Form {
        case text
        /// An id or an address to be copied, never wrapped by us: a part of it could be another valid one. The terminal
        /// may break it.
        case whole
    }

    private let facts: [Fact]

    init(_ facts: [Fact]) {
        self.facts = facts
    }

    func lines(_ look: Look) -> [StyledLine] {
        let columns = (facts.map(\.label.columns).max() ?? 0) + 3
        return facts.flatMap { fact -> [StyledLine] in
            let texts = fact.form == .whole ? [fact.value] : Wrap.lines(fact.value, width: look.width - columns)
            return texts.enumerated().map { index, text in
                var line = StyledLine((index == 0 ? " " + fact.label : "").padded(to: columns), .dim)
                line.add(text)
                return line
            }
        }
    }
}
