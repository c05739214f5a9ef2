// scurry id restore [--words-from FILE] [--network NAME] [--secret-file FILE] [--yes]

import ArgumentParser
import Entries
import Storage
import Transport

struct IdRestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Come back with the recovery words, under a new device key.",
        usage: "scurry id restore [--words-from FILE] [--network NAME] [--secret-file FILE] [--yes]",
        discussion: """
            On a new machine this takes the place of scurry init, offline or not: the words bring the identity back at \
            once; name, posts and follows come from peers. In a home that signs nothing any more, because it was copied \
            or restored, it begins a new log; the old one stays. So it does where the passphrase is lost. The words \
            are asked on a terminal, or read from a file; they are not kept.
            A hub becomes your home for good: that is asked on a terminal, and a script needs --yes.

            Example:
              scurry id restore --words-from words.txt
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("Read the twelve words from this file, mode 0600; - is standard input.", valueName: "file")
    )
    var wordsFrom: String?

    @Option(name: .long, help: ArgumentHelp("Which network, for a new home.", valueName: "name"))
    var network: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The secret of a private network, for a new home; mode 0600.", valueName: "file")
    )
    var secretFile: String?

    @Flag(name: .long, help: "Do not ask whether a hub is to be yours.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let layout = try HomeDoor.layout(console.environment)
        // Checked before twelve words are typed in vain.
        try Problems.naming { () throws(HomeError) in try layout.checkVacancy() }
        if let home = try HomeDoor.openIfMade(console.environment) {
            try refuseElsewhere(home)
            try refuseUnfit(console)
            let words = try WordEntry(file: wordsFrom, command: again, console: console).words()
            try restore(home, words, on: console)
        } else {
            let file = wordsFrom.map { " \(SecretFile.option("--words-from", $0))" as SafeText } ?? ""
            let found = try secretFile.map { path throws(Failure) in
                try SecretFile(path: path).secret(of: self.network, command: again + file)
            }
            let network = found?.network ?? self.network ?? Home.usualNetwork
            let secret = found?.secret
            let words = try WordEntry(file: wordsFrom, command: "scurry id restore", console: console).words()
            do {
                let home = try Home.create(at: layout, network: network, secret: secret, for: .returning(words))
                try greet(home, on: console)
            } catch let error as HomeError {
                throw Problems.failure(error)
            } catch let error as SystemError {
                throw Problems.failure(HomeError.system(error))
            }
        }
    }

    /// A home's network and secret never change.
    private func refuseElsewhere(_ home: Home) throws(Failure) {
        guard secretFile != nil || network.map({ $0 != home.networkName }) == true else { return }
        throw Failure(
            .refused,
            "this home belongs to the \(home.networkTerm), for ever",
            hint: "SCURRY_HOME=DIR scurry id restore \(ShellWord.option("--network", network ?? "NAME"))"
        )
    }

    /// The command once more, for hints.
    private var again: SafeText { yes ? "scurry id restore --yes" : "scurry id restore" }

    /// Refuses a home that can still write, before the person types twelve words in vain, and a hub that is to stay
    /// one.
    private func refuseUnfit(_ console: Console) throws {
        let desk = try ReadingDesk(console)
        let stop = try desk.signingStop()
        let own = try Problems.naming { () throws(StorageError) in try desk.store.ownLog() }
        if let own, stop == nil,
            try Problems.naming({ () throws(HomeError) in try desk.home.holdsUsableKey(of: own) })
        {
            throw IdRestoreCommand.stillWriting
        }
        if desk.own == nil, !hasDeviceKey(desk.home), !yes { try confirm(on: console) }
    }

    /// Whether a device key is here: then the home was a person's, though the database that named them is lost.
    private func hasDeviceKey(_ home: Home) -> Bool {
        // A damaged one is one, too.
        guard let keys = try? home.keys() else { return true }
        return keys.certificate != nil
    }

    /// Asks before a hub becomes a person's home: it is none again afterwards.
    private func confirm(on console: Console) throws {
        guard console.asking == .allowed else {
            let file = wordsFrom.map { ShellWord.quoted($0) } ?? "FILE"
            throw Failure(
                .refused,
                "this home is a hub, and nobody can be asked here whether it is to be yours",
                hint: "scurry id restore --yes --words-from \(file); in another home: SCURRY_HOME=DIR scurry id restore"
            )
        }
        guard Question.isAgreed("This home is a hub, without a person. Shall it be yours, for good?", on: console)
        else {
            throw Declined(outcome: "nothing was changed")
        }
    }

    private func restore(_ home: Home, _ words: RecoveryWords, on console: Console) throws {
        // Whether a damaged key file had a passphrase is unknown.
        let hadPassphrase = (try? home.keys().hasPassphrase) ?? false
        let node = try? home.nodeID()
        let asideBefore = Set(home.layout.keysPutAside)
        let continuation: Continuation
        do throws(ReturnError) {
            continuation = try home.takeBack(words)
        } catch {
            let file = wordsFrom.map { " \(ShellWord.option("--words-from", $0))" as SafeText } ?? ""
            throw IdRestoreCommand.failure(error, on: home, verb: again + file)
        }
        if continuation.rewritten > 0 {
            console.tell("signed again: \(Amount.of(continuation.rewritten, "entry", "entries")) that nobody had yet")
        }
        try greet(home, on: console)
        if let node, let now = try? home.nodeID(), now != node {
            console.tell(
                """
                This home has a new node id, since another may have the old one: whoever calls it by an address joins \
                it again, as \(SafeText(line: now.description))@ADDRESS
                """
            )
        }
        for path in home.layout.keysPutAside where !asideBefore.contains(path) {
            console.tell("The device key that was here is another home's; it is now in \(SafeText(line: path))")
        }
        if hadPassphrase { console.tell("The new device key has no passphrase: scurry lock sets one.") }
        if continuation.carriage == .notCarried {
            console.tell(
                "warning: \(SafeText(line: SigningStop.notCarried.description)): \(SigningStop.notCarried.wayOut)"
            )
        }
    }

    private func greet(_ home: Home, on console: Console) throws {
        let desk = try ReadingDesk(console)
        let entry = desk.own.map { desk.book[$0] }
        let shown: SafeText = entry.map { $0.name == nil ? "~\($0.tag)" : $0.shown } ?? "yourself"
        console.tell("You are \(shown) on the \(home.networkTerm) again, with a new device.")
        let isAlone = (try? PeersFile(reading: home.layout.peers).peers.isEmpty) ?? true
        console.tell(isAlone ? "next: scurry join HOST:7776; scurry run" : "next: scurry run")
        console.tell("A device that was stolen writes until you cut it off: scurry id devices; scurry id revoke DEVICE")
    }

    static let stillWriting = Failure(
        .refused,
        "this home signs as it is: it needs no other device key",
        hint: "SCURRY_HOME=DIR scurry id restore makes another home of yours"
    )

    static func failure(_ error: ReturnError, on home: Home, verb: SafeText) -> Failure {
        switch error {
        case .anotherPerson:
            Failure(
                .refused,
                "these words are another person's than this home's",
                hint: "SCURRY_HOME=DIR scurry id restore makes a home for them"
            )
        case .ended: Failure(.refused, SafeText(line: SigningStop.ended.description), hint: SigningStop.ended.wayOut)
        case .stillWriting: stillWriting
        case .noKey:
            Failure(.refused, "the device key of this home's log is not here", hint: "scurry id restore")
        case .home(.busy(let process)):
            Occupied.failure(process, on: home) {
                Failure(
                    .tryAgain,
                    "a node runs on this home\(process.map { " (process \($0))" } ?? "")",
                    hint: process.map { "kill \($0), then \(verb)" } ?? "scurry status"
                )
            }
        case .home(let error): Problems.failure(error)
        }
    }
}
