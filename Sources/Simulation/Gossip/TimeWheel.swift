/// What will happen within the next minute, by its millisecond, then in the order in which it was planned.
///
/// A ring of one list for each millisecond: with millions of events an agenda of one heap costs more than they do.
struct TimeWheel<Item> {
    private static var size: Int { 65_536 }

    private var ring = [[Item]](repeating: [], count: size)
    private var next = 0
    private(set) var now: UInt64 = 0
    private(set) var count = 0

    /// A moment that has passed is now; one beyond the ring is its end, a minute from now.
    mutating func plan(_ item: Item, at moment: UInt64) {
        let place = min(max(moment, now), now + UInt64(Self.size) - 1)
        ring[Int(place % UInt64(Self.size))].append(item)
        count += 1
    }

    /// The next item up to and with `end`; nil: it is `end`, and nothing is left before.
    mutating func pop(until end: UInt64) -> Item? {
        while true {
            let place = Int(now % UInt64(Self.size))
            if next < ring[place].count {
                next += 1
                count -= 1
                return ring[place][next - 1]
            }
            // Its room too: a minute of lists as long as the longest is hundreds of megabytes.
            ring[place] = []
            next = 0
            guard now < end else { return nil }
            now += 1
        }
    }
}

extension TimeWheel: Sendable where Item: Sendable {}
