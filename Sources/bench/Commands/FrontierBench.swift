import ArgumentParser
import Entries
import Foundation
import Sodium
import Sync

// usage: bench frontier [--logs N] [--changed K] [--pattern newest|campus|spread] [--staged|--whole] [--seed N]
// [--json]

struct FrontierBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "frontier",
        abstract: "Two frontiers that differ in a few logs, and no cursor: what a reconciliation says and takes.",
        discussion: """
            Example: bench frontier --logs 1000000 --changed 100 --pattern campus

            Both sides' own machines in this process, without the channel. The logs wrote last within three years, most \
            of them long ago; those that changed did so within the hour. Bytes are those of the Reconcile messages; what is \
            asked and said of the items found, and the entries, come on top.
            """
    )

    enum Pattern: String, ExpressibleByArgument, CaseIterable {
        /// The logs that were written last.
        case newest
        /// Mostly logs that were written lately.
        case campus
        /// Random logs.
        case spread
    }

    enum Mode: String, EnumerableFlag {
        case staged
        case whole
    }

    @Option(help: "Logs that both sides hold.", transform: WholeNumber.atLeastOne)
    var logs = 1_000_000

    @Option(help: "Logs of which the side that was dialled has one entry more.", transform: WholeNumber.atLeastZero)
    var changed = 100

    @Option(help: "Which they are: newest, campus or spread.")
    var pattern = Pattern.campus

    @Flag(help: "The newest first, then the whole; or the whole at once.")
    var mode = Mode.staged

    @Option(help: "Seed of every random choice.")
    var seed: UInt64 = 1

    @Flag(help: "One JSON object instead of lines.")
    var json = false

    func run() throws {
        guard logs >= 1, changed >= 0, changed <= logs else {
            throw BenchError("there are at least as many logs as those that changed, and one")
        }
        let town = FrontierTown(logs: logs, seed: seed)
        let before = try ProcessMemory.residentBytes()
        let begun = Stopwatch.now()
        var tree = FingerprintTree(town.items)
        let built = Stopwatch.now() - begun
        let bytes = try ProcessMemory.residentBytes() - before

        var figures = try Self.measure(town, tree, changed: changed, pattern, mode)
        figures.add("tree_build_seconds", built)
        figures.add("tree_bytes_per_item", Double(bytes) / Double(logs))
        let updates = min(logs, 1_000_000)
        var moving = town
        let fresh = (0..<updates).map { _ in moving.move() }
        let start = Stopwatch.now()
        for (old, new) in fresh { tree.change(old, to: new) }
        figures.add("tree_nanoseconds_per_update", (Stopwatch.now() - start) * 1e9 / Double(max(1, updates)))
        print(figures.text(json ? .json : .lines))
    }

    /// Reconciles the frontier with a copy in which some logs have grown.
    static func measure(
        _ town: FrontierTown,
        _ tree: FingerprintTree,
        changed: Int,
        _ pattern: Pattern,
        _ mode: Mode
    ) throws -> Figures {
        var (there, asker, answerer) = (town, tree, tree)
        for log in there.choose(changed, pattern) { answerer.change(town.items[log], to: there.advance(log)) }
        var dialogue = Dialogue()
        let only: ReconcileStage? = mode == .staged ? nil : .whole
        try dialogue.run(&asker, answerer, only) { log in (town.items[Int(log)], there.items[Int(log)]) }
        guard asker.sum == answerer.sum else { throw BenchError("the two frontiers are not equal in the end") }
        var figures = Figures()
        figures.add("logs", Double(town.items.count))
        figures.add("changed", Double(changed))
        figures.add("stages", Double(dialogue.stages))
        figures.add("rounds", Double(dialogue.rounds))
        figures.add("reconcile_bytes", Double(dialogue.bytes))
        figures.add("items_bytes", Double(dialogue.itemBytes))
        figures.add("asker_cpu_milliseconds", dialogue.askerSeconds * 1_000)
        figures.add("answerer_cpu_milliseconds", dialogue.answererSeconds * 1_000)
        figures.add("cpu_milliseconds_both", (dialogue.askerSeconds + dialogue.answererSeconds) * 1_000)
        // What a session with a known cursor sends for each: a LogSize in Changes.
        let cursor = Double(FrontierTown.logSizeBytes)
        figures.add("cursor_bytes_per_difference", cursor)
        figures.add("cursor_share_of_bytes", cursor * Double(changed) / Double(dialogue.bytes + dialogue.itemBytes))
        return figures
    }
}

extension FingerprintTree {
    /// Replaces an item by its newer state.
    fileprivate mutating func change(_ old: TimedItem, to new: TimedItem) {
        _ = remove(old)
        insert(new)
    }
}

/// A reconciliation from the first stage to the last, and its cost.
private struct Dialogue {
    private(set) var stages = 0
    private(set) var rounds = 0
    private(set) var bytes = 0
    private(set) var itemBytes = 0
    private(set) var askerSeconds = 0.0
    private(set) var answererSeconds = 0.0

    /// Bytes of length, type, stage, round and the message's own length.
    private static let headBytes = 13

    /// Runs all stages, as a node does, or only the one that is given.
    mutating func run(
        _ asker: inout FingerprintTree,
        _ answerer: FingerprintTree,
        _ only: ReconcileStage?,
        items: (UInt32) -> (old: TimedItem, new: TimedItem)
    ) throws {
        var next: ReconcileStage? = only ?? .first(of: asker.count)
        while let stage = next {
            let outcome = try compare(stage, asker, answerer)
            // The asker does not send its older items of the logs in which the answerer is ahead.
            itemBytes += outcome.need.count * (34 + FrontierTown.heldLogBytes)
            let listed = Dictionary(outcome.listed.map { ($0.id, $0.log) }, uniquingKeysWith: { $1 })
            for id in outcome.need {
                guard let log = listed[id] else { throw BenchError("an item that was not listed") }
                let (old, new) = items(log)
                asker.change(old, to: new)
            }
            next = only == nil ? stage.next(found: outcome.have.count + outcome.need.count, of: asker.count) : nil
        }
    }

    /// What a stage found.
    private struct Findings {
        var have: [TimedItem] = []
        var need: [Bytes32] = []
        /// Items that the answerer listed.
        var listed: [TimedItem] = []
    }

    private mutating func compare(_ stage: ReconcileStage, _ asker: FingerprintTree, _ answerer: FingerprintTree) throws
        -> Findings
    {
        stages += 1
        var all = Findings()
        let begun = Stopwatch.cpu()
        let asking = Negentropy(asker, frameLimit: Limits.reconciliationFrameBytes)
        var message: [UInt8]? = asking.opening(from: stage.start(of: asker.count))
        askerSeconds += Stopwatch.cpu() - begun
        let answering = Negentropy(answerer, frameLimit: Limits.reconciliationFrameBytes)
        while let question = message {
            rounds += 1
            let asked = Stopwatch.cpu()
            let answer = try answering.answer(question)
            let answered = Stopwatch.cpu()
            let step = try asking.next(answer.message)
            answererSeconds += answered - asked
            askerSeconds += Stopwatch.cpu() - answered
            bytes += question.count + answer.message.count + 2 * Self.headBytes
            all.have.append(contentsOf: step.have)
            all.need.append(contentsOf: step.need)
            all.listed.append(contentsOf: answer.listed)
            message = step.message
        }
        return all
    }
}
