import Entries
import Storage
import Transport

/// Writes entries for a command, through the running node or by itself, and reports the outcome.
struct Scribe {
    private let desk: ReadingDesk
    private let console: Console
    private let form: ReadingOptions.Form
    private let writer: Writer

    /// - Throws: `Failure` 7 on a hub and 4 if the key is locked, before the person has written a line; a text that was
    ///   given is kept.
    init(
        desk: ReadingDesk,
        console: Console,
        form: ReadingOptions.Form = .text,
        keeping given: Composer.Text? = nil
    ) throws {
        do {
            guard desk.own != nil else { throw Scribe.hubFailure }
            // A home that has stopped signing says so at the write, and keeps the text.
            let isStopped = try desk.signingStop() != nil
            writer = Writer(desk.home, device: isStopped ? nil : try Scribe.lentKey(desk, console))
        } catch let failure as Failure {
            // Whoever unlocks the key goes on from there: a text that was typed is kept too, as where signing stopped.
            if failure.code == .locked { throw given?.failure(failure, on: console) ?? failure }
            throw given?.refusal(failure, on: console) ?? failure
        }
        self.desk = desk
        self.console = console
        self.form = form
        WallCheck.tell(desk.home.layout, on: console)
        RemoteHome.tellLoneWriter(desk, on: console)
    }

    /// A key for this command alone, asked for if it is locked, no node runs and no file may hold it; nil if none is
    /// needed.
    static func lentKey(_ desk: ReadingDesk, _ console: Console) throws -> DeviceKey? {
        let person = try Problems.naming { () throws(HomeError) in try desk.home.keys().person }
        if case .none = person { throw keyless(desk.home) }
        guard case .locked = person, desk.glance.report?.isLocked != false else { return nil }
        guard console.asking == .allowed, desk.glance.report == nil, !desk.home.layout.makeMemoryPlace() else {
            throw lockedFailure
        }
        let source = Passphrase(file: nil, console: console, command: "scurry unlock")
        guard case .nowhere(let device) = try UnlockCommand.open(desk.home, source, on: console) else {
            throw UnlockCommand.wrongPassphrase
        }
        return device.key
    }

    static let lockedFailure = Failure(.locked, "the key of this device is locked", hint: "scurry unlock")

    /// The failure without a person's key: on a hub, or in a home that has lost it.
    static func keyless(_ home: Home) -> Failure {
        guard let store = try? home.storeReader(), (try? store.ownIdentity()) ?? nil != nil else { return hubFailure }
        return Failure(
            .failure,
            "\(SafeText(line: home.layout.deviceKey)) is missing: without the key nothing is signed here",
            hint: "scurry id restore, with the recovery words, writes another"
        )
    }

    static let hubFailure = Failure(
        .refused,
        "this home is a hub: it has no person",
        hint: "SCURRY_HOME=DIR scurry init --name NAME makes a home for you"
    )

    /// Signs and saves a payload; on failure the text is kept.
    func write(_ payload: Payload, keeping text: Composer.Text? = nil) throws(Failure) -> WriteOutcome {
        do throws(WriteError) {
            let outcome = try writer.write(payload)
            text?.discard()
            return outcome
        } catch {
            throw failure(error, keeping: text, shownBy: payload.kind.reader)
        }
    }

    /// Deletes an own post with all its edits.
    func delete(_ post: EntryID) throws(Failure) -> WriteOutcome {
        do throws(WriteError) {
            return try writer.delete(post)
        } catch {
            throw failure(error, keeping: nil, shownBy: EntryKind.delete.reader)
        }
    }

    /// Reports `posted k7fa in #squirrels`, and how it spreads if no node runs.
    func report(_ outcome: WriteOutcome, naming post: EntryID? = nil, verb: SafeText, rest: SafeText = "") throws {
        let id = post ?? outcome.id
        let short = desk.shorts(for: [id])[id] ?? ""
        // Remembered even if the report fails: the entry is written.
        defer { desk.remember([id]) }
        try say(rest.isEmpty ? "\(verb) \(short)" : "\(verb) \(short) \(rest)", outcome, id)
    }

    /// Prints the sentence, or for a script one object with the post's id, or the entry's if no post was written.
    ///
    /// A script that takes standard output without asking for objects gets the post's id on a line of its own.
    ///
    /// - Throws: `Failure` 6 if that cannot be printed: the entry is written, and must not be written again.
    func say(_ text: SafeText, _ outcome: WriteOutcome, _ post: EntryID? = nil, about subject: Subject? = nil) throws {
        do {
            switch form {
            case .json:
                let id = post ?? outcome.id
                try console.out.write(Scribe.object(id, .string(outcome.spreading.rawValue), .written, subject))
            case .text:
                guard let post, Descriptor.standardOutput.takesData else { break }
                try console.out.write(StyledLine(SafeText(line: post.description)))
            }
            try console.out.flush()
        } catch let failure as Failure {
            throw Failure(.partly, "\(text); but \(failure.message)", hint: failure.hint)
        }
        guard form == .text else { return }
        switch outcome.spreading {
        case .live: console.tell(text)
        case .later: console.tell("\(text); saved, will spread when the node runs")
        }
    }

    /// The person or posts that an entry is about, for a script: an entry that was not needed has no id.
    enum Subject {
        case person(IdentityID)
        case posts([EntryID])
    }

    private enum Change { case written, none }

