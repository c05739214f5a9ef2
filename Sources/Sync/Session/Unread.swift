/// What came on a connection, is whole, and was not looked at yet: messages, and the rest of a long one.
struct Unread {
    enum Item {
        case frame(Frame)
        /// What is left of a message whose beginning was taken.
        case rest(Message)
        /// The channel broke off behind the last message.
        case violation(ChannelViolation)
    }

    private var rest: Message?
    private var items = Queue<Item>()

    var isEmpty: Bool { rest == nil && items.isEmpty }

    mutating func append(_ item: Item) {
        items.append(item)
    }

    /// What is left goes before whatever came behind it.
    mutating func putBack(_ message: Message) {
        rest = message
    }

    mutating func popFirst() -> Item? {
        if let message = rest {
            rest = nil
            return .rest(message)
        }
        return items.popFirst()
    }
}

extension Message {
    /// Logs and chunks that it brings: what each message costs whoever takes it, and at least one.
    var weight: Int {
        switch self {
        case .changes(let changes): max(1, changes.logs.count)
        case .chunks(let chunks): max(1, chunks.chunks.count)
        default: 1
        }
    }

    /// The same in two messages, the first with so many logs or chunks; what stands at the end of a message is the second's.
    /// Nil for what cannot be parted, or need not be.
    func parted(after count: Int) -> (first: Message, rest: Message)? {
        guard count > 0, weight > count else { return nil }
        switch self {
        case .changes(let changes):
            let first = Changes(logs: Array(changes.logs[..<count]), number: nil, verdicts: changes.verdicts)
            return (.changes(first), .changes(Changes(logs: Array(changes.logs[count...]), number: changes.number)))
        case .chunks(let chunks):
            var rest = chunks
            rest.chunks.removeFirst(count)
            return (.chunks(Chunks(chunks: Array(chunks.chunks[..<count]))), .chunks(rest))
        default: return nil
        }
    }
}
