// scurry id end [--words-from FILE] [--yes]

import ArgumentParser
import Entries
import Storage
import Transport

struct IdEndCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End your account, on all devices, for ever.",
        usage: "scurry id end [--words-from FILE] [--yes]",
        discussion: """
            Every node that hears of it forgets everything of yours: posts, votes, follows, name. It needs the \
            recovery words, and cannot be undone, not with them either. Copies that somebody made cannot be recalled. \
            You type your name on a terminal; a script needs --yes.

            Example:
              scurry id end
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("Read the twelve words from this file, mode 0600; - is standard input.", valueName: "file")
    )
    var wordsFrom: String?

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let desk = try ReadingDesk(console)
        guard let own = desk.own else { throw Scribe.hubFailure }
        let isOver = try Problems.naming { () throws(StorageError) in try desk.store.hasEnded(own) }
        guard !isOver else { throw EndingTerms.ended }
        let entry = desk.book[own]
        let terms = EndingTerms(
            desk: desk,
            command: yes ? "scurry id end --yes" : "scurry id end",
            wordsFrom: wordsFrom,
            console: console
        )
        if !yes { try confirm(entry, terms) }
        _ = try terms.end(.account)
        console.tell("the account of \(entry.shown) has ended")
        terms.tellSpreading()
    }

    private func confirm(_ entry: NameBook.Entry, _ terms: EndingTerms) throws(Failure) {
        try terms.refuseUnasked()
        let console = terms.console
        console.tell("This ends the account of \(entry.shown), on all its devices, for ever.")
        console.tell(
            "Everything of it will be forgotten everywhere: posts, votes, follows, name. It cannot be undone."
        )
        // The tag is an alternative to a name that is hard to type.
        let tag = "~\(entry.tag)"
        let wanted: SafeText =
            entry.name == nil ? SafeText(line: tag) : "\(entry.shownName), or \(SafeText(line: tag)),"
        let typed = Question.line("Type \(wanted) to end it: ", on: console)
        guard let typed, typed == entry.name || typed == tag else {
            throw Failure(.refused, "nothing was ended", hint: "scurry whoami shows your name")
        }
    }
}
