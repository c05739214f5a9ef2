extension Composer {
    /// What is written, and the draft that holds it.
    struct Text {
        let text: String
        let origin: Origin
        /// There if the editor wrote the text; to be discarded once it is posted.
        let draft: Draft?
        /// Where the text is kept if it cannot be posted now.
        let spare: Draft
        /// Where drafts lie; made when the first one is needed.
        let folder: String
        /// Nobody else's editor opens the draft meanwhile.
        var turn: DraftTurn?

        enum Origin: Sendable { case argument, standardInput, editor }

        /// Says nothing.
        var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

        /// Keeps the text, and says where; where it cannot be kept, it is given back on standard error.
        func kept(as noun: SafeText, on console: Console) -> SafeText {
            if let place = keep() { return "the \(noun) is kept in \(place)" }
            console.say(SafeText(body: text).lines.map { StyledLine($0) })
            return "the \(noun) could not be kept: it stands above"
        }

        /// The failure, with the place where the text is kept; an empty one is not.
        func failure(_ failure: Failure, on console: Console) -> Failure {
            guard !isBlank else { return failure }
            return Failure(
                failure.code,
                "\(failure.message); \(kept(as: "text", on: console))",
                hint: failure.hint,
                candidates: failure.candidates
            )
        }

        /// The same before anything was tried; an argument is typed again, and need not be kept.
        func refusal(_ failure: Failure, on console: Console) -> Failure {
            switch origin {
            case .argument: failure
            case .standardInput, .editor: self.failure(failure, on: console)
            }
        }

        private func keep() -> SafeText? {
            guard draft == nil else { return SafeText(line: spare.path) }
            guard Composer.make(folder) == nil else { return nil }
            do {
                let turn = try free()
                defer { withExtendedLifetime(turn) {} }
                try turn.draft.put(text)
                return SafeText(line: turn.draft.path)
            } catch {
                return nil
            }
        }

        /// The draft itself, or the first beside it that holds nothing else and is in no editor: what was kept before stays.
        private func free() throws(Failure) -> DraftTurn {
            var turn = DraftTurn.first(of: spare)
            for _ in 0..<10_000 {
                guard let kept = try turn.draft.text(), !kept.isEmpty, kept != text else { break }
                turn = DraftTurn.first(of: spare, after: turn.number)
            }
            return turn
        }
    }
}
