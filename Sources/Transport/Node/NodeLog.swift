internal import Entries
internal import Logging
internal import Storage
internal import Sync

/// What a person acts on, in the log; everything else is silence, or `debug`.
extension Node {
    func tell(_ report: NodeReport) {
        switch report {
        case .connected(let node, let address, let agent):
            log.notice("connected: \(name(node, address)) (\(Printable(agent)))")
        case .lost(let node, let address, let reason):
            log.notice("connection lost: \(name(node, address)): \(words(reason))")
        case .dialFailed(let address, let failure, let retry):
            let wait = "next attempt in \((retry + 999) / 1_000) s"
            // A name that does not resolve is somebody's typing; the rest is weather.
            let level: Logger.Level = failure == .nameNotFound ? .warning : .notice
            log.log(level: level, "cannot reach \(address.text): \(words(failure)); \(wait)")
        case .violation(let node, let address, let violation, let backoff):
            let who = node.map { name($0, address) } ?? address?.text ?? "a stranger"
            log.warning("\(who) broke the protocol (\(violation)); left alone for \(backoff / 1_000) s")
        case .wrongNode(let address, let expected, let found):
            log.error(
                """
                \(address.text) is \(found), and not \(expected) as before: not trusted. If this is right, name the \
                new id in the peers file: scurry join \(found)@\(address.text)
                """
            )
        case .pinned(let address, let node): log.notice("\(address.text) is \(node) from now on")
        case .connectedToSelf(let address): log.warning("\(address.text) in the peers file is this node itself")
        case .noCommonVersion(let node, let oldest):
            log.error("\(name(node, nil)) needs version \(oldest) of the protocol or later: upgrade scurry")
        case .caughtUp(let node):
            lastEqual[node] = SystemClock.wallMilliseconds
            log.info("in step with \(name(node, nil))")
        case .forkSetAside(let id):
            log.warning("the writer of log \(id) signed two histories; nothing more of it is fetched")
        case .ownLogIsLonger(let node, let held, let shown):
            log.error(
                """
                \(name(node, nil)) holds \(shown) entries of your own log, this home \(held): this home was copied or \
                restored. Nothing more is signed here until you decide: scurry id restore, or scurry id keep
                """
            )
        }
    }

    /// One failure of the disk is told once, until something works again.
    func tell(_ error: StorageError) {
        guard toldFailure != error else { return }
        toldFailure = error
        log.error("\(error)")
    }

    static func tell(_ line: PeersFile.BadLine, in home: Home, _ log: Logger) {
        log.warning("\(home.layout.peers), line \(line.number): \(line.reason); the other lines are used")
    }

    private func name(_ node: NodeID, _ address: PeerAddress?) -> String {
        // Enough to tell peers apart in a log; the whole id is in `status`.
        let short = node.description.prefix(8)
        return address.map { "\($0.text) (\(short))" } ?? String(short)
    }

    private func words(_ failure: DialFailure) -> String {
        switch failure {
        case .nameNotFound: "the name does not resolve"
        case .refused: "nobody listens there"
        case .unreachable: "no way there"
        case .timedOut: "no answer"
        case .other: "the connection failed"
        }
    }

    private func words(_ reason: LossReason) -> String {
        switch reason {
        case .closedByPeer: "closed by the peer"
        case .goodbye(let goodbye): words(goodbye)
        case .idle: "nothing heard for too long"
        case .noProgress: "no progress"
        case .duplicate: "connected twice"
        case .stopping: "this node stops"
        case .tooManyPeers: "too many peers"
        }
    }

    private func words(_ goodbye: Goodbye) -> String {
        switch goodbye {
        case .stopping: "the peer stops"
        case .violation(let code): "the peer says that this node broke the protocol (\(code))"
        case .noCommonVersion: "no common version of the protocol"
        case .tooManyPeers: "the peer has too many peers"
        case .duplicateConnection: "connected twice"
        case .connectedToSelf: "connected to itself"
        case .scopeNotServed: "the peer does not serve everything"
        case .replaced: "replaced by a newer connection"
        case .unknown(let code): "reason \(code)"
        }
    }
}

/// Foreign text for one line of a log: printable ASCII stays, everything else becomes `?`.
struct Printable: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = String(
            decoding: text.utf8.prefix(64).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
            as: UTF8.self
        )
    }
}
