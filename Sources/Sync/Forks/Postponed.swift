import Entries

/// Logs that are in dispute with a peer, and wait until fewer are: in the order in which they came.
struct Postponed {
    /// Why one is to be compared.
    enum Ground {
        /// What the peer says of it.
        case mark(LogMark)
        /// Up to here.
        case end(UInt64)
        /// A chunk of a peer of version 1, which is asked for once more.
        case chunk
    }

    private var grounds: [LogID: Ground] = [:]
    private var order = Queue<LogID>()

    var count: Int { grounds.count }
    var isEmpty: Bool { grounds.isEmpty }
    func contains(_ log: LogID) -> Bool { !grounds.isEmpty && grounds[log] != nil }

    /// Lets a log wait, for what was heard of it last; false if too many do.
    mutating func add(_ log: LogID, _ ground: Ground) -> Bool {
        if grounds[log] == nil {
            guard grounds.count < Limits.postponedDisputesCount else { return false }
            order.append(log)
        }
        grounds[log] = ground
        return true
    }

    mutating func popFirst() -> (log: LogID, ground: Ground)? {
        guard let log = order.popFirst(), let ground = grounds.removeValue(forKey: log) else { return nil }
        return (log, ground)
    }
}
