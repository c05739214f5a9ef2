/// The result of one check: a line for a person, an object for a script.
struct Finding: Sendable {
    enum State: String, Sendable {
        case ok
        /// Worth knowing, but the node works.
        case warning = "warn"
        case problem
    }

    /// The name of the check, one word.
    let check: SafeText
    /// The peer that was checked; nil for a check without subjects.
    let subject: SafeText?
    let state: State
    let text: SafeText
    /// What to do; nil if all is well.
    let help: SafeText?

    init(_ check: SafeText, _ subject: SafeText?, _ state: State, _ text: SafeText, _ help: SafeText?) {
        self.check = check
        self.subject = subject
        self.state = state
        self.text = text
        self.help = help
    }

    static func ok(_ check: SafeText, _ text: SafeText, of subject: SafeText? = nil) -> Finding {
        Finding(check, subject, .ok, text, nil)
    }

    static func warning(_ check: SafeText, _ text: SafeText, of subject: SafeText? = nil, help: SafeText) -> Finding {
        Finding(check, subject, .warning, text, help)
    }

    static func problem(_ check: SafeText, _ text: SafeText, of subject: SafeText? = nil, help: SafeText) -> Finding {
        Finding(check, subject, .problem, text, help)
    }

    /// A finding with the message of a failed command.
    static func problem(_ check: SafeText, _ failure: Failure) -> Finding {
        let text = failure.candidates.reduce(failure.message) { "\($0); \($1)" }
        return Finding(check, nil, .problem, text, failure.hint)
    }

    var object: JSONObject {
        JSONObject([
            "id": .string(subject.map { "\(check) \($0)" } ?? check.string),
            "check": .string(check.string),
            "peer": .optional(subject?.string),
            "state": .string(state.rawValue),
            "text": .string(text.string),
            "help": .optional(help?.string),
        ])
    }

    func lines(_ look: Look) -> [StyledLine] {
        // Each column has room for its longest word and two spaces.
        let (first, second) = (10, 10)
        var head = StyledLine(" ")
        head.add(SafeText(line: state.rawValue).padded(to: first - 1), style)
        head.add(check.padded(to: second), .dim)
        let said: SafeText = subject.map { "\($0): \(text)" } ?? text
        let indent = first + second
        var lines: [StyledLine] = []
        for (index, part) in Wrap.lines(said, width: look.width - indent).enumerated() {
            var line = index == 0 ? head : StyledLine(.spaces(indent))
            line.add(part)
            lines.append(line)
        }
        // A command is never wrapped, however wide, so that it can be copied.
        if let help, state != .ok { lines.append(StyledLine(.spaces(indent) + help, .bold)) }
        return lines
    }

    private var style: StyledLine.Style {
        switch state {
        case .ok: .plain
        case .warning: .bold
        case .problem: .alarm
        }
    }
}
