import Entries

/// What came on a connection, is whole, and was not looked at yet: messages, and the rest of a long one.
struct Unread {
    enum Item {
        case frame(Frame)
        /// What is left of a message whose beginning was taken, and of the bytes that it costs.
        case rest(Message, cost: UInt64)
        /// The channel broke off behind the last message.
        case violation(ChannelViolation)
    }

    private var rest: Item?
    private var items = Queue<Item>()

    var isEmpty: Bool { rest == nil && items.isEmpty }

    /// Bytes of the credit that the rest still costs.
    var cost: UInt64 {
        guard case .rest(.chunks, let cost) = rest else { return 0 }
        return cost
    }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// What is left goes before whatever came behind it.
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
    /// Logs, chunks and bodies that it tells of: what it costs whoever takes it; at least one. Questions are noted as they come,
    /// or nobody could ask too many at once, and answered in turns of their own.
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

    /// What its chunks take on the wire.
    var chunkBytes: UInt64 {
        guard case .chunks(let chunks) = self else { return 0 }
        return chunks.chunks.reduce(0) { $0 + UInt64($1.wireBytes) }
    }

    /// The same in two messages, the first with so many logs or chunks; what stands at the end of a message is the second's.
    /// Nil for what cannot be parted, or need not be.
    func parted(after count: Int) -> (first: Message, rest: Message)? {
        guard count > 0 else { return nil }
        switch self {
        case .changes(let changes):
            guard changes.logs.count > count else { return nil }
            let first = changes.logs[..<count]
            // Words stand by the offer of their log, or the peer's cursor could not wait for it.
            let named = Set(first.lazy.map(\.log))
            let rest = Changes(
                logs: Array(changes.logs[count...]),
                number: changes.number,
                verdicts: changes.verdicts.filter { !named.contains($0.log) }
            )
            let verdicts = changes.verdicts.filter { named.contains($0.log) }
            return (.changes(Changes(logs: Array(first), number: nil, verdicts: verdicts)), .changes(rest))
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
