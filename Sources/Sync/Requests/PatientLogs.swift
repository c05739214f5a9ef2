import Entries

/// The logs with a patient want, and how many of them each peer was the first to offer.
struct PatientLogs {
    private(set) var logs: Set<LogID> = []
    private var bySource: [NodeID: Int] = [:]

    var count: Int { logs.count }

    func count(of source: NodeID) -> Int { bySource[source] ?? 0 }

    mutating func change(_ log: LogID, from before: Requests.Patience?, to after: Requests.Patience?) {
        guard (before == nil) != (after == nil) else { return }
        if let before {
            logs.remove(log)
            if let source = before.source {
                bySource[source] = bySource[source].flatMap { $0 > 1 ? $0 - 1 : nil }
            }
        }
        if let after {
            logs.insert(log)
            if let source = after.source { bySource[source, default: 0] += 1 }
        }
    }
}
