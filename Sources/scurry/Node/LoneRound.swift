#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Logging
import Sync
import Transport

/// One sync round with every listed peer by a temporary node, which dials and does not listen.
struct LoneRound {
    let outcome: SyncOutcome
    /// The greatest size of the own log that a peer has shown; nil if no peer answered.
    let ownLogShown: UInt64?
    /// The state of each peer at the end.
    let report: StatusReport
    /// What was logged about calls to listed peers, and has not been said yet.
    let held: HeldLines

    /// Runs the round until all are in step, the time is over, or a signal comes.
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
        let (queued, messages) = console.queued()
        let listed = (try? PeersFile(reading: home.layout.peers))?.peers.map(\.address.text) ?? []
        let held = HeldLines()
        let log = Logger(label: "scurry") { _ in
            RoundLogHandler(console: queued, listed: listed, held: held, logLevel: level)
        }
        let node: Node
        do throws(NodeError) {
            node = try await Node.open(home, options: options, log: log, for: .round)
        } catch {
            messages.finish()
            throw NodeTerms.failure(error, on: home)
        }
        let watch = EndSignals { node.stop() }
        let running = Task { await node.run() }
        // Before its first dial a node would report that nobody could be reached.
        _ = await node.wait(milliseconds: milliseconds) { status in
            status.targets.contains { $0.state != .idle } || !status.sessions.isEmpty
        }
        let outcome = await node.synced(milliseconds: milliseconds)
        let shown = await node.ownLogShown
        let report = await node.report()
        node.stop()
        await running.value
        watch.end()
        // Then there is no list that could say it.
        if watch.received != nil { for line in held.unsaid(beside: []) { queued.say([line]) } }
        messages.finish()
        // After a signal the process ends by that signal, as any program does.
        if let signal = watch.received {
            // Sent to the process: this thread may have signals blocked.
            kill(getpid(), signal)
            try? await Task.sleep(for: .seconds(1))
        }
        return LoneRound(outcome: outcome, ownLogShown: shown, report: report, held: held)
    }
}
