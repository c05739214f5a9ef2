internal import Sync

/// Once nothing is new, nodes send only KeepAlives, bounded retries of wants that nobody can supply, and PeersWanted
/// every half hour.
///
/// Checked twice: by message type, as the nodes count, and on the wire, which needs no node's word.
package enum QuietChecker: Checker {
    package static let name = "quiet"
    private static let keepAlive: UInt8 = 10
    /// Types of requests for entries and bodies, which remain where liars offered or withheld something, or a home was
    /// lost or has left with it.
    private static let questions: Set<UInt8> = [4, 8]
    /// Types of the answers to `questions`.
    private static let answers: Set<UInt8> = [5, 9]
    /// Type of PeersWanted.
    private static let peersWanted: UInt8 = 13
    /// Type of Peers.
    private static let peers: UInt8 = 14
    /// Interval at which a node asks one of its links for peers (`protocol/node.md` §10).
    private static let renewalMilliseconds: UInt64 = 1_800_000
    /// Requests for one log within an hour, to all peers together: the backoff starts at 1 s and doubles.
    private static let rounds = 12
    /// Requests to one peer for a body or a gap within an hour: the backoff starts at 1 min and doubles, so 7, 15, 31
    /// and 63 min after it was missed.
    private static let minuteRounds = 4
    /// Interval of KeepAlives (`protocol/sync.md` §10).
    private static let beatMilliseconds: UInt64 = 30_000
    /// Upper bound of a KeepAlive with its length fields and its tag.
    private static let keepAliveBytes: UInt64 = 80
    /// Bytes of a want or its answer in a message, and bytes of a message besides.
    private static let wantBytes: UInt64 = 64
    /// Upper bound of one node in Peers: id, a short name and port.
    private static let peerBytes: UInt64 = 64
    /// Nodes in one Peers, at most.
    private static let namesCount = 32

    package static func look(at aftermath: Aftermath) -> [String] {
        let ledger = aftermath.ledger
        let mayLack = aftermath.hadLiars || !ledger.excused.isEmpty || !ledger.bare.isEmpty || !ledger.left.isEmpty
        let lacking = aftermath.sites.map { mayLack ? UInt64(allowed(for: $0)) : 0 }
        let all = lacking.reduce(0, +)
        let renewals = aftermath.sites.map { sent(peersWanted, in: $0.quiet) }
        let asked = renewals.reduce(0, +)
        // Addresses of nodes that have left are passed on for a while.
        let names = UInt64(min(namesCount, aftermath.honest.count))
        return aftermath.sites.indices.flatMap { place -> [String] in
            let hour = aftermath.sites[place].quiet
            let allowance = Allowance(
                questions: lacking[place],
                answers: all - lacking[place],
                renewals: hour.milliseconds / renewalMilliseconds + 1,
                peers: asked - renewals[place],
                items: all,
                names: names
            )
            return (loud(hour, allowance) + heavy(hour, allowance) + busy(hour, allowance)).map {
                "node \(aftermath.sites[place].number) \($0) when nothing was new"
            }
        }
    }

    /// What a node may send besides keep-alives.
    private struct Allowance {
        /// Requests for what it lacks.
        let questions: UInt64
        /// Answers to what the others lack.
        let answers: UInt64
        /// PeersWanted, one every half hour.
        let renewals: UInt64
        /// Answers to the others' PeersWanted.
        let peers: UInt64
        /// Requests of all nodes together.
        let items: UInt64
        /// Nodes in one answer to PeersWanted.
        let names: UInt64
    }

    private static func sent(_ type: UInt8, in hour: QuietHour) -> UInt64 {
        hour.spoken.byType.first { $0.type == type }?.count ?? 0
    }

    /// Requests that a node may send within the hour for everything that it lacks.
    private static func allowed(for site: SiteSnapshot) -> Int {
        rounds * site.wantedLogs
            + minuteRounds * max(1, site.quiet.sessions) * (site.gaps.count + site.missingBodies.count)
    }

    /// Messages beyond the allowance, by type.
    private static func loud(_ hour: QuietHour, _ allowance: Allowance) -> [String] {
        let loud = hour.spoken.byType.filter { type, count in
            if questions.contains(type) { return count > allowance.questions }
            if answers.contains(type) { return count > allowance.answers }
            if type == peersWanted { return count > allowance.renewals }
            if type == peers { return count > allowance.peers }
            return type != keepAlive
        }
        if loud.isEmpty { return [] }
        return ["sent " + loud.map { "\($0.count) of type \($0.type)" }.joined(separator: ", ")]
    }

    /// Store reads beyond the allowance: a node reads only to answer a peer.
    private static func busy(_ hour: QuietHour, _ allowance: Allowance) -> [String] {
        let most = allowance.questions + allowance.answers
        return hour.asked.reads > most ? ["asked its store \(hour.asked.reads) times, at most \(most),"] : []
    }

    /// Connections, pieces and bytes on the wire beyond the allowance, whatever their type.
    private static func heavy(_ hour: QuietHour, _ allowance: Allowance) -> [String] {
        var found: [String] = []
        if hour.wire.opened + hour.wire.closed + hour.wire.dials > 0 {
            found.append(
                "opened \(hour.wire.opened) and lost \(hour.wire.closed) connections, with \(hour.wire.dials) dials,"
            )
        }
        // Each request and answer ends a quiet period, and both sides announce the next one; PeersWanted and Peers do
        // not.
        let words = hour.spoken.byType.filter { questions.contains($0.type) || answers.contains($0.type) }
            .reduce(0) { $0 + $1.count }
        let exchanged = min(sent(peers, in: hour), allowance.peers)
        let renewed = min(sent(peersWanted, in: hour), allowance.renewals)
        let beats =
            UInt64(hour.sessions) * (hour.milliseconds / beatMilliseconds + 1) + 4 * min(words, 2 * allowance.items)
            + exchanged + renewed
        let bytes = beats * keepAliveBytes + 2 * allowance.items * wantBytes + exchanged * allowance.names * peerBytes
        if hour.wire.pieces > beats { found.append("sent \(hour.wire.pieces) pieces, at most \(beats)") }
        if hour.wire.bytes > bytes { found.append("sent \(hour.wire.bytes) bytes, at most \(bytes)") }
        return found
    }
}
