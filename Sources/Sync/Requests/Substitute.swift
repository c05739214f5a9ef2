import Entries

/// A chunk asked of a peer to replace the entries behind a gap that nobody fills (`protocol/sync.md` §5); nothing is
/// dropped before it is verified.
enum Substitute: Hashable {
    /// The entries that follow those before the gap, under a head that ends within it or with it.
    case beginning(from: UInt64)
    /// The newest entries, under a head beyond what is held.
    case newest(from: UInt64)
    /// The newest entries of a peer that has shown a part of the gap, under a head that ends within it or with it.
    case older(from: UInt64)

    /// Where the gap starts.
    var from: UInt64 {
        switch self {
        case .beginning(let from), .newest(let from), .older(let from): from
        }
    }

    var isBeginning: Bool {
        switch self {
        case .beginning: true
        case .newest, .older: false
        }
    }

    /// How far a peer has answered a request for one.
    enum Progress: Hashable {
        case asked(Substitute)
        /// The first chunk has come, the only one that is looked at; the rest of the answer goes on from `next`.
        case answering(next: UInt64)
    }
}

/// When each node may be asked for a substitute again: a backoff, however often the two nodes tell each other how they
/// differ.
struct SubstituteTries {
    private struct Place: Hashable {
        let log: LogID
        let node: NodeID
    }

    private var tries: [Place: Tries] = [:]

    var count: Int { tries.count }

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

/// When an older end may be taken of a log again, whoever shows it: unlike the others it lowers what is held, and what was
/// shown of the beginning need never come. A backoff that ends when the gap's start moves.
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
