/// How many messages of each type a node has sent since it started (`protocol/sync.md` §2).
package struct SpokenMessages: Hashable, Sendable {
    /// Indexed by type; types above 31 are counted at 0.
    private var counts = [UInt64](repeating: 0, count: 32)

    package init() {}

    package mutating func count(_ frame: Frame) {
        counts[Int(frame.type) < counts.count ? Int(frame.type) : 0] += 1
    }

    /// Counts by type, without zeros.
    package var byType: [(type: UInt8, count: UInt64)] {
        counts.indices.filter { counts[$0] > 0 }.map { (UInt8($0), counts[$0]) }
    }

    /// Messages sent since an earlier reading.
    package func since(_ earlier: SpokenMessages) -> SpokenMessages {
        var difference = SpokenMessages()
        for type in counts.indices { difference.counts[type] = counts[type] &- earlier.counts[type] }
        return difference
    }

    package mutating func add(_ other: SpokenMessages) {
        for type in counts.indices { counts[type] &+= other.counts[type] }
    }
}
