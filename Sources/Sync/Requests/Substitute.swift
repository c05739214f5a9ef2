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

    private struct Try {
        var count = 0
        var due: UInt64 = 0
    }

    private var tries: [Place: Try] = [:]

    var count: Int { tries.count }

    /// Whether the node may be asked now; if so, it counts as asked.
    mutating func begin(_ log: LogID, _ node: NodeID, now: UInt64) -> Bool {
        let place = Place(log: log, node: node)
        var known = tries[place] ?? Try()
        guard known.due <= now else { return false }
        // At the bound, all are forgotten: asking again costs a round trip, and whoever fills the table as much.
        if tries.count >= Limits.substituteTriesCount, tries[place] == nil { tries = [:] }
        known.due =
            now
            + Backoff.milliseconds(
                failures: known.count,
                base: Limits.gapRetryMilliseconds,
                maximum: Limits.retryMaximumMilliseconds
            )
        known.count += 1
        tries[place] = known
        return true
    }
}
