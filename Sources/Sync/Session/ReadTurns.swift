/// Questions to the store about what peers want: a few at once over all of them, and each peer in turn
/// (`protocol/sync.md §7`).
///
/// The store answers one after the other in any case. What it has answered waits in memory until it is packed, and whatever
/// else happens to the node waits behind it: so a live entry waits for as many answers as are open, however many peers read.
struct ReadTurns {
    private var open: Set<RequestID> = []
    /// Who asked last.
    private var last: SessionID?

    var isFull: Bool { open.count >= Limits.readingsCount }

    /// The place of the one whose turn it is: the one behind who asked last.
    func first(_ order: [SessionID]) -> Int {
        last.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    }

    /// A question of nobody's turn leaves the turns as they are.
    mutating func begin(_ request: RequestID, by session: SessionID?) {
        open.insert(request)
        if let session { last = session }
    }

    /// The store has answered, or cannot.
    mutating func end(_ request: RequestID) {
        open.remove(request)
    }
}
