import Entries

/// The chunks of a lane that one batch of the verifier takes.
extension Arrivals {
    /// Takes chunks of a lane, grouped into runs by log: at least one, and otherwise within the work limit.
    mutating func popRuns(_ lane: Lane, work limit: UInt64) -> [[Arrival]] {
        var runs: [LogID: Int] = [:]
        var arrivals: [[Arrival]] = []
        var entries: UInt64 = 0
        var bytes = 0
        var work: UInt64 = 0
        while let next = first(lane) {
            let log = next.chunk.log
            let more = next.work + (runs[log] == nil ? StorePace.workPerLog : 0)
            let isFirst = arrivals.isEmpty
            guard isFirst || entries + next.chunk.count <= Limits.batchEntries,
                isFirst || bytes + next.chunk.entries.count <= Limits.batchBytes,
                isFirst || work + more <= limit
            else { break }
            _ = popFirst(lane)
            entries += next.chunk.count
            bytes += next.chunk.entries.count
            work += more
            if next.kind.isAlone {
                arrivals.append([next])
            } else if let place = runs[log] {
                arrivals[place].append(next)
            } else {
                runs[log] = arrivals.count
                arrivals.append([next])
            }
        }
        return arrivals
    }
}
