/// When a node speaks to its local network: three calls to begin with, then a word a minute, and one to whoever calls.
///
/// A value without clock and sockets; times are milliseconds of a monotonic clock (`protocol/discovery.md` §3).
struct BeaconSchedule {
    /// Of the calls that are left, the next one first.
    private var calls: ArraySlice<UInt64>
    private var answerAt: UInt64?
    private var answeredAt: UInt64?
    private var spokenAt: UInt64

    /// One datagram may be lost, and a network that has just come up loses more.
    private static let callDelays: [UInt64] = [0, 1_000, 4_000]
    /// Whoever has moved to another network is found within a minute.
    static let repeatMilliseconds: UInt64 = 60_000
    /// All that hear a call answer; not all at once.
    static let answerDelayMilliseconds: UInt64 = 250
    /// However many call.
    static let answerPauseMilliseconds: UInt64 = 1_000

    init(now: UInt64) {
        calls = Self.callDelays.map { now + $0 }[...]
        spokenAt = now
    }

    /// When something is to be said next.
    var next: UInt64 { [calls.first, answerAt].compactMap(\.self).min() ?? spokenAt + Self.repeatMilliseconds }

    /// What is to be said now, if anything.
    mutating func due(now: UInt64) -> Beacon.Kind? {
        guard next <= now else { return nil }
        spokenAt = now
        if let call = calls.first, call <= now {
            calls.removeFirst()
            // It says what an answer does.
            answerAt = nil
            return .call
        }
        answerAt = nil
        answeredAt = now
        return .answer
    }

    /// Somebody calls; the delay is by chance, 0 to `answerDelayMilliseconds`.
    mutating func called(now: UInt64, delay: UInt64) {
        guard answerAt == nil else { return }
        let soonest = answeredAt.map { $0 + Self.answerPauseMilliseconds } ?? 0
        answerAt = max(now + delay, soonest)
    }
}
