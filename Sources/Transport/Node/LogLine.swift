internal import Entries
internal import Logging
package import Sync

/// The log line of a report: only what a person acts on.
struct LogLine {
    let level: Logger.Level
    let text: String

    private init(_ level: Logger.Level, _ text: String) {
        self.level = level
        self.text = text
    }

    init(_ report: NodeReport) {
        switch report {
        case .connected(let node, let address, let agent):
            self.init(.notice, "connected: \(Self.name(node, address)) (\(Printable(agent)))")
        case .lost(let node, let address, let reason):
            self.init(.notice, "connection lost: \(Self.name(node, address)): \(Self.words(reason))")
        case .dialFailed(let address, let failure, let milliseconds):
            let wait = "next attempt in \((milliseconds + 999) / 1_000) s"
            // An unresolvable name is a typing error; the other failures are temporary.
            let level: Logger.Level = failure == .nameNotFound ? .warning : .notice
            self.init(level, "cannot reach \(address.text): \(failure.words); \(wait)")
        case .unanswered(let address):
            self.init(.notice, "\(address.text) \(Self.unanswered)")
        case .violation(let node, let address, let violation, let milliseconds):
            if violation == .decryption {
                let who = node.map { Self.name($0, address) } ?? "a stranger"
                self.init(.notice, "connection lost: \(who): what came does not decrypt, as if changed on the way")
                return
            }
            let alone = milliseconds == 0 ? "" : "; left alone for \(milliseconds / 1_000) s"
            // An incoming connection's port is ephemeral.
            if node == nil, violation == .handshake, let address, address.port != 0 {
                self.init(.warning, "\(address.text) does not answer as a node of this network: \(Self.noNode)\(alone)")
                return
            }
            let stranger = address.map { $0.port == 0 ? $0.host : $0.text } ?? "a stranger"
            let who = node.map { Self.name($0, address) } ?? stranger
            self.init(.warning, "\(who) broke the protocol (\(violation))\(alone)")
        case .wrongNode(let address, let expected, let found):
            let hint = "if that is right: scurry join \(found)@\(address.text)"
            self.init(.error, "\(address.text) is \(found), not \(expected): not trusted; \(hint)")
        case .pinned(let address, let node): self.init(.notice, "\(address.text) is \(node) from now on")
        case .connectedToSelf(let address): self.init(.warning, "\(address.text) is this node itself")
        case .noCommonVersion(let node, let address, let oldest, let listing):
            let needs = "\(Self.name(node, address)) needs version \(oldest) of the protocol"
            switch listing {
            case .listed: self.init(.warning, "\(needs): upgrade scurry")
            // Anybody may say that.
            case .unlisted: self.init(.notice, "\(needs), which this scurry does not speak")
            }
        case .refused(let node, let address, let goodbye, let speaker):
            self.init(.warning, "\(Self.name(node, address)): \(Self.words(goodbye, by: speaker))")
        case .caughtUp(let node): self.init(.info, "in step with \(Self.name(node, nil))")
        case .branchOfPeer(let id, let node):
            let held = "\(Self.name(node, nil)) holds another history of log \(id) than this node"
            self.init(.warning, "\(held): both are signed; this peer is not asked for the log any more")
        case .ownLogSetAside(let id):
            let difference = "entries of your log \(id) that never left this home differ from what a peer has proven"
            self.init(.warning, "\(difference); nothing more of the log is fetched")
        case .forked(let id, let sequence):
            self.init(
                .warning,
                "the writer of log \(id) signed two histories, which differ from entry \(sequence) on: what comes from there "
                    + "on does not count until it is settled"
            )
        case .ownLogEnded(let reason):
            self.init(.error, "nothing more is signed on this device: \(Self.words(reason))")
        case .logLeftOut(let id):
            self.init(
                .error,
                "what is stored of log \(id) is unreadable; nothing of it is fetched until the next start"
            )
        case .ownLogIsLonger(let node, let held, let shown):
            let other = node.map { Self.name($0, nil) } ?? "a bundle"
            let sizes = "\(other) holds \(shown) entries of your log, this home \(held)"
            let hint = "nothing more is signed until you decide: scurry id restore, or scurry id keep"
            self.init(.error, "\(sizes): this home was copied or restored; \(hint)")
        }
    }

