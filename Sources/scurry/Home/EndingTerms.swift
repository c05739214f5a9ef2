import Entries
import Storage
import Transport

/// The common part of `id revoke` and `id end`: the recovery words, the last step, and their messages.
struct EndingTerms {
    let desk: ReadingDesk
    /// The command with its arguments but the words, for hints.
    let command: SafeText
    /// The file with the recovery words; nil: the terminal is asked.
    let wordsFrom: String?
    let console: Console

    /// The command with `--words-from`, if it was given.
    private var whole: SafeText {
        guard let wordsFrom else { return command }
        return "\(command) --words-from \(ShellWord.quoted(wordsFrom))"
    }

    /// Reads the recovery words, and signs and stores the settlement.
    ///
    /// - Throws: `Failure` 7 for another person's words, and 64 for invalid ones.
    func end(_ ending: Ending) throws(Failure) -> Settlement {
        let words = try WordEntry(file: wordsFrom, command: command, console: console).words()
        do throws(EndingError) {
            return try desk.home.end(ending, by: words).settlement
        } catch {
            throw failure(error)
        }
    }

    /// Tells the person how the settlement spreads.
    func tellSpreading() {
        let isRunning = desk.glance.report != nil
        console.tell(
            isRunning
                ? "your peers follow, and so does everybody whom they meet"
                : "your peers follow once they hear of it: scurry run, or scurry sync"
        )
    }

    /// Refuses to go on where no terminal can be asked; called without `--yes`.
    func refuseUnasked() throws(Failure) {
        guard console.asking == .allowed else {
            throw Failure(
                .refused,
                "nobody can be asked here, and it is for good",
                hint: "\(wordsFrom == nil ? "\(command) --words-from FILE" : whole) --yes"
            )
        }
    }

    static let ended = Failure(
        .refused,
        SafeText(line: SigningStop.ended.description),
        hint: SigningStop.ended.wayOut
    )

    private func failure(_ error: EndingError) -> Failure {
        switch error {
        case .anotherPerson:
            Failure(
                .refused,
                "these words are another person's than this home's",
                hint: "scurry whoami shows whose words are needed"
            )
        case .unknownDevice:
            Failure(.notFoundOrAmbiguous, "that device is not known here", hint: "scurry id devices lists them")
        case .notHeld:
            Failure(.refused, "less of that device is here now", hint: "scurry id devices shows how much")
        case .ended: EndingTerms.ended
        case .write(let error): failure(error)
        }
    }

    private func failure(_ error: WriteError) -> Failure {
        switch error {
        case .occupied(let process): Occupied.failure(process)
        case .notResponding(let process), .unanswered(let process):
            Failure(
                .tryAgain,
                process.map { "the node (process \($0)) does not answer" } ?? "the node does not answer",
                hint: process.map { "kill \($0), then \(whole)" } ?? "scurry status"
            )
        case .uncertain(.notUnderstood):
            Failure(
                .tryAgain,
                "the node is of another version, and did not understand",
                hint: "restart it with scurry run, then \(whole)"
            )
        case .uncertain:
            Failure(
                .tryAgain,
                "the node went away meanwhile; it may have been done or not",
                hint: "scurry id devices shows whether it was"
            )
        case .home(let error): Problems.failure(error)
        case .storage(let error): Problems.failure(error)
        case .refused: Failure(.refused, "this home cannot do that", hint: "scurry status")
        case .failed(let failure): Problems.failure(failure)
        }
    }
}
