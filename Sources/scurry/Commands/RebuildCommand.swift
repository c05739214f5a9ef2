// scurry rebuild

import ArgumentParser
import Storage
import Transport

struct RebuildCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Make everything that is shown anew from what was signed.",
        usage: "scurry rebuild",
        discussion: """
            What is as its author signed it is not touched. A log of somebody else that is not, since the disk changed \
            it, is dropped, and comes back from peers. The node must not run meanwhile.

            Example:
              scurry rebuild
            """
    )

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let lock: HomeLock
        do throws(HomeError) {
            lock = try HomeLock(home.layout)
        } catch {
            guard case .busy(let process) = error else { throw Problems.failure(error) }
            throw Occupied.failure(process, on: home) {
                Failure(
                    .tryAgain,
                    Problems.failure(error).message,
                    hint: process.map { "kill \($0), then scurry rebuild" } ?? "scurry status"
                )
            }
        }
        defer { withExtendedLifetime(lock) {} }
        let report = try Problems.naming { () throws(StorageError) in
            let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
            defer { try? store.close() }
            return try store.rebuild()
        }
        let source: SafeText =
            "\(Amount.of(report.entries, "entry", "entries")) of \(Amount.of(report.logs, "log", "logs"))"
        console.tell("rebuilt \(Amount.of(report.posts, "post", "posts")) from \(source)")
        if report.droppedLogs > 0 {
            let logs = Amount.of(report.droppedLogs, "damaged log: it comes", "damaged logs: they come")
            console.tell("dropped \(logs) back from peers")
        }
        guard report.isOwnLogDamaged else { return }
        throw Failure(.partly, "\(DamageTerms.ownLog); it is kept as it is", hint: Problems.damage)
    }
}
