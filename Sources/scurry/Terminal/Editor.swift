/// Asks for a text in the person's own editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct Editor: Equatable, Sendable {
    /// The command as shell text, as the variables hold it.
    let command: String
    private let environment: Environment

    init(environment: Environment) {
        command = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
        self.environment = environment
    }

    enum Writing: Equatable, Sendable {
        /// A text; its draft is kept until the caller has posted it.
        case text(String)
        /// No text: nothing is posted, and no draft is left.
        case nothing
    }

    /// Opens the editor on the draft, with the question below a scissors line; `again` is the command for this draft.
    ///
    /// - Throws: `Failure`, the draft kept, if the editor does not start or ends with an error.
    func write(_ draft: Draft, answering question: SafeText?, again: SafeText) throws(Failure) -> Writing {
        try draft.prepare(question: question)
        let ending = ChildProcess.ignoringInterrupts {
            ChildProcess(
                script: "\(command) \"$1\"",
                arguments: [draft.path],
                environment: environment,
                standardInput: nil
            )?.wait()
        }
        switch ending {
        case .exited(0): break
        case .exited(126), .exited(127), nil:
            throw Failure(
                .failure,
                "cannot start the editor \(SafeText(line: command)); the draft is kept in \(SafeText(line: draft.path))",
                hint: "EDITOR=nano \(again)"
            )
        case .exited, .signalled:
            throw Failure(
                .failure,
                "the editor ended with an error; the draft is kept in \(SafeText(line: draft.path))",
                hint: "\(again) opens it again"
            )
        }
        guard let text = try draft.text(), !text.isEmpty else {
            draft.discard()
            return .nothing
        }
        return .text(text)
    }
}
