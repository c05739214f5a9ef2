internal import Sync

/// A rate limit on the node's time for each connection: a busy peer is read more slowly while others are active
/// (`protocol/node.md` §4, *Reading*).
///
/// Counts microseconds of a monotonic clock; bounds: `TransportLimits.readingShareDivisor` and
/// `readingBurstMicroseconds`. Delays: nothing is refused, its bytes wait at its own end.
struct ReadingRate {
    private struct Debt {
        private var owed: UInt64 = 0
        private var at: UInt64

        init(at now: UInt64) {
            at = now
        }

        /// The debt that is left now: it decays by 1 µs every `readingShareDivisor` µs.
        func owed(at now: UInt64) -> UInt64 {
            owed - min(owed, (now - min(now, at)) / TransportLimits.readingShareDivisor)
        }

        mutating func set(_ owed: UInt64, at now: UInt64) {
            self.owed = owed
            at = now
        }
    }

    private struct Talker {
        /// Nil: this node dialled it, or it is on this machine.
        let host: HostNetwork?
        var debt: Debt
    }

    private var talkers: [SessionID: Talker] = [:]
    /// Debt of ended connections by host, charged to its next ones: else a peer would shed its debt by calling anew.
    private var left: [HostNetwork: Debt] = [:]
    /// The connection heard last.
    private var last: (session: SessionID, at: UInt64)?
    /// When a connection other than `last` was heard.
    private var other: UInt64?
    /// When this home wrote an entry of its own.
    private var ownAt: UInt64?

    /// Notes that this home wrote an entry of its own.
    mutating func noteOwn(at now: UInt64) {
        ownAt = now
    }

    /// Begins to account for a connection; `host` is nil if this node dialled it or it is on this machine.
    mutating func begin(_ session: SessionID, from host: HostNetwork?, at now: UInt64) {
        talkers[session] = Talker(host: host, debt: Debt(at: now))
    }

    /// Charges `spent` µs of the node's time to a connection.
    ///
    /// - Returns: how long to pause before the next read from it.
    mutating func spend(_ spent: UInt64, on session: SessionID, at now: UInt64) -> UInt64 {
        guard var talker = talkers[session] else { return 0 }
        if let last, last.session != session { other = last.at }
        last = (session, now)
        let isShared = isShared(at: now)
        var owed = talker.debt.owed(at: now) + spent
        // Time that kept nobody waiting is not charged beyond the burst: else the next peer to come would pay for it
        // with a delay of seconds.
        if !isShared { owed = min(owed, TransportLimits.readingBurstMicroseconds) }
        talker.debt.set(owed, at: now)
        talkers[session] = talker
        if let host = talker.host { owed += left[host]?.owed(at: now) ?? 0 }
        guard isShared, owed > TransportLimits.readingBurstMicroseconds else { return 0 }
        return (owed - TransportLimits.readingBurstMicroseconds) * TransportLimits.readingShareDivisor
    }

    /// Whether a connection other than `session`, or this home, is active.
    func isShared(at now: UInt64, besides session: SessionID) -> Bool {
        if let last, last.session != session, isRecent(last.at, now) { return true }
        return isShared(at: now)
    }

    /// Whether a connection other than the one heard last, or this home, is active.
    private func isShared(at now: UInt64) -> Bool { isRecent(other, now) || isRecent(ownAt, now) }

    /// Ends a connection; its debt beyond `forgivenDebtMicroseconds` stays with its host.
    mutating func end(_ session: SessionID, at now: UInt64) {
        guard let talker = talkers.removeValue(forKey: session), let host = talker.host else { return }
        let own = talker.debt.owed(at: now)
        var owed = own - min(own, TransportLimits.forgivenDebtMicroseconds) + (left[host]?.owed(at: now) ?? 0)
        let most = isShared(at: now) ? TransportLimits.leftDebtMicroseconds : TransportLimits.readingBurstMicroseconds
        owed = min(owed, most)
        guard owed > 0 else { return }
        if left.count >= TransportLimits.owingHosts, left[host] == nil {
            left = left.filter { $0.value.owed(at: now) > 0 }
        }
        guard left.count < TransportLimits.owingHosts || left[host] != nil else { return }
        left[host, default: Debt(at: now)].set(owed, at: now)
    }

    /// Hosts with a stored debt; only tests ask.
    var hostsOwing: Int { left.count }

    private func isRecent(_ moment: UInt64?, _ now: UInt64) -> Bool {
        moment.map { now < $0 + TransportLimits.activeMicroseconds } ?? false
    }
}
