#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Transport

/// Brings a text and a payload together, and refuses what cannot be posted before anything is written.
struct Composer {
    let desk: ReadingDesk
    let console: Console

    /// What is written, and the draft that holds it.
    struct Text {
        let text: String
        /// There if the editor wrote the text; to be discarded once it is posted.
        let draft: Draft?
        /// Where the text is kept if it cannot be posted now.
        let spare: Draft
        /// Where drafts lie; made when the first one is needed.
        let folder: String

        /// Keeps the text, and says where; nil if that fails too.
        func keep() -> SafeText? {
            guard draft == nil else { return SafeText(line: spare.path) }
            guard Composer.make(folder) == nil else { return nil }
            do {
                let free = try Text.free(spare, for: text)
                try free.put(text)
                return SafeText(line: free.path)
            } catch {
                return nil
            }
        }

        /// The draft itself, or the first beside it that holds nothing else: what was kept before stays.
        private static func free(_ draft: Draft, for text: String) throws(Failure) -> Draft {
            var candidate = draft
            for number in 2...10_000 {
                guard let kept = try candidate.text(), !kept.isEmpty, kept != text else { break }
                candidate = Draft(path: "\(draft.path)-\(number)")
            }
            return candidate
        }
    }

    /// Gets the text: in the editor the question stands below it, and the original in it at first.
    func text(
        from source: TextSource,
        draft name: String,
        question: SafeText? = nil,
        original: String? = nil
    ) throws -> Text {
        let command = source.command
        let source = try source.source(on: console)
        let folder = desk.home.layout.drafts
        let draft = Draft(path: folder + "/" + name)
        switch source {
        case .argument(let text): return Text(text: text, draft: nil, spare: draft, folder: folder)
        case .standardInput:
            return Text(
                text: try TextSource.standardInput(command: command),
                draft: nil,
                spare: draft,
                folder: folder
            )
        case .editor:
            if let code = Composer.make(folder) {
                throw Failure(
                    .failure,
                    "cannot make \(SafeText(line: folder)): \(Descriptor.reason(code))",
                    hint: "give the text instead: scurry post \"TEXT\""
                )
            }
            if let original, try draft.text() == nil { try draft.put(original) }
            switch try Editor(environment: console.environment).write(draft, answering: question) {
            case .text(let text): return Text(text: text, draft: draft, spare: draft, folder: folder)
            case .nothing: throw Failure(.usage, "nothing was written, nothing is posted", hint: "\(command) \"TEXT\"")
            }
        }
    }

    /// - Throws: `Failure` 64 for a post that says nothing.
    static func refuseEmpty(_ text: String, title: String, command: SafeText) throws(Failure) {
        let isBlank = text.allSatisfy(\.isWhitespace) && title.allSatisfy(\.isWhitespace)
        if isBlank { throw Failure(.usage, "an empty text is not posted", hint: "\(command) \"TEXT\"") }
    }

    /// - Throws: `Failure` 64 for a payload above 64 KiB, title and channels included.
    static func refuseTooLong(_ payload: Payload) throws(Failure) {
        let count = payload.encode().count
        if count > PayloadLimits.payloadBytes { throw tooLong(count) }
    }

    static func tooLong(_ count: Int) -> Failure {
        Failure(
            .usage,
            "this takes \(count) bytes, a post has at most \(PayloadLimits.payloadBytes)",
            hint: "split it: scurry post the first part, then scurry reply ID the rest"
        )
    }

    /// Makes a payload; what the rules of payloads refuse is a usage error.
    static func payload(_ make: () throws(PayloadError) -> Payload) throws(Failure) -> Payload {
        do throws(PayloadError) {
            return try make()
        } catch {
            throw Failure(.usage, explanation(of: error), hint: "scurry post -h")
        }
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

    /// The folder of drafts; what stands in the way (`errno`), or nil.
    fileprivate static func make(_ folder: String) -> Int32? {
        mkdir(folder, 0o700) == 0 || errno == EEXIST ? nil : errno
    }
}
