/// Labels and values below each other; a value that is too wide goes on in its own column.
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
        /// An address to be copied: a part of it is another address that is right as well. The terminal may break it.
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
