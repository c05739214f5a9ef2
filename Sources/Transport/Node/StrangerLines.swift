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
    /// The calls of listed peers, which are no strangers, and may be as many.
    var failedCalls = FailedCalls()

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

/// Which failed calls to listed peers the log has told: of each address the first, and each of another reason; the rest
/// together, once in `TransportLimits.strangerLineMilliseconds`. A peers file may name thousands that are not there.
struct FailedCalls {
    enum Line: Hashable {
        case whole
        /// So many calls to so many addresses were left out, this one among them.
        case sum(calls: Int, addresses: Int)
        case leftOut
    }

    private var told: [PeerAddress: Set<DialFailure>] = [:]
    private var calls = 0
    private var addresses: Set<PeerAddress> = []
    /// When those that were left out are told; nil: none was.
    private var sumDue: UInt64?

    /// What is told of a call that failed. `now` is monotonic.
    mutating func line(for failure: DialFailure, at address: PeerAddress, now: UInt64) -> Line {
        guard !told[address, default: []].insert(failure).inserted else { return .whole }
        calls += 1
        addresses.insert(address)
        let due = sumDue ?? now + TransportLimits.strangerLineMilliseconds
        guard now >= due else {
            sumDue = due
            return .leftOut
        }
        defer { (calls, addresses, sumDue) = (0, [], nil) }
        return .sum(calls: calls, addresses: addresses.count)
    }

    /// A node answered there: the next failure is news.
    mutating func answered(_ address: PeerAddress) {
        told[address] = nil
    }
}
