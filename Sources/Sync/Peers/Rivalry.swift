import Entries

/// Detects two nodes with one key, a home and its restored backup: they replace each other's connections at every
/// common peer, and the one replaced dials anew. One of the two has to back off (`protocol/node.md` §11).
struct Rivalry {
    /// When connections were replaced lately.
    private var losses: [UInt64] = []
    /// How often this node backed off, since a connection stood for longer than the first wait.
    private var waits = 0
    /// A hash of the peer's scope and own log: when they change, the peer itself replaces connections.
    ///
    /// Swift seeds the hash for each process; it is compared within this process alone.
    private var greeting: Int?

    /// A connection was replaced after `stood` milliseconds. Returns the wait before the next dial; nil: the usual
    /// backoff.
    mutating func lost(now: UInt64, stood: UInt64) -> UInt64? {
        if stood >= UInt64(Limits.refusalMilliseconds) { waits = 0 }
        losses = losses.filter { $0 + Limits.rivalryMilliseconds > now } + [now]
        guard losses.count >= Limits.rivalryCount || waits > 0 else { return nil }
        losses = []
        waits += 1
        return Backoff.milliseconds(
            failures: waits - 1,
            base: Limits.refusalMilliseconds,
            maximum: Limits.refusalMaximumMilliseconds
        )
    }

    mutating func greeted(_ hello: Hello) {
        var hasher = Hasher()
        hasher.combine(hello.scope)
        hasher.combine(hello.ownLog)
        let next = hasher.finalize()
        if greeting != nil, greeting != next { losses = [] }
        greeting = next
    }
}