    /// Calls that failed after others that were told.
    static func failed(calls: Int, addresses: Int) -> String {
        let places = addresses == 1 ? "1 address" : "\(addresses) addresses"
        return "\(calls == 1 ? "1 more call" : "\(calls) more calls") to \(places) failed: scurry peers"
    }

    private static let noNode = "another network, another secret, or no node"
    /// What is known of an address that takes a call and does not answer: a private network tells strangers no more.
    static let unanswered =
        "takes the connection and does not answer (another network, another secret, a node that hangs, or no node)"

    private static func words(_ reason: OwnLogEnd) -> String {
        switch reason {
        case .forked: "its log has two histories, so the home was copied or restored"
        case .settled: "its log was settled, as when a device is revoked"
        case .accountEnded: "the account was ended"
        case .notCarried: "the identity has 16 older devices"
        }
    }

    private static func name(_ node: NodeID, _ address: PeerAddress?) -> String {
        // Enough to tell peers apart; the whole id is in `status`.
        let short = node.description.prefix(8)
        guard let address else { return String(short) }
        // An incoming connection's port is ephemeral.
        return "\(address.port == 0 ? address.host : address.text) (\(short))"
    }

    /// The violations of a node that sends what its disk has changed.
    private static let damage = Set(
        [SyncViolation.badCertificate, .malformedEntries, .badProof, .wrongBody].map(\.rawValue)
    )

    private static func words(_ reason: LossReason) -> String {
        switch reason {
        case .closedByPeer: "closed by the peer"
        case .goodbye(let goodbye): words(goodbye)
        case .idle: "nothing heard for too long"
        case .noProgress: "no progress"
        case .notReading: "the peer takes nothing of what is sent to it"
        case .stopping: "this node stops"
        case .removed: "removed from the peers file"
        case .gaveWay: "its host has most connections here, and another one came"
        }
    }

    private static func words(_ goodbye: Goodbye, by speaker: NodeReport.Speaker) -> String {
        switch goodbye {
        case .scopeNotServed:
            "one of the two nodes does not carry everything, and the other knows nothing of that: upgrade scurry there, or "
                + "scurry config carry everything"
        case .replaced:
            "another node with this node's key is connected there: a copy of this home, or what it was restored from, runs; "
                + "end one of the two"
        case .noCommonVersion, .stopping, .violation, .tooManyPeers, .duplicateConnection, .connectedToSelf, .unknown:
            words(goodbye)
        }
    }

    private static func words(_ goodbye: Goodbye) -> String {
        switch goodbye {
        case .stopping: "the peer stops, or has removed this node from its peers"
        case .violation(let code):
            "the peer says that this node broke the protocol (\(code))"
                + (damage.contains(code) ? "; if it is right, the database is damaged: scurry doctor" : "")
        case .noCommonVersion: "no common version of the protocol"
        case .tooManyPeers: "the peer has as many connections as it takes, or leaves this node alone for a time"
        case .duplicateConnection: "connected twice"
        case .connectedToSelf: "connected to itself"
        case .scopeNotServed: "the peer does not carry the same, and knows no common scope"
        case .replaced: "replaced by a newer connection"
        case .unknown(let code): "reason \(code)"
        }
    }
}

extension DialFailure {
    /// Text for a person, after a colon.
    package var words: String {
        switch self {
        case .nameNotFound: "the name does not resolve"
        case .refused: "nobody listens there"
        case .unreachable: "no way there"
        case .timedOut: "no answer"
        case .busy: "other names are still being looked up"
        case .other: "the connection failed"
        }
    }
}

/// Foreign text for one line: printable ASCII stays, everything else becomes `?`; at most 64 bytes.
struct Printable: CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = String(
            decoding: text.utf8.prefix(64).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
            as: UTF8.self
        )
    }
}
