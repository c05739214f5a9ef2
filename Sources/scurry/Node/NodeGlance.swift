import Storage
import Transport

/// The running node's status, requested once with a short timeout: reading never waits for a node.
struct NodeGlance: Sendable {
    enum Answer: Sendable {
        case running(StatusReport)
        case notRunning
        /// The node runs and does not answer.
        case silent(SilentNode)
        /// This command can open no file to ask it (EMFILE, ENFILE).
        case unknown(SystemError)

        init(_ error: ControlError) {
            self =
                switch error {
                case .noNode: .notRunning
                case .notResponding(let process), .unanswered(let process): .silent(SilentNode(process))
                case .interrupted(let error) where error.reason == .tooManyFiles: .unknown(error)
                case .interrupted, .notUnderstood: .silent(SilentNode(nil))
                }
        }

        /// The failure of a command that has to know of the node and cannot ask it; nil: it is known.
        var failure: Failure? {
            switch self {
            case .unknown(let error): Problems.failure(HomeError.system(error))
            case .running, .notRunning, .silent: nil
            }
        }
    }

    let answer: Answer
    /// Number of peers in the peers file; several lines for one node, as far as its id is known, are one.
    let listed: Int

    /// `patience`: milliseconds within which the node may answer.
    init(of home: Home, patience: UInt64 = TransportLimits.controlGlanceMilliseconds) {
        let known = (try? KnownNodes(reading: home.layout.knownNodes)) ?? KnownNodes()
        listed = (try? PeersFile(reading: home.layout.peers).peersCount(known)) ?? 0
        let client = ControlClient(home.layout, patience: patience)
        do throws(ControlError) {
            if case .status(let report) = try client.send(.status) {
                answer = .running(report)
            } else {
                answer = .silent(SilentNode(nil))
            }
        } catch .notResponding(let process) {
            answer = .silent(SilentNode(process, of: client))
        } catch {
            answer = Answer(error)
        }
    }

    var report: StatusReport? {
        switch answer {
        case .running(let report): report
        case .notRunning, .silent, .unknown: nil
        }
    }

    /// The node's process id; nil if none runs or its id is unknown.
    var process: Int32? {
        switch answer {
        case .running(let report): report.process
        case .silent(let node): node.process
        case .notRunning, .unknown: nil
        }
    }

    /// The command that ends a node that does not answer, and starts another.
    static func ending(_ process: Int32?) -> SafeText {
        process.map { "kill \($0), then scurry run" } ?? "end the node, then scurry run"
    }

    static func ending(_ node: SilentNode) -> SafeText { node.help }

    /// Logs of which a connected peer offers more, or of which only a part has come.
    ///
    /// - Parameter store: of the home.
    /// - Returns: how many; without an answer of a node the latter alone.
    /// - Throws: `StorageError` if the store cannot be read.
    func wantedLogs(_ store: StoreReader) throws(StorageError) -> Int {
        if let report { return report.wantedLogs }
        return try store.begunLogs()
    }

    /// Why the last write failed; nil: it did not, or no node says so.
    var storeFailure: SafeText? {
        report?.storeFailure.map { "the last write failed: \(SafeText(line: $0))" }
    }

    /// Whether something has come and is not stored. An own post that did not fit is not meant: nothing waits for it.
    var isStoreBehind: Bool {
        // A node of an earlier version does not tell the two apart.
        report.map { $0.isStoreBehind ?? ($0.storeFailure != nil) } ?? false
    }

    /// Whether all is here, as far as the store and the node can say.
    func isComplete(_ print: FingerprintReport, wantedLogs: Int) -> Bool {
        print.isComplete && wantedLogs == 0 && !isStoreBehind
    }

    var hasPeers: Bool { listed > 0 || report?.peers.isEmpty == false }

    /// `2 peers, synced 4 s ago`
    func heading(_ clock: TimeText) -> SafeText {
        switch answer {
        case .silent: return "the node does not answer"
        case .unknown: return "the node cannot be asked"
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

    /// Peers that are known to hold the same as this node; nil if none runs. One that carries other people than this
    /// node is in step with less.
    var holderCount: Int? { report.map { $0.peers.count { $0.isInStep && $0.commonPeople == nil } } }

    /// The nodes that are known to hold the same as this one.
    var holders: SafeText {
        let peers = report?.peers ?? []
        let others = holderCount ?? 0
        let known: SafeText =
            others == 0 ? "this node" : "this node and \(Amount.of(others, "connected peer", "connected peers"))"
        let busy = peers.count { !$0.isInStep }
        guard busy > 0 else { return known }
        // What these hold is known again once both sides have compared.
        return "\(known); \(Amount.of(busy, "peer is", "peers are")) not in step just now"
    }
}

extension StatusReport.Peer {
    /// Whether nothing is wanted from this peer, and it was once equal: entries written since have arrived or are being
    /// pushed, and the two compare again as soon as both are quiet.
    var isSettled: Bool { isInStep || (wants == 0 && lastEqual != nil) }

    /// Silence that is reported: a live peer sends a KeepAlive twice a minute.
    private static let silenceSeconds: UInt64 = 35

    /// Seconds since the last byte from the peer, if it is silent for longer than a live peer; nil otherwise.
    func silence(now: UInt64) -> UInt64? {
        guard let lastHeard, now > lastHeard else { return nil }
        let seconds = (now - lastHeard) / 1_000
        return seconds < Self.silenceSeconds ? nil : seconds
    }

    /// How many connected peers are settled, by the rule of `scurry peers`; nil: all are.
    static func behind(of peers: [Self]) -> SafeText? {
        let settled = peers.count(where: \.isSettled)
        return settled == peers.count ? nil : "\(peers.count) connected, \(settled) in step"
    }
}
