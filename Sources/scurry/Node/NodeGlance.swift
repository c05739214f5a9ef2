import Transport

/// What the running node says of itself, asked once and without patience: reading never waits for a node.
struct NodeGlance: Sendable {
    /// A node that takes longer counts as silent: nobody waits for a heading. A guess.
    private static let patienceMilliseconds: UInt64 = 250

    enum Answer: Sendable {
        case running(StatusReport)
        case notRunning
        /// It runs and does not answer; nil where it did not leave the id of its process.
        case silent(process: Int32?)
    }

    let answer: Answer
    /// Lines of the peers file.
    let listed: Int

    init(of home: Home) {
        listed = (try? PeersFile(reading: home.layout.peers).peers.count) ?? 0
        do throws(ControlError) {
            let client = ControlClient(home.layout, patience: NodeGlance.patienceMilliseconds)
            if case .status(let report) = try client.send(.status) {
                answer = .running(report)
            } else {
                answer = .silent(process: nil)
            }
        } catch {
            answer =
                switch error {
                case .noNode: .notRunning
                case .notResponding(let process), .unanswered(let process): .silent(process: process)
                case .interrupted, .notUnderstood: .silent(process: nil)
                }
        }
    }

    var report: StatusReport? {
        switch answer {
        case .running(let report): report
        case .notRunning, .silent: nil
        }
    }

    /// The node's process; nil where none runs, or nobody knows which it is.
    var process: Int32? {
        switch answer {
        case .running(let report): report.process
        case .silent(let process): process
        case .notRunning: nil
        }
    }

    /// What ends a node that does not answer, and starts another.
    static func ending(_ process: Int32?) -> SafeText {
        process.map { "kill \($0), then scurry run" } ?? "end the node, then scurry run"
    }

    /// Logs of which somebody who is connected says to have more; 0 where no node runs: nobody is there to say so.
    var wantedLogs: Int { report?.wantedLogs ?? 0 }

    var hasPeers: Bool { listed > 0 || report?.peers.isEmpty == false }

    /// `2 peers, synced 4 s ago`
    func heading(_ clock: TimeText) -> SafeText {
        switch answer {
        case .silent: return "the node does not answer"
        case .notRunning: return hasPeers ? "node not running" : "no peers yet"
        case .running(let report):
            if report.peers.isEmpty { return "no peer connected" }
            let count: SafeText = report.peers.count == 1 ? "1 peer" : "\(report.peers.count) peers"
            let silent = report.peers.count { $0.silence(now: clock.now) != nil }
            if silent > 0 { return "\(count), \(silent) of them silent" }
            guard report.peers.allSatisfy(\.isSettled) else { return "\(count), syncing" }
            let last = report.peers.compactMap(\.lastEqual).min()
            return last.map { "\(count), synced \(clock.age($0))" } ?? "\(count), in step"
        }
    }

    /// Who holds what this node holds, as far as it knows.
    var holders: SafeText {
        let others = report?.peers.count(where: \.isInStep) ?? 0
        switch others {
        case 0: return "this node"
        case 1: return "this node and 1 connected peer"
        default: return "this node and \(others) connected peers"
        }
    }
}

extension StatusReport.Peer {
    /// Nothing is on its way from this peer, and it was seen to hold the same: what one of the two has written since, the
    /// other has by now or is being told, and they compare again as soon as both are quiet.
    var isSettled: Bool { isInStep || (wants == 0 && lastEqual != nil) }

    /// A peer that lives says so twice a minute.
    private static let silenceSeconds: UInt64 = 35

    /// For how many seconds nothing came, where that is longer than a peer that lives is silent; nil: it is not.
    func silence(now: UInt64) -> UInt64? {
        guard let lastHeard, now >= lastHeard + Self.silenceSeconds * 1_000 else { return nil }
        return (now - lastHeard) / 1_000
    }

    /// How many of those who are connected are settled, as `scurry peers` has it, which says how each is; nil: all are.
    static func behind(of peers: [Self]) -> SafeText? {
        let settled = peers.count(where: \.isSettled)
        return settled == peers.count ? nil : "\(peers.count) connected, \(settled) in step"
    }
}
