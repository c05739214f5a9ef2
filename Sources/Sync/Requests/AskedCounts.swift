import Entries

extension Requests.Asked {
    /// The number of logs that a session is asked for, in total and by identity.
    struct Counts {
        private(set) var total = 0
        private(set) var logs: Set<LogID> = []
        /// Logs of which nothing was held when they were requested.
        private(set) var strangers = 0
        private(set) var owners: [UInt64: Int] = [:]

        mutating func add(_ log: LogID, of owner: UInt64?) {
            total += 1
            logs.insert(log)
            if let owner { owners[owner, default: 0] += 1 } else { strangers += 1 }
        }

        mutating func remove(_ log: LogID, of owner: UInt64?) {
            total -= 1
            logs.remove(log)
            guard let owner else { return strangers -= 1 }
            let count = owners[owner] ?? 0
            owners[owner] = count > 1 ? count - 1 : nil
        }
    }
}
