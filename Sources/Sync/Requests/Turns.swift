/// A fair queue: one element of each identity after the other, so that an identity with many does not delay the rest
/// (`protocol/node.md` §4).
///
/// Start-time fair queuing over one heap. Each element gets the turn behind the last one of its identity, but none that
/// is past; within a turn the lowest rank goes first, then the earliest. An element without an identity is in the
/// present turn.
struct Turns<Element> {
    struct Ticket {
        let element: Element
        fileprivate let turn: UInt64
        fileprivate let rank: Int64
        fileprivate let order: UInt64

        fileprivate func isBefore(_ other: Ticket) -> Bool {
            if turn != other.turn { return turn < other.turn }
            return rank == other.rank ? order < other.order : rank < other.rank
        }
    }

    private var heap: [Ticket] = []
    /// The last turn given to each identity, as far as it lies ahead.
    private var last: [UInt64: UInt64] = [:]
    private var present: UInt64 = 0
    private var added: UInt64 = 0

    var count: Int { heap.count }
    var isEmpty: Bool { heap.isEmpty }
    var first: Element? { heap.first?.element }

    mutating func add(_ element: Element, of owner: UInt64?, rank: Int64) {
        var turn = present
        if let owner {
            if let previous = last[owner] { turn = max(turn, previous + 1) }
            last[owner] = turn
            if last.count > 2 * heap.count + 64 { last = last.filter { $0.value > present } }
        }
        added += 1
        put(Ticket(element: element, turn: turn, rank: rank, order: added))
    }

    /// Puts elements back that were not used; they keep their turns.
    mutating func putBack(_ tickets: some Sequence<Ticket>) {
        for ticket in tickets { put(ticket) }
    }

    /// Takes at most `limit` elements in order; the present turn becomes that of the first.
    mutating func popFirst(_ limit: Int) -> [Ticket] {
        if let first = heap.first { present = first.turn }
        var popped: [Ticket] = []
        while popped.count < limit, let ticket = popLeast() { popped.append(ticket) }
        return popped
    }

    mutating func popFirst() -> Element? {
        if let first = heap.first { present = first.turn }
        return popLeast()?.element
    }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        let rest = heap.filter { !isGone($0.element) }
        heap = []
        for ticket in rest { put(ticket) }
    }

    // MARK: The heap

    private mutating func put(_ ticket: Ticket) {
        var place = heap.count
        heap.append(ticket)
        while place > 0, ticket.isBefore(heap[(place - 1) / 2]) {
            heap[place] = heap[(place - 1) / 2]
            place = (place - 1) / 2
        }
        heap[place] = ticket
    }

    private mutating func popLeast() -> Ticket? {
        guard let least = heap.first, let ticket = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return least }
        var place = 0
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(ticket) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = ticket
        return least
    }
}

extension Turns: Sendable where Element: Sendable {}
extension Turns.Ticket: Sendable where Element: Sendable {}
