import ArgumentParser
import Entries
import Foundation
import Storage
import Transport

// usage: bench flood [--kind garbage | identities | handshakes | reader | all] [--seconds N] [--rate N] [--people N]
//                    [--connections N] [--posts N] [--competing] [--runs N] [--json]

struct Flood: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Two nodes with live posts both ways, left in peace and then under attack.",
        discussion: """
            Example: bench flood --kind identities --runs 3 --json

            For each kind of attack two nodes are started anew, joined, and post by turns at a steady rate, first in peace, \
            then while one of them is attacked by a process of its own that calls from 250 addresses of the loopback \
            network, for which no limit by host holds. An attacker has a machine of its own: this one runs while a core has \
            nothing else to do (SCHED_IDLE), unless it is --competing, and what it brought all the same is said. A post that \
            falls into a stall counts from the moment at which it was due. The most memory is put beside what the node's \
            limits come to for so many connections. Kinds: noise, garbage, chatter (all three: garbage), identities, \
            handshakes, reader and readers (both: reader), all.
            """
    )

    @Option(help: "What to attack with.")
    var kind = "all"

    @Option(help: "Seconds in peace, and seconds under attack.", transform: WholeNumber.atLeastOne)
    var seconds = 10

    @Option(help: "Live posts a second, half of them each way.", transform: WholeNumber.atLeastOne)
    var rate = 100

    @Option(help: "People of whom a flood of identities has entries.", transform: WholeNumber.atLeastOne)
    var people = 10_000

    @Option(help: "Entries that each of them brings while it goes on, at most.", transform: WholeNumber.atLeastZero)
    var rounds = 10

    @Option(help: "Connections that do not finish the handshake.", transform: WholeNumber.atLeastOne)
    var connections = 500

    @Flag(help: "The attacker takes its turn on the cores beside the nodes, in place of what they leave.")
    var competing = false

    @OptionGroup var size: SizeOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard AttackKind.named(kind) != nil else { throw ValidationError("no such kind of attack: \(kind)") }
    }

    func run() throws {
        try common.report {
            var figures = Figures()
            for kind in AttackKind.named(kind) ?? [] { figures.add(try measure(kind), prefix: kind.rawValue + "_") }
            return figures
        }
    }

    private func measure(_ kind: AttackKind) throws -> Figures {
        let attacked = try RunningNode(try home(for: kind), program: common.scurry)
        let other = try RunningNode(TemporaryHome(of: .person), program: common.scurry)
        try other.join(attacked)
        try Stopwatch.wait(for: "two nodes in step", seconds: 600) {
            try other.status().peers.contains { $0.isInStep }
        }
        let base = try TemporaryHome(of: .hub, isInMemory: true)
        let attack = try AttackProcess(
            [kind.rawValue, "--target", attacked.address, "--home", base.layout.data]
                + ["--connections", "\(connections)", "--people", "\(people)", "--rounds", "\(rounds)"]
                + ["--seed", "\(common.seed)"] + (competing ? [] : ["--yielding"])
        )
        try base.writePeers([attacked.address])

        let quiet = try FloodPart(attacked, other, rate: rate, seconds: seconds, seed: common.seed)
        try attacked.forgetPeak()
        let spent = try attack.usage().cpuSeconds
        try attack.begin()
        let busy = try FloodPart(attacked, other, rate: rate, seconds: seconds, seed: common.seed &+ 1)
        let attackerCPU = try attack.usage().cpuSeconds - spent
        let accepted = try attacked.home.reader().status().entries
        let achieved = try attack.end()
        let over = Stopwatch.now()
        // Entries that a quota delayed arrive all the same: of a valid flood nothing is missing in the end.
        let expected = kind == .identities ? base : attacked.home
        try Self.meet(expected, attacked.home, seconds: 300)
        try Self.meet(attacked.home, other.home, seconds: 300)

        var figures = Figures()
        figures.add(quiet.figures, prefix: "quiet_")
        figures.add(busy.figures, prefix: "attacked_")
        let quietTail = quiet.figures["live_p99_milliseconds"] ?? 0
        figures.add("live_p99_ratio", (busy.figures["live_p99_milliseconds"] ?? 0) / max(quietTail, 0.001))
        figures.add("attacker_cpu_share", attackerCPU / busy.wallSeconds)
        figures.add(achieved, prefix: "attacker_")
        if kind == .identities { figures.add("entries_stored_under_attack", Double(accepted)) }
        // The peer that posts is one more connection.
        let guests = kind.connections(of: connections)
        let bound = MemoryBound(sessions: guests.sessions + 1, strangers: guests.strangers, logs: logs(of: kind))
        let megabytes = Double(bound.bytes) / 1_048_576
        let share = (busy.figures["peak_megabytes"] ?? 0) / megabytes
        figures.add("memory_bound_megabytes", megabytes)
        figures.add("memory_bound_share", share)
        figures.add("memory_bound_kept", share <= 1 ? 1 : 0)
        figures.add("frontiers_met_after_seconds", Stopwatch.now() - over)
        return figures
    }

    /// A home for an attack: a reader asks for everything, so there must be much.
    private func home(for kind: AttackKind) throws -> TemporaryHome {
        switch kind {
        case .reader, .readers: try TemporaryHome(of: .person, holding: size, seed: common.seed)
        case .noise, .garbage, .chatter, .identities, .handshakes: try TemporaryHome(of: .person)
        }
    }

    private func logs(of kind: AttackKind) -> Int {
        switch kind {
        case .identities: people + 2
        case .reader, .readers: size.writers + 2
        case .noise, .garbage, .chatter, .handshakes: 2
        }
    }

    private static func meet(_ one: TemporaryHome, _ other: TemporaryHome, seconds: Double) throws {
        let (one, other) = (try one.reader(), try other.reader())
        try Stopwatch.wait(for: "an equal fingerprint", seconds: seconds, every: 100_000) {
            let (first, second) = (try one.fingerprint(), try other.fingerprint())
            return first.fingerprint == second.fingerprint && first.gaps == 0 && second.gaps == 0
        }
    }
}
