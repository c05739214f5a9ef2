import Entries

/// The logs that some session was asked for in vain, in that order.
struct LackedLogs {
    private(set) var logs: Set<LogID> = []
    /// With some that are not in `logs` any more.
    private var order: [LogID] = []

    var isEmpty: Bool { logs.isEmpty }

    mutating func insert(_ log: LogID) {
        if order.count > 2 * logs.count + 64 {
            var kept: Set<LogID> = []
            order = order.filter { logs.contains($0) && kept.insert($0).inserted }
        }
        if logs.insert(log).inserted { order.append(log) }
    }

    mutating func remove(_ log: LogID) {
        if !logs.isEmpty { logs.remove(log) }
    }

    /// Takes the first ones, `limit` at most.
    mutating func popFirst(_ limit: Int) -> [LogID] {
        let passed = order.prefix(limit)
        order.removeFirst(passed.count)
        return passed.filter { logs.remove($0) != nil }
    }
}
