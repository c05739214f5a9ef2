import Entries

/// Logs in dispute with a peer that wait until fewer disputes are open, in order of arrival.
struct Postponed {
    /// Why a log is to be compared.
    enum Ground {
        /// A statement of the peer, to be looked at again.
        case mark(LogMark)
        /// The size up to which to compare.
        case end(UInt64)
        /// A chunk of a peer of version 1, to be requested again.
        case chunk
    }

    private var grounds: [LogID: Ground] = [:]
    private var order = Queue<LogID>()

    var count: Int { grounds.count }
    var isEmpty: Bool { grounds.isEmpty }
    func contains(_ log: LogID) -> Bool { !grounds.isEmpty && grounds[log] != nil }

    /// Queues a log, or replaces its ground by the latest; false if too many wait.
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
