/// Listed addresses that are due while as many dials are under way as may be: so a long list is looked through once for
/// all of them, and not for each dial.
struct DialQueue {
    private var addresses: ArraySlice<PeerAddress> = []

    /// The address whose turn it is; nil: none waits.
    mutating func next() -> PeerAddress? { addresses.popFirst() }

    /// Queues what is due, in place of what was queued: in the order given, or, where that is more than there is room
    /// for, never dialled ones first, then those dialled longest ago.
    mutating func fill(_ due: [PeerBook.Entry], room: Int) {
        let turns = due.map { (turn: $0.lastDial?.raw ?? 0, address: $0.target.address) }
        let inTurn = turns.count > room ? turns.sorted { $0.turn < $1.turn } : turns
        addresses = inTurn.map(\.address)[...]
    }

    /// Forgets the order, since another one may be due first now.
    mutating func removeAll() {
        addresses = []
    }
}
