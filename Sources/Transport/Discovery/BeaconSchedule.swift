/// Times of a node's beacons: three calls at the start, then an answer every minute, and one after a call.
///
/// A value without clock and sockets; times are milliseconds of a monotonic clock (`protocol/discovery.md` §3).
struct BeaconSchedule {
    /// Times of the remaining calls, the next one first.
    private var calls: ArraySlice<UInt64>
    private var answerAt: UInt64?
    private var answeredAt: UInt64?
    private var spokenAt: UInt64

    /// Delays of the calls: a datagram may be lost, and a network that has just come up loses more.
    private static let callDelays: [UInt64] = [0, 1_000, 4_000]
    /// Interval of the repeated answers: a machine that moved to another network is found within a minute.
    static let repeatMilliseconds: UInt64 = 60_000
    /// Longest random delay of an answer, since all nodes that hear a call answer it.
    static let answerDelayMilliseconds: UInt64 = 250
    /// Least interval between answers, however many calls come.
    static let answerPauseMilliseconds: UInt64 = 1_000

    init(now: UInt64) {
        calls = Self.callDelays.map { now + $0 }[...]
        spokenAt = now
    }

    /// Time of the next beacon.
    var next: UInt64 { [calls.first, answerAt].compactMap(\.self).min() ?? spokenAt + Self.repeatMilliseconds }

    /// The beacon that is due now, if any.
    mutating func due(now: UInt64) -> Beacon.Kind? {
        guard next <= now else { return nil }
        spokenAt = now
        if let call = calls.first, call <= now {
            calls.removeFirst()
            // The call says all that an answer would.
            answerAt = nil
            return .call
        }
        answerAt = nil
        answeredAt = now
        return .answer
    }

    /// Schedules an answer to a call; `delay` is random, 0 to `answerDelayMilliseconds`.
    mutating func called(now: UInt64, delay: UInt64) {
        guard answerAt == nil else { return }
        let soonest = answeredAt.map { $0 + Self.answerPauseMilliseconds } ?? 0
        answerAt = max(now + delay, soonest)
    }
}
