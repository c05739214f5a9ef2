import Entries

/// The rounds in which a body or a gap is asked of every ready node in turn, with a backoff of up to a day between two.
struct RequestRounds {
    /// The nodes asked in this round.
    var asked: AskedNodes
    /// Rounds in vain, since the backoff last began anew.
    private(set) var count = 0
    /// When the next round begins and all nodes may be asked again; until then only those not asked yet. Nil: this
    /// round goes on.
    private(set) var due: UInt64?

    init(asked: AskedNodes = AskedNodes()) {
        self.asked = asked
    }

    /// Whether any round may be over, once these are the ready nodes, and not just those with a failed request.
    static func mayBeOver(ready: [NodeID], before: [NodeID]) -> Bool {
        // A node that became ready has not been asked, so it ends no round, unless none was ready before.
        ready != before && (before.isEmpty || !before.allSatisfy(ready.contains))
    }

    /// Whether this round goes on and every ready node was asked, of those that share the log.
    func isOver(ready: [NodeID], isShared: (NodeID) -> Bool) -> Bool {
        due == nil && !ready.isEmpty && ready.allSatisfy { asked.contains($0) || !isShared($0) }
    }

    /// Ends this round.
    ///
    /// - Parameters:
    ///   - now: the time, monotonic milliseconds.
    ///   - base: the wait after the first round, milliseconds; each one is twice as long as the one before.
    /// - Returns: when the next round begins.
    mutating func end(now: UInt64, base: Int) -> UInt64 {
        let delay = Backoff.milliseconds(failures: count, base: base, maximum: Limits.retryMaximumMilliseconds)
        let next = Backoff.due(after: delay, from: now, lot: UInt64(base / 8))
        count += 1
        due = next
        return next
    }

    /// Begins the next round: nobody was asked in it.
    mutating func begin() {
        asked = AskedNodes()
        due = nil
    }

    /// Begins the backoff anew.
    mutating func restart() {
        count = 0
        due = nil
    }
}
