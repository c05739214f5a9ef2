import Entries
import Sodium

/// A comparison of a log's history with a peer's (`protocol/sync.md` §9); one at a time for a log and a link.
enum Dispute {
    /// A peer of version 1 was asked for the compact range before this chunk.
    case chunk(DisputedChunk)
    /// The peer was asked for its compact range of [0, end) with a proof; `doubted`: the nodes that it showed before,
    /// if those below did not make them up.
    case prefix(end: UInt64, doubted: [Bytes32]?)
    /// The range that the peer showed is being verified and compared with the stored history.
    case weighing(shown: [Bytes32], end: UInt64)
    case descending(Search)

    /// One step of the descent: the nodes of both sides below one place.
    struct Search {
        var descent: Descent
        let place: TreePlace
        var theirs: [Bytes32]?
        var ours: [Bytes32]?
        /// The nodes of the compact range that the peer showed.
        let shown: [Bytes32]
        let end: UInt64
    }

    /// Whether the peer owes an answer.
    var isOwed: Bool {
        switch self {
        case .chunk, .prefix: true
        case .weighing: false
        case .descending(let search): search.theirs == nil
        }
    }
}
