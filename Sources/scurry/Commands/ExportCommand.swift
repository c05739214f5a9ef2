// scurry export [--since T] > FILE

import ArgumentParser
import Storage
import Transport

struct ExportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that is here to a file, for a node that yours never meets.",
        usage: "scurry export [--since T] > FILE",
        discussion: """
            The bundle goes to standard output: signed logs of everybody, which scurry import checks as if a peer had \
            sent them, with the devices that were cut off, the accounts that ended, and proofs of forks. With --since \
            each log begins at its first entry that was written since, or that came here since, however old it is, \
            for somebody who has the older part; up to two hours more are in it. Own posts leave only when the home has noted \
            that they do: where its disk takes no note, or the home signs nothing more, they are left out, and the \
            exit code is 6.

            T is 2h, yesterday, a date, or a date and a time.

            Example:
              scurry export > campus.bundle
              scurry export --since yesterday | ssh oak scurry import -
            """
    )

    // Whatever follows is the value: `-2h` begins with a dash.
    @Option(
        name: .long,
        parsing: .unconditional,
        help: ArgumentHelp("Only what was written or came here since.", valueName: "t")
    )
    var since: String?

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let start = try since.map { try ExportCommand.start($0, on: console) }
        guard !console.out.stream.isTerminal else {
            throw Failure(.usage, "a bundle is no text for a terminal", hint: "scurry export > campus.bundle")
        }
        let home = try HomeDoor.open(console.environment)
        var line = ProgressLine(console)
        let summary: ExportSummary
        do {
            defer { line.clear() }
            summary = try BundleExport(home, since: start).run(
                to: { try console.out.write($0) },
                progress: { line.show("exported \($0.entries) entries") }
            )
            try console.out.flush()
        } catch {
            throw BundleTerms.failure(error, command: "scurry export > FILE")
        }
        report(summary, on: console)
        guard summary.unreadableLogs == 0 else {
            let logs = Amount.of(summary.unreadableLogs, "log", "logs")
            throw Failure(
                .partly,
                "\(logs) could not be read as signed, and are not in it, or not whole",
                hint: "scurry doctor says what is damaged"
            )
        }
        guard summary.ownLog != .leftOut else {
            throw Failure(
                .partly,
                "your own posts are left out: this home was copied or restored, and signs nothing more",
                hint: "scurry status"
            )
        }
        guard summary.ownLog != .unmarked else {
            throw Failure(
                .partly,
                "your own posts are not in it: the home has to note first that they leave, and its disk takes nothing",
                hint: "scurry backup FILE saves them, on another disk"
            )
        }
    }

    private func report(_ summary: ExportSummary, on console: Console) {
        if summary.isEmpty, summary.ownLog == .told {
            console.tell(
                since == nil
                    ? "nothing to export yet: the bundle is empty; scurry join HOST:7776, or scurry post"
                    : "nothing was written or came since then: the bundle is empty; scurry export takes everything"
            )
        } else if !summary.isEmpty {
            console.tell("exported \(BundleTerms.sentence(summary))")
        }
        if summary.cutLogs > 0 {
            let logs = Amount.of(summary.cutLogs, "log", "logs")
            console.tell(
                "of \(logs) the history has not all come yet: only what is before that is in it; scurry status"
            )
        }
    }

    private static func start(_ text: String, on console: Console) throws(Failure) -> UInt64 {
        guard let start = SinceText.milliseconds(text, now: console.now, zone: .local) else {
            throw Failure(
                .usage,
                "--since does not understand \(text)",
                hint: "scurry export --since 2h > campus.bundle; it takes \(SinceText.forms)"
            )
        }
        return start
    }
}
