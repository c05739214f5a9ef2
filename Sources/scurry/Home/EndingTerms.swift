import Entries
import Storage
import Transport

/// What `id revoke` and `id end` have in common: the recovery words, their last step, and how it is worded.
struct EndingTerms {
    let desk: ReadingDesk
    /// The command with what it needs but the words, for hints.
    let command: SafeText
    /// The file that holds the words; nil: the terminal is asked.
    let wordsFrom: String?
    let console: Console

    /// The command with its words.
    private var whole: SafeText {
        guard let wordsFrom else { return command }
        return "\(command) --words-from \(ShellWord.quoted(wordsFrom))"
    }

    /// Takes the words, and ends what they are given for.
    ///
    /// - Throws: `Failure` 7 for the words of somebody else, and 64 for words that are none.
    func end(_ ending: Ending) throws(Failure) -> Settlement {
        let words = try WordEntry(file: wordsFrom, command: command, console: console).words()
        do throws(EndingError) {
            return try desk.home.end(ending, by: words).settlement
        } catch {
            throw failure(error)
        }
    }

    /// How the others come to know of it.
    func tellSpreading() {
        let isRunning = desk.glance.report != nil
        console.tell(
            isRunning
                ? "your peers follow, and so does everybody whom they meet"
                : "your peers follow once they hear of it: scurry run, or scurry sync"
        )
    }

    /// Nobody can be asked, and nobody said yes.
    func refuseUnasked() throws(Failure) {
        guard console.asking == .allowed else {
            throw Failure(.refused, "nobody can be asked here, and it is for good", hint: "\(whole) --yes")
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
        case .failed(let reason): Failure(.failure, SafeText(line: reason), hint: "scurry status")
        }
    }
}
