internal import Sync

/// Once nothing is new, nothing but keep-alives is sent; wants that nobody can supply are asked for now and then, and peers
/// every half hour.
///
/// Looked at from both sides: by type, as the nodes count their messages, and on the wire, where no node counts.
package enum QuietChecker: Checker {
    package static let name = "quiet"
    private static let keepAlive: UInt8 = 10
    /// Wants: what is asked for, and what answers: liars promised it or held it back, or it went with a home.
    private static let questions: Set<UInt8> = [4, 8]
    private static let answers: Set<UInt8> = [5, 9]
    /// Peer exchange, and how often a node asks one of its links (`protocol/sync.md §10`).
    private static let peersWanted: UInt8 = 13
    private static let peers: UInt8 = 14
    private static let renewalMilliseconds: UInt64 = 1_800_000
    /// From 1 s on, twice as late each time, something is asked for no more often within an hour, of all peers together.
    private static let rounds = 12
    /// A body or a part of a history is asked for from 1 min on, twice as late each time, and of each peer: 7, 15, 31 and 63 min
    /// after it was missed.
    private static let minuteRounds = 4
    /// Between two KeepAlives (`protocol/sync.md §10`).
    private static let beatMilliseconds: UInt64 = 30_000
    /// More than a KeepAlive takes with its lengths and its tag.
    private static let keepAliveBytes: UInt64 = 80
    /// What a want or its answer takes in a message, and what a message takes beside.
    private static let wantBytes: UInt64 = 64
    /// More than a node takes with its id, a short name and its port; an answer names 32 at most.
    private static let peerBytes: UInt64 = 64
    private static let namesCount = 32

    package static func look(at aftermath: Aftermath) -> [String] {
        let ledger = aftermath.ledger
        let mayLack = aftermath.hadLiars || !ledger.excused.isEmpty || !ledger.bare.isEmpty || !ledger.left.isEmpty
        let lacking = aftermath.sites.map { mayLack ? UInt64(allowed(for: $0)) : 0 }
        let all = lacking.reduce(0, +)
        let renewals = aftermath.sites.map { sent(peersWanted, in: $0.quiet) }
        let asked = renewals.reduce(0, +)
        // Those that have left are told of for a while.
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
        /// It asks for what it lacks, and answers what the others lack.
        let questions: UInt64
        let answers: UInt64
        /// It asks for peers every half hour, and answers the others who do.
        let renewals: UInt64
        let peers: UInt64
        /// What may be asked for by anybody, and the names in an answer about peers.
        let items: UInt64
        let names: UInt64
    }

    private static func sent(_ type: UInt8, in hour: QuietHour) -> UInt64 {
        hour.spoken.byType.first { $0.type == type }?.count ?? 0
    }

    /// How often a node may ask for all that it lacks.
    private static func allowed(for site: SiteSnapshot) -> Int {
        rounds * site.wantedLogs
            + minuteRounds * max(1, site.quiet.sessions) * (site.gaps.count + site.missingBodies.count)
    }

    /// By type.
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

    /// At the store, which nobody needs to ask but who answers somebody.
    private static func busy(_ hour: QuietHour, _ allowance: Allowance) -> [String] {
        let most = allowance.questions + allowance.answers
        return hour.asked.reads > most ? ["asked its store \(hour.asked.reads) times, at most \(most),"] : []
    }

    /// On the wire, where it is asked no type.
    private static func heavy(_ hour: QuietHour, _ allowance: Allowance) -> [String] {
        var found: [String] = []
        if hour.wire.opened + hour.wire.closed + hour.wire.dials > 0 {
            found.append(
                "opened \(hour.wire.opened) and lost \(hour.wire.closed) connections, with \(hour.wire.dials) dials,"
            )
        }
        // Each question and answer ends a silence, and both sides say when the next one begins; peers are asked for without.
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
