// scurry backup FILE

import ArgumentParser
import Storage
import Transport

struct BackupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write everything of this home but the device key into one file.",
        usage: "scurry backup FILE",
        discussion: """
            Posts, read marks, drafts, peers, settings, the node's key, and a private network's secret: FILE can be \
            read by you alone, and is never overwritten. A node may run meanwhile. The device key stays here: scurry \
            restore and the recovery words bring you back under a new one.

            The database is copied first, into the home, or beside FILE where the home's disk is full: that disk then \
            needs room for it twice. Afterwards the logs are compared with what was signed, your own first, for up to \
            ten seconds: where the disk changed one, the backup has it as it is, and the exit code is 6.

            Example:
              scurry backup ~/scurry.backup
            """
    )

    @Argument(help: ArgumentHelp("The new file.", valueName: "file"))
    var file: String

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        // A backup holds the node's key, so it is never written to a stream.
        guard file != "-" else {
            throw Failure(.usage, "a backup is a file that you alone can read", hint: "scurry backup FILE")
        }
        let home = try HomeDoor.open(console.environment)
        let report: Home.BackupReport
        do throws(BackupError) {
            defer { RemovalAtSignal.end() }
            report = try home.backUp(to: file) { RemovalAtSignal.begin($0) }
        } catch {
            if case .home(.system(let failure)) = error { throw Problems.failure(.system(failure)) }
            throw RestoreCommand.failure(error, file: file)
        }
        let place = SafeText(line: file)
        let command: SafeText = "scurry restore \(ShellWord.quoted(file))"
        for name in report.leftOut { console.tell("left out: \(SafeText(line: name)) is no file of a home") }
        if report.readers == .others {
            console.tell("warning: other users can read \(place): there files are open to all")
        }
        console.tell("saved all but the device key in \(place); to come back: \(command)")
        try examine(home, on: console)
    }

    /// Says what a disk has changed in what was saved: another node or an older backup may hold it as it was signed.
    private func examine(_ home: Home, on console: Console) throws(Failure) {
        let examination: Examination
        do throws(StorageError) {
            let store = try StoreReader(path: home.layout.store, network: home.network)
            guard !store.isFrozen else {
                // Without locks, what is being written meanwhile would look like damage.
                console.tell("warning: not compared with what was signed, since the disk is full: scurry doctor")
                return
            }
            examination = try DamageTerms.examination(of: store)
        } catch {
            // The backup is there: only damage is a reason to end as if it were not whole.
            guard case .damaged = error else {
                console.tell("warning: not compared with what was signed: \(SafeText(line: error.description))")
                return
            }
            throw Failure(.partly, SafeText(line: error.description), hint: "scurry doctor")
        }
        if examination.reach == .first {
            console.tell("compared with what was signed: the first \(examination.entries) entries, and not the others")
        }
        if let failure = DamageTerms.saved(examination) { throw failure }
    }
}
