/// How many addresses that were found on the local network come to be dialled: a beacon costs its maker nothing, and everybody
/// who hears it a connection (`protocol/discovery.md` §4).
struct FoundPace {
    /// Monotonic milliseconds, ascending.
    private var times: [UInt64] = []

    mutating func mayCome(at now: UInt64) -> Bool {
        times.removeAll { $0 + Limits.foundPeersWindowMilliseconds <= now }
        return times.count < Limits.foundPeersAtOnceCount
    }

    mutating func came(at now: UInt64) {
        times.append(now)
    }
}
