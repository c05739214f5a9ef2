import Entries

/// The cursors held of other nodes, as in the store; beyond the bound, the latest.
///
/// A new key costs nothing and one quiet KeepAlive makes a cursor, so a peer that dials under a new key each time must
/// not fill the store.
struct PeerCursors {
    private struct Known {
        let cursor: Cursor
        /// Order in which the cursors were set; 0 for those loaded at the start.
        let taken: UInt64
    }

    private var known: [NodeID: Known] = [:]
    private var taken: UInt64 = 0
    /// When some were last given to the store to save.
    private var savedAt: UInt64 = 0

    init(_ cursors: [TakeBatch.PeerCursor]) {
        for entry in cursors { known[entry.peer] = Known(cursor: entry.cursor, taken: 0) }
    }

    var count: Int { known.count }

    subscript(peer: NodeID) -> Cursor? { known[peer]?.cursor }

    mutating func set(_ cursor: Cursor, of peer: NodeID) {
        taken += 1
        known[peer] = Known(cursor: cursor, taken: taken)
    }

    /// When a transaction that saves cursors alone may begin, in monotonic milliseconds.
    var saveDue: UInt64 { savedAt + Limits.cursorSaveMilliseconds }

    /// Some are being saved, whatever else the transaction stores.
    mutating func saved(now: UInt64) {
        savedAt = now
    }

    mutating func remove(_ peer: NodeID) {
        known[peer] = nil
    }

    /// Whether the bound is exceeded by an eighth.
    var isFull: Bool { known.count > Limits.peerCursorsCount + Limits.peerCursorsCount / 8 }

    /// Forgets the cursors that were set first, but none in `kept`.
    ///
    /// - Returns: the peers, for the store to forget.
    mutating func trim(keeping kept: Set<NodeID>) -> [NodeID] {
        let candidates = known.filter { !kept.contains($0.key) }
            .sorted { ($0.value.taken, $0.key) < ($1.value.taken, $1.key) }
        let dropped = candidates.prefix(max(0, known.count - Limits.peerCursorsCount)).map(\.key)
        for peer in dropped { known[peer] = nil }
        return dropped
    }
}
