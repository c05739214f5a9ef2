/// The exit code of a command.
enum ExitCode: Int32, CaseIterable, Sendable {
    case ok = 0
    case failure = 1
    case notFoundOrAmbiguous = 3
    case locked = 4
    /// A running node or a peer is needed.
    case needsPeer = 5
    case partly = 6
    /// A rule of the channel or the network forbids it.
    case refused = 7
    case usage = 64
    /// A busy port, another node on this home, a timeout.
    case tryAgain = 75
}

/// Why a command failed, and the exact command that helps.
struct Failure: Error, Equatable, Sendable {
    let code: ExitCode
    /// One line, no capital, no full stop.
    let message: SafeText
    /// One line with a command in it; nil only if nothing helps.
    let hint: SafeText?
    /// What the argument could mean, one a line: the candidates of an ambiguous prefix.
    let candidates: [SafeText]

    init(_ code: ExitCode, _ message: SafeText, hint: SafeText? = nil, candidates: [SafeText] = []) {
        self.code = code
        self.message = message
        self.hint = hint
        self.candidates = candidates
    }

    /// `scurry: error: …`, the candidates, `hint: …`: for standard error.
    func lines() -> [StyledLine] {
        var first = StyledLine("scurry: ")
        first.add("error: ", .alarm)
        first.add(message)
        var lines = [first] + candidates.map { StyledLine("  \($0)") }
        if let hint {
            var line = StyledLine("hint: ", .bold)
            line.add(hint)
            lines.append(line)
        }
        return lines
    }
}

/// The reader of standard output has gone: the command ends quietly, with exit code 0.
struct ReaderGone: Error, Equatable, Sendable {}
