// scurry sync [--timeout S] [--quiet]

import ArgumentParser
import Entries
import Logging
import Storage
import Sync
import Transport

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Call every peer once, and wait until all hold the same.",
        usage: "scurry sync [--timeout S] [--quiet]",
        discussion: """
            For cron, and for machines where nothing may stay running. With a running node it is the node that does it. \
            A peer that cannot be reached is told, and is no failure as long as another one can; --quiet tells of \
            failures alone.

            Example:
              scurry sync --timeout 60
            """
    )

    @Option(name: .long, help: ArgumentHelp("Seconds until it gives up.", valueName: "s"))
    var timeout = 30

    @Flag(name: .shortAndLong, help: "Say nothing unless it fails.")
    var quiet = false

    @OptionGroup var common: CommonOptions

    /// One day; a longer timeout is a mistake in a script.
    private static let timeoutAtMost = 86_400

    func validate() throws {
        guard (1...SyncCommand.timeoutAtMost).contains(timeout) else {
            throw ValidationError("--timeout takes 1 to \(SyncCommand.timeoutAtMost) seconds")
        }
    }

    func run() async throws {
        let console = Console(common)
        let home = try HomeDoor.open(console.environment)
        let milliseconds = UInt64(timeout) * 1_000
        let end: (outcome: SyncOutcome, report: StatusReport?)
        var held: HeldLines?
        if let outcome = try throughNode(home, milliseconds) {
            // What became of the round depends on it.
            let glance = NodeGlance(of: home, patience: TransportLimits.controlAnswerMilliseconds)
            if let failure = glance.storeFailure { console.tell(failure) }
            end = (outcome, glance.report)
        } else {
            let round = try await alone(home, milliseconds, on: console)
            end = (round?.outcome ?? .noPeers, round?.report)
            held = round?.held
        }
        if end.outcome == .noPeers, let failure = try callingNobody(home) { throw failure }
        let rows = try end.report.map { try missing($0, home) } ?? []
        for line in held?.unsaid(beside: rows) ?? [] { console.say([line]) }
        if case .equal(let peers, let lost) = end.outcome, try isCarriedByNobody(end.report, home) {
            throw keptBack(peers, lost, missing: rows, on: console)
        }
        try report(end.outcome, missing: rows, on: console)
    }

    /// Whether no connected peer takes what this home writes: each carries others only.
    private func isCarriedByNobody(_ report: StatusReport?, _ home: Home) throws(Failure) -> Bool {
        guard let peers = report?.peers, !peers.isEmpty, peers.allSatisfy({ $0.carriesOwn == false }) else {
            return false
        }
        let store = try Problems.naming { () throws(HomeError) in try home.storeReader() }
        let own = try Problems.naming { () throws(StorageError) in try store.status().own }
        return own.map { $0.size > 0 } ?? false
    }

    /// The failure of a home whose entries nobody took.
    private func keptBack(_ peers: Int, _ lost: Int, missing rows: [PeerRow], on console: Console) -> Failure {
        let who: SafeText = peers == 1 ? "1 peer, which does not carry" : "\(peers) peers, none of which carries"
        let unreached: SafeText = lost == 0 ? "" : "; \(lost) could not be reached"
        return Failure(
            .partly,
            "in step with \(who) your posts: nothing of yours goes out\(unreached)",
            hint: "scurry join HOST:7776, with a peer that carries you",
            candidates: lines(rows, console.clock)
        )
    }

    /// Waits for the running node to be in step; nil if no node runs.
    private func throughNode(_ home: Home, _ milliseconds: UInt64) throws(Failure) -> SyncOutcome? {
        let response: ControlResponse
        var round: Int32?
        do throws(ControlError) {
            let patience = min(milliseconds, TransportLimits.controlAnswerMilliseconds)
            let connection = try ControlClient(home.layout, patience: patience).connection()
            // Answered at once: a node that hangs is not waited for beyond the timeout.
            let status = try connection.send(.status)
            if case .status(let report) = status, report.isRound == true { round = report.process }
            response = try connection.send(.sync(milliseconds: milliseconds))
        } catch {
            switch error {
            case .noNode: return nil
            case .notResponding, .unanswered:
                throw Failure(.tryAgain, "the node does not answer", hint: "scurry status")
            // It is this command that has too many.
            case .interrupted(let error) where error.reason == .tooManyFiles:
                throw Problems.failure(HomeError.system(error))
            case .interrupted(let error):
                if let round { throw Self.ended(round) }
                throw Failure(
                    .tryAgain,
                    "the connection to the node broke: \(SafeText(line: error.description))",
                    hint: "scurry status"
                )
            case .notUnderstood: throw Self.otherVersion
            }
        }
        switch response {
        case .synced(.stopped):
            guard let round else { return .stopped }
            throw Self.ended(round)
        case .synced(let outcome): return outcome
        case .failed(let failure): throw Problems.failure(failure)
        case .appended, .refused, .status, .imported, .released, .done:
            throw Self.otherVersion
        }
    }

    /// The failure where the round was that of another `scurry sync`, which ended, as by its time limit.
    private static func ended(_ process: Int32) -> Failure {
        Failure(
            .tryAgain,
            "another command (process \(process)) was calling the peers, and has ended meanwhile",
            hint: "scurry sync"
        )
    }

    private static let otherVersion = Failure(
        .failure,
        "the node is of another version",
        hint: "restart it: scurry run"
    )

    /// A round by a temporary node; nil: nobody is listed.
    private func alone(_ home: Home, _ milliseconds: UInt64, on console: Console) async throws -> LoneRound? {
        let file = try Problems.naming { () throws(SystemError) in try PeersFile(reading: home.layout.peers) }
        guard !file.peers.isEmpty else { return nil }
        let level: Logger.Level = quiet ? .error : .warning
        return try await LoneRound.run(home, milliseconds: milliseconds, logging: level, on: console)
    }

    /// The listed peers that are not in step.
    private func missing(_ report: StatusReport, _ home: Home) throws(Failure) -> [PeerRow] {
        let file = try Problems.naming { () throws(SystemError) in try PeersFile(reading: home.layout.peers) }
        return PeerRow.all(file, report).filter { $0.isListed && $0.session?.isInStep != true }
    }

    /// The reason why a node with listed peers dials none of them; nil: there are none.
    private func callingNobody(_ home: Home) throws(Failure) -> Failure? {
        let file = try Problems.naming { () throws(SystemError) in try PeersFile(reading: home.layout.peers) }
        guard !file.peers.isEmpty else { return nil }
        let isSet = try !Settings(home.layout).isOn(.dial)
        return Failure(
            .needsPeer,
            "this node calls nobody: it waits to be called",
            hint: isSet
                ? "scurry config dial on, and start the node again" : "start the node without --no-dial: scurry run"
        )
    }

    /// The peers and why they are not in step, one a line.
    private func lines(_ rows: [PeerRow], _ clock: TimeText) -> [SafeText] {
        rows.map { "\(place($0))  \($0.reason(clock))" }
    }

    private func place(_ row: PeerRow) -> SafeText { SafeText(line: row.address ?? "unknown address") }

    private func report(_ outcome: SyncOutcome, missing rows: [PeerRow], on console: Console) throws(Failure) {
        let missing = lines(rows, console.clock)
        switch outcome {
        case .equal where quiet: return
        case .equal(let peers, 0): console.tell("in step with \(Amount.of(peers, "peer", "peers"))")
        case .equal(let peers, let lost):
            console.tell("in step with \(Amount.of(peers, "peer", "peers")); \(lost) could not be reached")
            for row in rows { console.note("scurry: warning: \(place(row)): \(row.reason(console.clock))") }
        case .timedOut(let peers, let equal):
            throw Failure(
                .tryAgain,
                "not done within \(timeout) s: in step with \(equal) of \(Amount.of(peers, "peer", "peers"))",
                // More time helps where a peer is at work, and not where none answers.
                hint: rows.isEmpty || rows.contains { $0.session != nil }
                    ? "scurry sync --timeout \(timeout * 4)" : "scurry doctor",
                candidates: missing
            )
        case .unreachable(let tried):
            throw Failure(
                .needsPeer,
                "none of \(Amount.of(tried, "peer", "peers")) could be reached",
                hint: "scurry doctor",
                candidates: missing
            )
        case .noPeers: throw Failure(.needsPeer, "there are no peers", hint: "scurry join HOST:7776")
        case .stopped: throw Failure(.tryAgain, "the node was stopped meanwhile", hint: "scurry sync")
        }
    }
}
