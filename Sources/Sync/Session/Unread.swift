import Entries

/// Complete messages received on a connection and not processed yet, and the remainder of a long one.
struct Unread {
    enum Item {
        case frame(Frame)
        /// The remainder of a partly processed message, and the credit that it still costs, in bytes.
        case rest(Message, cost: UInt64)
        /// The channel failed behind the last message.
        case violation(ChannelViolation)
    }

    private var rest: Item?
    private var items = Queue<Item>()

    var isEmpty: Bool { rest == nil && items.isEmpty }

    /// Bytes of credit that the remainder still costs.
    var cost: UInt64 {
        guard case .rest(.chunks, let cost) = rest else { return 0 }
        return cost
    }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// Puts back the remainder of a message, ahead of everything received after it.
    mutating func putBack(_ message: Message, costing cost: UInt64) {
        rest = .rest(message, cost: cost)
    }

    mutating func popFirst() -> Item? {
        guard let item = rest else { return items.popFirst() }
        rest = nil
        return item
    }
}

extension Message {
    /// The work that a message takes: its logs, chunks and bodies, at least 1.
    ///
    /// A request weighs 1. It is recorded on arrival, so that `tooManyQuestions` is noticed, and answered in turns of
    /// its own.
    var weight: Int {
        let items =
            switch self {
            case .changes(let changes): changes.logs.count
            case .chunks(let chunks): chunks.chunks.count + chunks.lacking.count + chunks.lackingBefore.count
            case .bodies(let bodies): bodies.count
            case .compare(let page): page.logs.count
            case .comparison(let answer): answer.logs.count
            case .items(let items): items.logs.count
            case .peers(let peers): peers.count
            case .hello, .ownLog, .want, .prefixWanted, .prefix, .bodiesWanted, .keepAlive, .peersWanted, .credit,
                .goodbye, .reconcile, .itemsWanted, .nodesWanted, .nodes, .branch:
                1
            }
        return max(1, items)
    }

    /// Bytes that the message's chunks take on the wire.
    var chunkBytes: UInt64 {
        guard case .chunks(let chunks) = self else { return 0 }
        return chunks.chunks.reduce(0) { $0 + UInt64($1.wireBytes) }
    }

    /// Splits a message in two, the first with `count` logs or chunks; its number and lists of lacking logs go with the
    /// second. Nil if it cannot or need not be split.
    func parted(after count: Int) -> (first: Message, rest: Message)? {
        guard count > 0 else { return nil }
        switch self {
        case .changes(let changes):
            guard changes.logs.count > count else { return nil }
            let first = changes.logs[..<count]
            // Words go with the offer of their log: the peer's cursor has to wait for them.
            let named = Set(first.lazy.map(\.log))
            let rest = Changes(
                logs: Array(changes.logs[count...]),
                number: changes.number,
                held: changes.held.filter { !named.contains($0.log) }
            )
            let held = changes.held.filter { named.contains($0.log) }
            return (.changes(Changes(logs: Array(first), number: nil, held: held)), .changes(rest))
        case .chunks(let chunks):
            guard chunks.chunks.count > count else { return nil }
            var rest = chunks
            rest.chunks.removeFirst(count)
            return (.chunks(Chunks(chunks: Array(chunks.chunks[..<count]))), .chunks(rest))
        case .hello, .ownLog, .want, .prefixWanted, .prefix, .bodiesWanted, .bodies, .keepAlive, .compare, .comparison,
            .peersWanted, .peers, .credit, .goodbye, .reconcile, .itemsWanted, .items, .nodesWanted, .nodes, .branch:
            return nil
        }
    }
}
