// scurry unlock [--passphrase-file FILE]

import ArgumentParser
import FoundationEssentials
import Sodium
import Transport

struct UnlockCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Open the key of this device with its passphrase.",
        usage: "scurry unlock [--passphrase-file FILE]",
        discussion: """
            The opened key lies in memory, in a directory of yours alone ($XDG_RUNTIME_DIR, or /dev/shm), until scurry \
            lock or until the machine restarts (the system may swap it out); restarting the node asks nothing. On a \
            terminal the passphrase is asked for; it is never an argument.

            Example:
              scurry unlock
            """
    )

    /// As many attempts as a login gives.
    private static let attempts = 3

    @OptionGroup var passphrase: PassphraseOptions

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        switch try Problems.naming({ () throws(HomeError) in try home.keys().person }) {
        case .none: throw Scribe.keyless(home)
        case .open(_, .none): return console.tell("there is no passphrase: nothing is locked")
        case .open(_, .passphrase):
            // The node may not have heard of it when it was unlocked.
            try tellNode(home)
            return console.tell("it is unlocked")
        case .locked: break
        }
        let source = Passphrase(file: passphrase.passphraseFile, console: console, command: "scurry unlock")
        switch try UnlockCommand.open(home, source, on: console) {
        case .unlocked:
            try tellNode(home)
            console.tell("unlocked until scurry lock, or until the machine restarts")
        case .nowhere(let device): try hand(device, to: home, on: console)
        case .wasOpen: console.tell("it is unlocked")
        case .hub: throw Scribe.keyless(home)
        case .noMemory: throw LockCommand.noMemory
        case .wrongPassphrase: throw UnlockCommand.wrongPassphrase
        }
    }

    static let wrongPassphrase = Failure(.locked, "that is not the passphrase", hint: "scurry unlock")

    /// Opens the device key; a terminal is asked again, a file is read once.
    static func open(_ home: Home, _ source: Passphrase, on console: Console) throws -> Home.UnlockOutcome {
        for attempt in 1...attempts {
            let secret = try source.known()
            let outcome = try Problems.naming { () throws(HomeError) in try home.unlock(secret) }
            guard case .wrongPassphrase = outcome, source.file == nil, attempt < attempts else { return outcome }
            console.tell("that is not the passphrase")
        }
        return .wrongPassphrase
    }

    private func tellNode(_ home: Home) throws(Failure) {
        let hearing = NodeNotice.keyChanged(home)
        if let failure = NodeNotice.failure(hearing, .tryAgain, done: "unlocked", "stays locked") { throw failure }
    }

    /// Hands the opened key to the running node, where no file may hold it.
    private func hand(_ device: Home.OpenDevice, to home: Home, on console: Console) throws {
        let node = try Problems.naming { () throws(HomeError) in try home.keys().node }
        let response: ControlResponse
        do throws(ControlError) {
            response = try ControlClient(home.layout).send(.unlock(sealed: Data(device.sealed(for: node))))
        } catch {
            guard case .noNode = error else {
                throw Failure(.tryAgain, "the node does not answer", hint: "scurry status")
            }
            throw Failure(
                .failure,
                "nothing here keeps a key in memory alone, and no node runs that could hold it",
                hint: "scurry run, then scurry unlock; or scurry post, which asks each time"
            )
        }
        guard case .done = response else {
            throw Failure(.failure, "the node did not take the key", hint: "restart it: scurry run")
        }
        console.tell(
            "unlocked until scurry lock, or until the node ends: nothing else here keeps a key in memory alone"
        )
    }
}
