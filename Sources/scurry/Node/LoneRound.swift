#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Logging
import Sync
import Transport

/// One round with every listed peer, by a node that lives for nothing else: it dials, and nobody can dial it.
struct LoneRound {
    let outcome: SyncOutcome
    /// The most of the own log that a peer has shown; nil if nobody answered.
    let ownLogShown: UInt64?
    /// How it stood with each peer at the end.
    let report: StatusReport

    /// Runs it to its end, or for so long; a signal ends it earlier.
    static func run(
        _ home: Home,
        milliseconds: UInt64,
        logging level: Logger.Level,
        on console: Console
    ) async throws -> LoneRound {
        var options = NodeOptions(listen: nil)
        options.dialling = .listed
        let settings = try Settings(home.layout)
        options.carry = try CarrySetting.options(settings, home)
        options.budget = try BudgetSetting.budget(typed: nil, settings)
        options.agent = "scurry/" + Version.text
        let log = Logger(label: "scurry") { _ in NodeLogHandler(console: console, logLevel: level) }
        let node: Node
        do throws(NodeError) {
            node = try await Node.open(home, options: options, log: log)
        } catch {
            throw NodeTerms.failure(error)
        }
        let watch = EndSignals { node.stop() }
        let running = Task { await node.run() }
        // A node that has not begun has called nobody: that must not pass for "nobody could be reached".
        _ = await node.wait(milliseconds: milliseconds) { status in
            status.targets.contains { $0.state != .idle } || !status.sessions.isEmpty
        }
        let outcome = await node.synced(milliseconds: milliseconds)
        let shown = await node.ownLogShown
        let report = await node.report()
        node.stop()
        await running.value
        watch.end()
        // Whoever ends it has it end as any program does: by the signal.
        if let signal = watch.received {
            // To the process: this thread may be one that has signals blocked.
            kill(getpid(), signal)
            try? await Task.sleep(for: .seconds(1))
        }
        return LoneRound(outcome: outcome, ownLogShown: shown, report: report)
    }
}
