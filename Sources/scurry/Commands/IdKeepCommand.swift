// scurry id keep [--yes] [--timeout S]

import ArgumentParser
import Entries
import Logging
import Storage
import Sync
import Transport

struct IdKeepCommand: WaitingCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "State that no other home with this key will run again.",
        usage: "scurry id keep [--yes] [--timeout S]",
        discussion: """
            For a home that was moved, or brought back from a copy, while the other one is gone for good. What peers \
            hold of your log is fetched first. If the other home runs again, your log forks: scurry id restore is \
            right for a copy. Asks on a terminal; a script needs --yes.

            Example:
              scurry id keep
            """
    )

    @Flag(name: .long, help: "Do not ask.")
    var yes = false

    @Option(name: .long, help: ArgumentHelp("How long to wait for peers, in seconds.", valueName: "s"))
    var timeout = 20

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout takes 1 to 86400 seconds") }
    }

    func run(on console: Console) async throws {
        let desk = try ReadingDesk(console)
        guard desk.own != nil else { throw Scribe.hubFailure }
        guard let stop = try desk.signingStop() else {
            if case .none = try Problems.naming({ () throws(HomeError) in try desk.home.keys().person }) {
                throw Scribe.keyless(desk.home)
            }
            return console.tell("nothing to decide: this home signs as it is")
        }
        guard stop.canBeKept else {
            throw Failure(.refused, SafeText(line: stop.description), hint: desk.wayOut(of: stop))
        }
        let fit = try Problems.naming { () throws(StorageError) in try desk.home.keyFit(in: desk.store) }
        guard fit == .own else {
            // A file that cannot be read says so itself.
            _ = try Problems.naming { () throws(HomeError) in try desk.home.keys() }
            throw IdRestoreCommand.failure(.noKey, on: desk.home, verb: again)
        }
        // A node that starts later is noticed below.
        if let process = desk.glance.process {
            throw IdRestoreCommand.failure(.home(.busy(process: process)), on: desk.home, verb: again)
        }
        let lent = try lentKey(desk, console)
        try confirm(stop, on: console)
        let (proof, shown) = try await catchUp(desk, lent, on: console)
        if proof == .none {
            console.tell(
                "warning: no peer could say what it holds of your log: if entries are missing here, it forks with the next post"
            )
        }
        do throws(ReturnError) {
            let continuation = try desk.home.keep(lent: lent, shown: shown)
            if continuation.rewritten > 0 {
                console.tell(
                    "signed again: \(Amount.of(continuation.rewritten, "entry", "entries")) that nobody had yet"
                )
            }
        } catch {
            throw IdRestoreCommand.failure(error, on: desk.home, verb: again)
        }
        console.tell("kept: this home signs again")
    }

    /// A key for this command alone; nil if none is needed, as where a key change that was killed left the own log's.
    private func lentKey(_ desk: ReadingDesk, _ console: Console) throws -> DeviceKey? {
        let log = try Problems.naming { () throws(StorageError) in try desk.store.ownLog() }
        guard let log, try Problems.naming({ () throws(HomeError) in try desk.home.holdsUsableKey(of: log) }) else {
            return try Scribe.lentKey(desk, console)
        }
        return nil
    }

    /// The command once more, for hints.
    private var again: SafeText { yes ? "scurry id keep --yes" : "scurry id keep" }

    private func status(_ desk: ReadingDesk) throws(Failure) -> OwnLogState? {
        try Problems.naming { () throws(StorageError) in try desk.store.status().own }
    }

    private func confirm(_ stop: SigningStop, on console: Console) throws {
        if yes { return }
        guard console.asking == .allowed else {
            throw Failure(.refused, "nobody can be asked here", hint: "scurry id keep --yes, or scurry id restore")
        }
        console.tell(SafeText(line: stop.description + "."))
        console.tell("If another home with this key ever runs again, your log forks, and a part of it is lost.")
        guard Question.isAgreed("Is this the only home with this key, for good?", on: console) else {
            throw Declined(outcome: "nothing was changed")
        }
    }

    private enum Proof {
        case shown
        case none
    }

    /// Fetches the own log from peers, and once more if they hold another branch.
    ///
    /// - Returns: whether a peer showed at least the published size, and the greatest size that a peer claimed. If that
    ///   much has not come, entries are missing here.
    private func catchUp(_ desk: ReadingDesk, _ lent: DeviceKey?, on console: Console) async throws -> (Proof, UInt64) {
        let file = try Problems.naming { () throws(SystemError) in try PeersFile(reading: desk.home.layout.peers) }
        guard !file.peers.isEmpty else { return (.none, 0) }
        var proof = Proof.none
        var most: UInt64 = 0
        for _ in 0..<2 {
            do throws(ReturnError) {
                if let lent { try desk.home.withdraw(lent: lent) }
            } catch {
                throw IdRestoreCommand.failure(error, on: desk.home, verb: again)
            }
            let milliseconds = UInt64(timeout) * 1_000
            let round = try await LoneRound.run(
                desk.home,
                milliseconds: milliseconds,
                logging: .critical,
                on: console
            )
            // A peer that did not answer in this time will not in as long again.
            guard let shown = round.ownLogShown else { break }
            most = max(most, shown)
            if try shown >= status(desk)?.published ?? 0 { proof = .shown }
            if case .equal = round.outcome, try desk.signingStop() != .diverged { break }
        }
        return (proof, most)
    }
}
