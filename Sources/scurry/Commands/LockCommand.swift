// scurry lock [--yes] [--passphrase-file FILE]

import ArgumentParser
import Sodium
import Storage
import Transport

struct LockCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Put the key of this device under a passphrase.",
        usage: "scurry lock [--yes] [--passphrase-file FILE]",
        discussion: """
            Afterwards nothing can be written from here until scurry unlock; reading and relaying go on, and a running \
            node forgets the key. The first time a passphrase is set, for good. It cannot be recovered: without it the \
            recovery words make a new key.

            Example:
              scurry lock
            """
    )

    @Flag(name: .long, help: "Do not ask; needed in a script.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let person = try Problems.naming { () throws(HomeError) in try home.keys().person }
        let needsOne: Bool
        switch person {
        case .none: throw Scribe.keyless(home)
        case .open(_, .none):
            try refuseOtherKey(home, on: console)
            needsOne = true
        case .open(_, .passphrase), .locked: needsOne = false
        }
        try confirm(on: console)
        let source = Passphrase(file: passphrase.passphraseFile, console: console, command: "scurry lock --yes")
        let secret = needsOne ? try source.fresh() : nil
        // A passphrase file that is given has to match.
        let given = needsOne || passphrase.passphraseFile == nil ? nil : try source.known()
        let outcome: Home.LockOutcome
        do {
            outcome = try Problems.naming { () throws(HomeError) in try home.lock(settingIfNone: secret) }
        } catch {
            // On any failure the node reads the key file again.
            _ = NodeNotice.keyChanged(home)
            throw error
        }
        switch outcome {
        case .locked, .wasLocked:
            // Also if the key was locked already: a node may hold a key that is in no file.
            try tellNode(home)
            if let given { try check(given, home) }
            console.tell(
                outcome == .locked ? "locked; scurry unlock opens it" : "it was locked; scurry unlock opens it"
            )
        case .passphraseMissing:
            throw Failure(.tryAgain, "the key was changed meanwhile", hint: "scurry lock")
        case .hub: throw Scribe.keyless(home)
        case .noMemory: throw LockCommand.noMemory
        }
    }

    static let noMemory = Failure(
        .tryAgain,
        "no memory to work the passphrase out: that takes \(memory)",
        hint: "free -m shows what is there"
    )

    private static let memory = Amount.bytes(UInt64(PasswordHash.Cost.standard.memoryKibibytes) * 1_024)

    /// Refuses to set a passphrase for a key that is not this home's own: it signs nothing here anyhow. A node is told
    /// first, and then signs nothing either; if it holds the right key, that may be the only copy, so a person is asked.
    private func refuseOtherKey(_ home: Home, on console: Console) throws {
        // A database that cannot be read does not tell whose key it is.
        guard let store = try? StoreReader(path: home.layout.store, network: home.network),
            (try? home.keyFit(in: store)) == .other
        else { return }
        try confirm(on: console)
        // What it reads then signs nothing; the right key, if the node has it, is to be forgotten.
        let hearing = NodeNotice.keyChanged(home)
        let consequence: SafeText = "may still hold the right one"
        if let failure = NodeNotice.failure(hearing, .tryAgain, done: SigningStop.otherKeyLies, consequence) {
            throw failure
        }
        let stop = SigningStop.otherKey
        throw Failure(.refused, SafeText(line: stop.description), hint: stop.wayOut)
    }

    /// - Throws: `Failure` 6 where another passphrase than the one that is set was given.
    private func check(_ given: SecretBytes, _ home: Home) throws {
        switch try Problems.naming({ () throws(HomeError) in try home.fit(of: given) }) {
        case .fits, .absent: return
        case .noMemory: throw LockCommand.noMemory
        case .differs:
            throw Failure(
                .partly,
                "locked under the passphrase that was set before: the one that was given does not open it",
                hint: "scurry unlock, with the one that was set"
            )
        }
    }

    private func confirm(on console: Console) throws {
        if yes { return }
        guard console.asking == .allowed else {
            let file = passphrase.passphraseFile.map { " --passphrase-file \(ShellWord.quoted($0))" } ?? ""
            throw Failure(.refused, "nobody can be asked whether to lock", hint: "scurry lock --yes\(file)")
        }
        guard Question.isAgreed("Lock this device? Writing then needs the passphrase.", on: console) else {
            throw Declined(outcome: "nothing was locked")
        }
    }

    /// Tells the node to forget the key. A node that cannot be reached holds it until it ends, so only its answer
    /// counts.
    private func tellNode(_ home: Home) throws(Failure) {
        let hearing = NodeNotice.keyChanged(home)
        let consequence: SafeText = hearing == .otherVersion ? "holds the key until it ends" : "may still hold the key"
        if let failure = NodeNotice.failure(hearing, .tryAgain, done: "locked", consequence) { throw failure }
        // It read the key again, and may have found it where this command does not see it.
        let glance = NodeGlance(of: home, patience: TransportLimits.controlAnswerMilliseconds)
        guard let report = glance.report, !report.isLocked else { return }
        throw Failure(
            .tryAgain,
            "locked; but the node found the opened key where it is not to be seen from here, and holds it",
            hint: "kill \(report.process); or scurry lock where it was unlocked"
        )
    }
}
