// scurry import FILE|- [--json]

import ArgumentParser
import Storage
import Transport

struct ImportCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take what scurry export wrote.",
        usage: "scurry import FILE|- [--json]",
        discussion: """
            Everything is checked as if a peer had sent it, and what is new is passed on to peers. With a running node it is \
            the node that takes it. - reads standard input. The same bundle twice changes nothing.

            Example:
              scurry import campus.bundle
            """
    )

    @Argument(help: ArgumentHelp("What scurry export wrote; - reads standard input.", valueName: "file"))
    var file: String

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let source = try source()
        let stop = try Self.signingStop(home)
        let budget = try BudgetSetting.budget(typed: nil, Settings(home.layout))
        var line = ProgressLine(console)
        // What is kept of an import that has to stop.
        var kept: ImportSummary?
        let summary: ImportSummary
        do {
            defer { line.clear() }
            summary = try BundleImport(home, budget: budget).run(source) { reached in
                kept = reached
                line.show("imported \(reached.entries) entries")
            }
        } catch {
            if let kept {
                if kept.hasNews { try report(kept, .stopped, on: console) }
                // A disk that took nothing may refuse to be read too: why the import stopped is said all the same.
                try? reportSigning(kept, in: home, before: stop, on: console)
            }
            throw BundleTerms.failure(
                error,
                after: kept,
                command: "scurry import \(ShellWord.quoted(file))",
                network: home.networkName
            )
        }
        let failure = BundleTerms.failure(of: summary)
        if failure == nil || summary.hasNews || reading.form == .json {
            try report(summary, .read, on: console)
        }
        try reportSigning(summary, in: home, before: stop, on: console)
        if let failure { throw failure }
    }

    private func report(_ summary: ImportSummary, _ end: BundleTerms.ImportEnd, on console: Console) throws {
        switch reading.form {
        case .json: try console.out.write(BundleTerms.json(summary, end))
        case .text: console.tell(BundleTerms.sentence(summary))
        }
        try console.out.flush()
    }

    /// Says that the bundle stopped the signing here, or that another reason than `stop` has come.
    private func reportSigning(
        _ summary: ImportSummary,
        in home: Home,
        before stop: SigningStop?,
        on console: Console
    ) throws(Failure) {
        if summary.ownLog == .stopped {
            console.tell(
                "the bundle shows that your log was written elsewhere too: this home signs nothing more; scurry status"
            )
        }
        if summary.ownLog != .stopped, let now = try Self.signingStop(home), now != stop {
            let wayOut = home.wayOut(of: now, in: try Self.store(of: home))
            console.tell("\(SafeText(line: now.description)); \(wayOut)")
        }
    }

    /// Why the home signs nothing; nil if it signs.
    private static func signingStop(_ home: Home) throws(Failure) -> SigningStop? {
        let store = try store(of: home)
        return try Problems.naming { () throws(StorageError) in try home.signingStop(in: store) }
    }

    private static func store(of home: Home) throws(Failure) -> StoreReader {
        try Problems.naming { () throws(HomeError) in try home.storeReader() }
    }

    private func source() throws(Failure) -> BundleSource {
        guard file == "-" else {
            do throws(SystemError) {
                return try .file(file)
            } catch {
                throw Failure(
                    error.isAbsence ? .notFoundOrAmbiguous : .failure,
                    SafeText(line: error.description),
                    hint: "scurry import FILE, with what scurry export wrote"
                )
            }
        }
        guard !Descriptor.standardInput.isTerminal else {
            throw Failure(.usage, "nothing is piped into standard input", hint: "scurry import campus.bundle")
        }
        return .standardInput()
    }
}
