/// A rate limit on new addresses found on the local network: a beacon costs its sender nothing, and every node that
/// hears it a connection (`protocol/discovery.md` §4).
///
/// Counts addresses in a sliding window; bounds: `Limits.foundPeersAtOnceCount` in `foundPeersWindowMilliseconds`.
/// Refuses: an address beyond it is not taken, and its next beacon may be.
struct FoundRate {
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
