internal import Sync

/// Which comings and goings of strangers the log has told lately: whoever can connect can do so again and again, with
/// another node id each time.
struct StrangerLines {
    enum Kind: Hashable {
        case connected
        case lost
    }

    private struct Subject: Hashable {
        let host: HostNetwork
        let kind: Kind
    }

    private struct Period {
        let end: UInt64
        var leftOut = 0
    }

    private var periods: [Subject: Period] = [:]

    /// How many lines of this kind and host were left out before this one; nil: this one is left out too, since one was
    /// told in the last `TransportLimits.strangerLineMilliseconds`. `now` is monotonic.
    mutating func leftOut(before kind: Kind, of host: HostNetwork, now: UInt64) -> Int? {
        let subject = Subject(host: host, kind: kind)
        if let period = periods[subject], period.end > now {
            periods[subject]?.leftOut += 1
            return nil
        }
        let leftOut = periods[subject]?.leftOut ?? 0
        if periods.count >= TransportLimits.strangerLines, periods[subject] == nil {
            // The soonest to end makes room, as in `Complaints`.
            let soonest = periods.values.map(\.end).min() ?? now
            periods = periods.filter { $0.value.end > max(soonest, now) }
        }
        periods[subject] = Period(end: now + TransportLimits.strangerLineMilliseconds)
        return leftOut
    }
}
