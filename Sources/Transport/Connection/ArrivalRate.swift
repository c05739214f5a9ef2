/// A rate limit on incoming connections, a token bucket: those beyond it cost the node next to nothing.
///
/// Counts connections, time in milliseconds; bounds: `TransportLimits.arrivals…`. `came` delays: the others wait in the
/// kernel's queue. `admit` refuses: whoever is closed tries again (`ArrivalShares`). A value without a clock.
struct ArrivalRate: Sendable {
    private let bound: Bound
    /// Tokens, in thousandths of a connection.
    private var room: Int64
    private var seenAt: Int64

    /// Connections at once, and then per second.
    struct Bound: Sendable {
        let atOnce: Int64
        let perSecond: Int64

        static let standard = Bound(
            atOnce: TransportLimits.arrivalsAtOnce,
            perSecond: TransportLimits.arrivalsPerSecond
        )

        /// For this user's own commands: practically unlimited.
        static let ofCommands = Bound(atOnce: 1_000_000, perSecond: 1_000_000)

        /// For one host.
        static let share = Bound(
            atOnce: TransportLimits.arrivalsAtOncePerHost,
            perSecond: TransportLimits.arrivalsPerSecondPerHost
        )

        /// For one site.
        static let siteShare = Bound(
            atOnce: TransportLimits.arrivalsAtOncePerSite,
            perSecond: TransportLimits.arrivalsPerSecondPerSite
        )
    }

    init(_ bound: Bound, now: Int64) {
        self.bound = bound
        room = bound.atOnce * 1_000
        seenAt = now
    }

    /// Charges accepted and refused connections; returns the milliseconds until the next one may be accepted, 0 for at
    /// once.
    mutating func came(_ count: Int, refused: Int = 0, now: Int64) -> Int64 {
        refill(now: now)
        room -= Int64(count) * 1_000 + Int64(refused) * 1_000 / TransportLimits.refusalsPerArrival
        guard room < 1_000 else { return 0 }
        return (1_000 - room + bound.perSecond - 1) / bound.perSecond
    }

    /// Takes a token if there is one; returns whether there was.
    mutating func admit(now: Int64) -> Bool {
        guard hasToken(now: now) else { return false }
        room -= 1_000
        return true
    }

    /// Whether there is a token.
    mutating func hasToken(now: Int64) -> Bool {
        refill(now: now)
        return room >= 1_000
    }

    /// Whether the bucket is full.
    mutating func isRested(now: Int64) -> Bool {
        refill(now: now)
        return room == bound.atOnce * 1_000
    }

    private mutating func refill(now: Int64) {
        room = min(bound.atOnce * 1_000, room + max(0, now - seenAt) * bound.perSecond)
        seenAt = now
    }
}
