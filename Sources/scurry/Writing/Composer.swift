#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Transport

/// Makes payloads from texts, and refuses invalid ones before anything is written.
struct Composer {
    let desk: ReadingDesk
    let console: Console

    /// The text from an argument or standard input; nil if the editor is to be opened, after all other checks.
    func given(from source: TextSource, draft name: String) throws -> Text? {
        try Composer.given(from: source, draft: name, in: desk.home.layout.drafts, on: console)
    }

    private static func given(
        from source: TextSource,
        draft name: String,
        in folder: String,
        on console: Console
    ) throws -> Text? {
        let spare = Draft(path: folder + "/" + name)
        switch try source.source(on: console) {
        case .argument(let text): return Text(text: text, origin: .argument, draft: nil, spare: spare, folder: folder)
        case .standardInput:
            let text = try TextSource.standardInput(command: source.command)
            return Text(text: text, origin: .standardInput, draft: nil, spare: spare, folder: folder)
        case .editor: return nil
        }
    }

    /// Opens the home for a command that writes a text. A text that was piped is kept on a failure that passes (exit
    /// code 75), as where another process has the home for too long: it is nowhere else.
    static func desk(
        _ console: Console,
        keeping source: TextSource,
        draft name: String
    ) throws(Failure) -> ReadingDesk {
        do throws(Failure) {
            return try ReadingDesk(console)
        } catch {
            guard error.code == .tryAgain, source.isPiped,
                let folder = try? HomeDoor.layout(console.environment).drafts,
                case .some(let text) = try? given(from: source, draft: name, in: folder, on: console)
            else { throw error }
            throw text.refusal(error, on: console)
        }
    }

    /// The failure of a command that has not read its text yet: one that was piped is kept, since it is nowhere else.
    func refusal(_ failure: Failure, of source: TextSource, draft name: String) -> Failure {
        guard source.isPiped, case .some(let text) = try? given(from: source, draft: name) else { return failure }
        return text.refusal(failure, on: console)
    }

    /// A text that exists already, as if it had been typed.
    func typed(_ text: String, draft name: String) -> Text {
        let folder = desk.home.layout.drafts
        return Text(text: text, origin: .argument, draft: nil, spare: Draft(path: folder + "/" + name), folder: folder)
    }

    /// Opens the editor, at first with the original text, and with the question below it.
    func edited(
        draft name: String,
        command: SafeText,
        question: SafeText? = nil,
        original: String? = nil
    ) throws -> Text {
        let folder = desk.home.layout.drafts
        if let code = Composer.make(folder) {
            throw Failure(
                .failure,
                "cannot make \(SafeText(line: folder)): \(Descriptor.reason(code))",
                hint: "give the text instead: \(command) \"TEXT\""
            )
        }
        // Another editor may be open on this draft: its text is its own. A kept draft comes first, whatever its number.
        let draft = Draft(path: folder + "/" + name)
        let kept = DraftTurn.kept(of: draft)
        let turn = kept ?? DraftTurn.first(of: draft)
        let isIllegible = kept?.draft.isIllegible == true
        let earlier = isIllegible ? nil : try kept?.draft.text()
        if isIllegible || earlier != nil {
            let state: SafeText = isIllegible ? "; it is not UTF-8, and is not posted until it is" : ""
            console.tell("opened: the draft that was kept in \(SafeText(line: turn.draft.path))\(state)")
        }
        if !isIllegible, let original, try turn.draft.text() == nil { try turn.draft.put(original) }
        switch try Editor(environment: console.environment).write(turn.draft, answering: question, again: command) {
        case .text(let text):
            if text == earlier { try agree(toPost: turn.draft) }
            return Text(text: text, origin: .editor, draft: turn.draft, spare: turn.draft, folder: folder, turn: turn)
        case .nothing: throw Failure(.usage, "nothing was written, nothing is posted", hint: "\(command) \"TEXT\"")
        }
    }

    /// Asks before a kept draft that was not changed is posted: the person may have meant to drop it.
    private func agree(toPost draft: Draft) throws(Failure) {
        let path = SafeText(line: draft.path)
        if console.asking == .allowed, Question.isAgreed("The draft is as it was kept. Post it?", on: console) {
            return
        }
        throw Failure(
            .refused,
            "nothing is posted: the draft is as it was kept in \(path)",
            hint: "rm \(ShellWord.quoted(draft.path)) drops it"
        )
    }

    /// Refuses an empty text; a title may stand alone only if the empty text is an argument, not an empty pipe.
    ///
    /// `alone` is the hint if there is a title.
    ///
    /// - Throws: `Failure` 64 for a post that says nothing, and for an empty text that nobody typed.
    static func refuseEmpty(
        _ written: Text,
        title: String,
        command: SafeText,
        alone: SafeText? = nil
    ) throws(Failure) {
        guard written.isBlank else { return }
        let hasTitle = !TitleRule.stored(title).isEmpty
        if hasTitle, written.origin == .argument { return }
        let hint = hasTitle ? alone : nil
        throw Failure(.usage, "an empty text is not posted", hint: hint ?? "\(command) \"TEXT\"")
    }

    /// - Throws: `Failure` 64 for a payload above 64 KiB, title and channels included; it says where the text is kept.
    func refuseTooLong(_ payload: Payload, keeping text: Text) throws(Failure) {
        let count = payload.encode().count
        guard count > EntryLimits.maximumPayloadBytes else { return }
        let bytes = text.text.utf8.count
        let room = EntryLimits.maximumPayloadBytes - (count - bytes)
        throw text.refusal(Composer.tooLong("the text takes \(bytes) bytes, there is room for \(room)"), on: console)
    }

    static func tooLong(_ message: SafeText) -> Failure {
        Failure(
            .usage,
            message,
            hint: "split it: scurry post the first part, then scurry reply ID the rest"
        )
    }

    /// Makes a payload; a breach of the payload rules is a usage error.
    static func payload(_ make: () throws(PayloadError) -> Payload) throws(Failure) -> Payload {
        do throws(PayloadError) {
            return try make()
        } catch {
            throw failure(error)
        }
    }

    /// Makes a payload from a text, which is kept on a failure if it was not typed as an argument.
    func payload(
        keeping text: Text,
        _ make: () throws(PayloadError) -> Payload
    ) throws(Failure) -> Payload {
        do throws(Failure) {
            return try Composer.payload(make)
        } catch {
            throw text.refusal(error, on: console)
        }
    }

    static func failure(_ error: PayloadError) -> Failure {
        Failure(.usage, explanation(of: error), hint: "scurry post -h")
    }

    private static func explanation(of error: PayloadError) -> SafeText {
        switch error {
        case .rule(.titleLength): "a title takes at most \(PayloadLimits.titleBytes) bytes"
        case .rule(.channelCount): "a post is in at most \(PayloadLimits.channelsPerPost) channels"
        case .rule(.channelRepeated): "a channel is named twice"
        case .rule(.nameLength): "a name takes 1 to \(PayloadLimits.nameBytes) bytes"
        default: "this cannot be posted: \(SafeText(line: "\(error)"))"
        }
    }

    /// Makes the directory of drafts; returns `errno` if it fails, else nil.
    static func make(_ folder: String) -> Int32? {
        mkdir(folder, 0o700) == 0 || errno == EEXIST ? nil : errno
    }
}
