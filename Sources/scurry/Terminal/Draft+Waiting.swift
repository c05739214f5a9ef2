import Transport

extension Draft {
    /// A text that was kept, and is in no editor.
    struct Waiting {
        let path: String
        /// The command that goes on with it.
        let command: SafeText
    }

    /// The texts that wait in a directory of drafts, the first one of each command and post; of so many that
    /// `DraftTurn.keptAtMost` is exceeded, some.
    static func waiting(in folder: String) -> [Waiting] {
        // Nothing was ever kept: there is no directory.
        let names = (try? FileSystem.names(in: folder)) ?? []
        let places = Set(names.compactMap { Place($0) }).sorted { $0.name < $1.name }
        return places.prefix(DraftTurn.keptAtMost).compactMap { place in
            guard let draft = DraftTurn.waiting(of: Draft(path: "\(folder)/\(place.name)")) else { return nil }
            return Waiting(path: draft.path, command: place.command(draft.path))
        }
    }

    /// What a draft is for, as its file's name says: `post`, `reply-ID`, or with a number behind, `reply-ID-2`.
    private struct Place: Hashable {
        private let verb: String
        /// The beginning of the post's id; nil: the text was kept before its post was found, or is a new one.
        private let post: String?

        /// Letters of an id in a name.
        private static let idLetters = 16

        /// Nil for the name of any other file, such as a lock.
        init?(_ name: String) {
            var parts = name.split(separator: "-", omittingEmptySubsequences: false)
            if parts.count > 1, let last = parts.last, last.utf8.count < Self.idLetters, Int(last) != nil {
                parts.removeLast()
            }
            guard let verb = parts.first, ["post", "reply", "edit"].contains(verb), parts.count <= 2 else { return nil }
            let post = parts.count == 2 ? parts.last : nil
            if let post {
                guard verb != "post", post.utf8.count == Self.idLetters, post.utf8.allSatisfy(Self.isLetter) else {
                    return nil
                }
            }
            self.verb = String(verb)
            self.post = post.map(String.init)
        }

        /// The name of the first draft for this.
        var name: String { post.map { "\(verb)-\($0)" } ?? verb }

        /// The command that opens the draft, or takes it from its file where the name does not tell the post.
        func command(_ path: String) -> SafeText {
            if let post { return "scurry \(verb) \(post)" }
            return verb == "post" ? "scurry post" : "scurry \(verb) ID - < \(ShellWord.quoted(path))"
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
        }
    }
}
