/// A timer wheel: items due within the next minute, by millisecond, then in the order in which they were planned.
///
/// It has one list for each millisecond: with millions of events a heap costs more than the events.
struct TimeWheel<Item> {
    private static var size: Int { 65_536 }

    private var ring = [[Item]](repeating: [], count: size)
    private var next = 0
    private(set) var now: UInt64 = 0
    private(set) var count = 0

    /// Plans an item; a time in the past means now, and one beyond the ring its end, a minute from now.
    mutating func plan(_ item: Item, at moment: UInt64) {
        let place = min(max(moment, now), now + UInt64(Self.size) - 1)
        ring[Int(place % UInt64(Self.size))].append(item)
        count += 1
    }

    /// The next item due up to and including `end`; nil if there is none, and the clock is then at `end`.
    mutating func pop(until end: UInt64) -> Item? {
        while true {
            let place = Int(now % UInt64(Self.size))
            if next < ring[place].count {
                next += 1
                count -= 1
                return ring[place][next - 1]
            }
            // Releases the capacity too: a minute of lists, each as long as the longest, is hundreds of megabytes.
            ring[place] = []
            next = 0
            guard now < end else { return nil }
            now += 1
        }
    }
}

extension TimeWheel: Sendable where Item: Sendable {}
