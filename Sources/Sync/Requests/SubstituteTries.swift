import Entries

/// When substitutes may be asked for again.
struct SubstituteTries {
    private var nodes = NodeTries()
    private var older = OlderTries()

    /// Whether the node may be asked for a substitute now; if so, it counts as asked.
    ///
    /// An older end has a backoff of its own, for the log and not for the node, since it is asked for as soon as a
    /// beginning has come.
    mutating func begin(_ substitute: Substitute, of log: LogID, _ node: NodeID, now: UInt64) -> Bool {
        switch substitute {
        case .beginning, .newest: nodes.begin(log, node, now: now)
        case .older(let from): older.begin(log, from: from, now: now)
        }
    }
}

/// When each node may be asked for a substitute again: a backoff, however often the two nodes tell each other how they
/// differ.
private struct NodeTries {
    private struct Place: Hashable {
        let log: LogID
        let node: NodeID
    }

    private var tries: [Place: Tries] = [:]

    /// Whether the node may be asked now; if so, it counts as asked.
    mutating func begin(_ log: LogID, _ node: NodeID, now: UInt64) -> Bool {
        let place = Place(log: log, node: node)
        var known = tries[place] ?? Tries()
        guard known.begin(now: now, base: Limits.gapRetryMilliseconds) else { return false }
        // At the bound, all are forgotten: asking again costs a round trip, and whoever fills the table as much.
        if tries.count >= Limits.substituteTriesCount, tries[place] == nil { tries = [:] }
        tries[place] = known
        return true
    }
}

/// How often something was tried, and when it is due again: after twice as long each time, up to a day.
private struct Tries {
    private var count = 0
    private(set) var due: UInt64 = 0

    /// Whether it is due; if so, it counts as tried.
    mutating func begin(now: UInt64, base: Int) -> Bool {
        guard due <= now else { return false }
        due = now + Backoff.milliseconds(failures: count, base: base, maximum: Limits.retryMaximumMilliseconds)
        count += 1
        return true
    }
}

/// When an older end may be taken of a log again, whoever shows it: unlike the others it lowers what is held, and what
/// was shown of the beginning need never come. A backoff that ends when the gap's start moves.
struct OlderTries {
    /// With the start of the gap.
    private var tries: [LogID: (start: UInt64, tries: Tries)] = [:]

    /// Whether an older end may be asked for now, for a gap that starts there; if so, it counts as asked.
    mutating func begin(_ log: LogID, from start: UInt64, now: UInt64) -> Bool {
        var known = tries[log].flatMap { $0.start == start ? $0.tries : nil } ?? Tries()
        guard known.begin(now: now, base: Limits.olderRetryMilliseconds) else { return false }
        if tries.count >= Limits.olderTriesCount, tries[log] == nil {
            // None is forgotten before it is due: else whoever fills the table could begin anew.
            tries = tries.filter { $0.value.tries.due > now }
            guard tries.count < Limits.olderTriesCount else { return false }
        }
        tries[log] = (start, known)
        return true
    }
}
