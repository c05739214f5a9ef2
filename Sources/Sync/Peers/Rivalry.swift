import Entries

/// Two nodes of one key, a home and what was restored from its backup, take the place of each other at every common peer: each
/// time the one that was thrown out dials anew. One of the two has to wait (`protocol/sync.md` §11).
struct Rivalry {
    /// When connections were replaced, of late.
    private var losses: [UInt64] = []
    /// How often this one waited, since a connection stood for longer than the first wait.
    private var waits = 0
    /// What the peer writes and carries: it replaces connections itself where that changes.
    private var greeting: Int?

    /// A connection was replaced that had stood for so many milliseconds; how long the next dial waits, nil: as ever.
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
