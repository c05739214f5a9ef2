import Entries

/// An index from identity to logs: the frontier's log numbers in the order of their owners.
///
/// 4 bytes for each log. Built on first use by sorting all of them: about 0.2 s for a million.
struct OwnerIndex {
    /// By owner, then by number; logs from `sorted.count` on are not merged in yet.
    private var sorted: [UInt32] = []

    /// New logs are scanned one by one until merging them pays.
    static func isMany(_ fresh: Int, of all: Int) -> Bool { fresh > max(1_024, all / 64) }

    /// The logs of these owners; `owners` gives the owner of each log.
    mutating func logs(of wanted: Set<UInt64>, in owners: [UInt64]) -> [UInt32] {
        if Self.isMany(owners.count - sorted.count, of: owners.count) { merge(owners) }
        var logs: [UInt32] = []
        for owner in wanted {
            var place = sorted.partitioningIndex { owners[Int($0)] >= owner }
            while place < sorted.count, owners[Int(sorted[place])] == owner {
                logs.append(sorted[place])
                place += 1
            }
        }
        for log in sorted.count..<owners.count where wanted.contains(owners[log]) { logs.append(UInt32(log)) }
        return logs
    }

    private mutating func merge(_ owners: [UInt64]) {
        // Sorted with the owner in the element: a comparison that looks the owner up would wait for memory.
        let fresh = (sorted.count..<owners.count).map { (owner: owners[$0], log: UInt32($0)) }.sorted { $0 < $1 }
        var merged: [UInt32] = []
        merged.reserveCapacity(owners.count)
        var place = 0
        for (owner, log) in fresh {
            while place < sorted.count, owners[Int(sorted[place])] <= owner {
                merged.append(sorted[place])
                place += 1
            }
            merged.append(log)
        }
        merged.append(contentsOf: sorted[place...])
        sorted = merged
    }
}
