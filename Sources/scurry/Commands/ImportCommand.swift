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
        let summary: ImportSummary
        do {
            defer { line.clear() }
            summary = try BundleImport(home, budget: budget).run(source) { line.show("imported \($0.entries) entries") }
        } catch {
            throw BundleTerms.failure(
                error,
                command: "scurry import \(SafeText(line: file))",
                network: home.networkName
            )
        }
        let failure = BundleTerms.failure(of: summary)
        switch reading.form {
        case .json: try console.out.write(BundleTerms.json(summary))
        case .text where failure == nil || summary.hasNews: console.tell(BundleTerms.sentence(summary))
        case .text: break
        }
        try console.out.flush()
        if summary.ownLog == .stopped {
            console.tell(
                "the bundle shows that your log was written elsewhere too: this home signs nothing more; scurry status"
            )
        }
        if summary.ownLog != .stopped, let now = try Self.signingStop(home), now != stop {
            console.tell("\(SafeText(line: now.description)); \(now.wayOut)")
        }
        if let failure { throw failure }
    }

    /// Why the home signs nothing; nil if it signs.
    private static func signingStop(_ home: Home) throws(Failure) -> SigningStop? {
        let store = try Problems.naming { () throws(HomeError) in try home.storeReader() }
        return try Problems.naming { () throws(StorageError) in try home.signingStop(in: store) }
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
