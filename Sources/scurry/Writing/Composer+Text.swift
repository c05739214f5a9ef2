extension Composer {
    /// The text to be posted, and its draft.
    struct Text {
        let text: String
        let origin: Origin
        /// The draft of a text from the editor, discarded once it is posted; nil for other texts.
        let draft: Draft?
        /// The draft that keeps the text if it cannot be posted now.
        let spare: Draft
        /// The directory of drafts, made when the first one is needed.
        let folder: String
        /// The lock on the draft, which keeps other editors from it.
        var turn: DraftTurn?

        enum Origin: Sendable { case argument, standardInput, editor }

        /// Whether the text is only white space.
        var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

        /// Saves the text as a draft and says where; if that fails, prints the text on standard error.
        func kept(as noun: SafeText, on console: Console) -> SafeText {
            if let place = keep() { return "the \(noun) is kept in \(place)" }
            console.say(SafeText(body: text).lines.map { StyledLine($0) })
            return "the \(noun) could not be kept: it stands above"
        }

        /// The failure, with the path of the draft; a blank text is not saved.
        func failure(_ failure: Failure, on console: Console) -> Failure {
            guard !isBlank else { return failure }
            return Failure(
                failure.code,
                "\(failure.message); \(kept(as: "text", on: console))",
                hint: failure.hint,
                candidates: failure.candidates
            )
        }

        /// The failure of a text that was not tried yet; an argument can be typed again and is not saved.
        func refusal(_ failure: Failure, on console: Console) -> Failure {
            switch origin {
            case .argument: failure
            case .standardInput, .editor: self.failure(failure, on: console)
            }
        }

        /// Removes the drafts of the text, once it was posted: the next editor would offer it again.
        func discard() {
            if let draft { draft.discard() } else { DraftTurn.discard(spare, holding: text) }
            if let early { DraftTurn.discard(early, holding: text) }
        }

        /// The draft of a command that failed before it had found its post, `reply` for `reply-ID`; nil: the text has
        /// no other one.
        private var early: Draft? {
            let name = spare.path.dropFirst(folder.count + 1)
            return name.firstIndex(of: "-").map { Draft(path: "\(folder)/\(name[..<$0])") }
        }

        private func keep() -> SafeText? {
            guard draft == nil else { return SafeText(line: spare.path) }
            guard Composer.make(folder) == nil else { return nil }
            do {
                // Kept texts stay, and what is in an editor.
                guard let turn = DraftTurn.free(of: spare, for: text) else { return nil }
                defer { withExtendedLifetime(turn) {} }
                try turn.draft.put(text)
                return SafeText(line: turn.draft.path)
            } catch {
                return nil
            }
        }
    }
}
