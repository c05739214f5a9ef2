import Entries
import Sodium

/// Comparing the history of a log with a peer's (`protocol/sync.md §9`): at most one for a log and a link.
enum Dispute {
    /// The peer, of version 1, is to show the compact range that leads to this chunk.
    case chunk(DisputedChunk)
    /// The peer is to show its compact range of [0, end), with a proof; again, if the nodes below what it showed did not fit.
    case prefix(end: UInt64, doubted: [Bytes32]?)
    /// What it showed, the prefix's nodes, is checked, and compared with what is stored here.
    case weighing(RequestID, shown: [Bytes32], end: UInt64)
    case descending(Search)

    /// The nodes below one place, of both sides.
    struct Search {
        var descent: Descent
        let place: TreePlace
        let request: RequestID
        var theirs: [Bytes32]?
        var ours: [Bytes32]?
        /// Nodes of the prefix that the peer showed.
        let shown: [Bytes32]
        let end: UInt64
    }

    /// The peer owes an answer.
    var isOwed: Bool {
        switch self {
        case .chunk, .prefix: true
        case .weighing: false
        case .descending(let search): search.theirs == nil
        }
    }
}
