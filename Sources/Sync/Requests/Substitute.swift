import Entries

/// What may take the place of what lies behind a gap that nobody fills (`protocol/sync.md` §5): asked of a peer, and nothing is
/// let go of before it is proven.
enum Substitute: Hashable {
    /// What follows the entries before the gap, under a head that ends within it.
    case beginning(from: UInt64)
    /// The newest entries, under a head beyond what is held.
    case newest(from: UInt64)

    /// Where the gap starts.
    var from: UInt64 {
        switch self {
        case .beginning(let from), .newest(let from): from
        }
    }

    /// How far a peer has come with one.
    enum Progress: Hashable {
        case asked(Substitute)
        /// The first chunk has come, and is all that is looked at; the answer goes on from here.
        case answering(next: UInt64)
    }
}

/// When which node was asked for a substitute: what did not serve is not asked for again at once, however often the two say to
/// each other what they differ in.
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

    /// Whether the node may be asked; then that counts.
    mutating func begin(_ log: LogID, _ node: NodeID, now: UInt64) -> Bool {
        let place = Place(log: log, node: node)
        var known = tries[place] ?? Try()
        guard known.due <= now else { return false }
        // Of too many none is remembered: each costs a round, and their senders as much.
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