    private static func object(
        _ id: EntryID?,
        _ spreading: JSONValue,
        _ change: Change,
        _ subject: Subject?
    ) -> JSONObject {
        var object = JSONObject([
            "id": .optional(id?.description), "spreading": spreading, "changed": .bool(change == .written),
        ])
        switch subject {
        case .person(let identity): object["person"] = .string(identity.description)
        case .posts(let posts): object["posts"] = .array(posts.map { .string($0.description) })
        case nil: break
        }
        return object
    }

    /// As `say`, if there was nothing to write.
    static func nothing(
        _ text: SafeText,
        post: EntryID? = nil,
        about subject: Subject? = nil,
        _ form: ReadingOptions.Form,
        _ console: Console
    ) throws {
        switch form {
        case .json: try console.out.write(object(post, .null, .none, subject))
        case .text:
            if let post, Descriptor.standardOutput.takesData {
                try console.out.write(StyledLine(SafeText(line: post.description)))
            }
            console.tell(text)
        }
    }

    private func failure(
        _ error: WriteError,
        keeping text: Composer.Text?,
        shownBy reader: SafeText
    ) -> Failure {
        switch error {
        case .refused(.signingStopped), .refused(.notCarried), .refused(.logForked), .refused(.logSettled),
            .refused(.accountEnded):
            return stopped(error, keeping: text)
        // A database or a key that was moved to another home: the reason why signing stopped comes first.
        case .refused(.wrongKey) where isStopped, .refused(.locked) where isStopped:
            return stopped(error, keeping: text)
        case .refused(let refusal): return saying(where: text, Scribe.failure(refusal))
        case .notResponding(let process):
            let message: SafeText = "\(Scribe.node(process)) does not answer"
            return keeping(text, message, hint: process.map { "kill \($0), then try again" } ?? "scurry status")
        case .unanswered(let process):
            return keeping(
                text,
                "\(Scribe.node(process)) does not answer, it may have been written or not",
                hint: "\(reader) shows whether it was, scurry status whether the node answers again"
            )
        case .occupied(let process):
            return keeping(text, Occupied.message(process), hint: Occupied.failure(process).hint)
        case .uncertain:
            return keeping(
                text,
                "the node went away meanwhile; it may have been written or not",
                hint: "\(reader) shows whether it was"
            )
        case .home(let error): return saying(where: text, Problems.failure(error))
        case .storage(let error): return saying(where: text, Problems.failure(error))
        case .failed(let failure): return saying(where: text, Problems.failure(failure))
        }
    }

    private var isStopped: Bool { (try? desk.signingStop()) != nil }

    /// A `tryAgain` failure, with the draft to try again with.
    private func keeping(_ text: Composer.Text?, _ message: SafeText, hint: SafeText?) -> Failure {
        let kept = text?.kept(as: "draft", on: console)
        return Failure(.tryAgain, kept.map { "\(message); \($0)" } ?? message, hint: hint)
    }

    private func saying(where text: Composer.Text?, _ failure: Failure) -> Failure {
        text?.failure(failure, on: console) ?? failure
    }

    private static func node(_ process: Int32?) -> SafeText {
        process.map { "the node (process \($0))" } ?? "the node"
    }

    /// The failure of a home that has stopped signing: the text is kept, and the ways out are named.
    private func stopped(_ refusal: WriteError, keeping text: Composer.Text?) -> Failure {
        // The stop may not be stored yet: with a new log that nobody would carry, or while more of the own log is
        // arriving.
        let stop = (try? desk.signingStop()) ?? (refusal == .refused(.notCarried) ? .notCarried : .longer)
        let kept = text?.kept(as: "text", on: console)
        let message = SafeText(line: stop.description)
        return Failure(.refused, kept.map { "\(message); \($0)" } ?? message, hint: desk.wayOut(of: stop))
    }

    private static func failure(_ refusal: AppendRefusal) -> Failure {
        switch refusal {
        case .noOwnLog: hubFailure
        case .locked: lockedFailure
        case .wrongKey:
            // The home's files fit each other: a running node still has the key that lay there when it started.
            Failure(
                .refused,
                "keys and database of this home did not belong together when its node started",
                hint: "end the node that runs, and start it again: scurry run; or scurry id restore"
            )
        case .signingStopped, .notCarried, .logForked, .logSettled, .accountEnded:
            Failure(.refused, "this home signs nothing more", hint: "scurry status")
        case .payloadTooLong(let bytes):
            Composer.tooLong("this takes \(bytes) bytes, a post has at most \(EntryLimits.maximumPayloadBytes)")
        case .unknownPost: Failure(.notFoundOrAmbiguous, "that post is not here", hint: "scurry sync")
        case .notOwnPost: Failure(.refused, "only its author can do that", hint: "scurry mine shows your own posts")
        case .deletedPost: Failure(.refused, "that post was deleted", hint: "scurry mine")
        case .logFull:
            Failure(.refused, "this log is full: 4,294,967,295 entries", hint: "SCURRY_HOME=DIR scurry init")
        }
    }
}

extension EntryKind {
    /// The command that shows own entries of this kind.
    fileprivate var reader: SafeText {
        switch self {
        case .vote: "scurry vote"
        case .follow: "scurry follow"
        case .profile: "scurry whoami"
        case .post, .edit, .delete, .private, .label, .channel, .proof: "scurry mine"
        }
    }
}
