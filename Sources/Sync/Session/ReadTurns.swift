/// The reads that serve peers: a few at once over all peers, and each peer in turn (`protocol/node.md` §6).
///
/// The store performs one after the other in any case. A result waits in memory until it is packed, and every other
/// event of the node waits behind it: so a live entry waits for the open reads only, however many peers read.
struct ReadTurns {
    private var open: Set<RequestID> = []
    /// The session that was served last.
    private var last: SessionID?

    var isFull: Bool { open.count >= Limits.readingsCount }

    /// The place of the session to serve next: the one after `last`.
    func first(_ order: [SessionID]) -> Int {
        last.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    }

    /// Opens a read; without a session, the turns stay as they are.
    mutating func begin(_ request: RequestID, by session: SessionID?) {
        open.insert(request)
        if let session { last = session }
    }

    /// The store has answered, or cannot.
    mutating func end(_ request: RequestID) {
        open.remove(request)
    }
}
