import Entries
import Sodium

/// Up to 128 items in one array: a guess between the bytes that an insertion moves and the number of nodes.
struct TreeLeaf: FingerprintNode {
    private var items: [TimedItem] = []

    static let capacity = 128
    /// Leaves some room, so that a bulk load is not followed by a split at each insertion.
    private static let bulkWidth = 112

    private init(_ items: some Sequence<TimedItem>) {
        // At full capacity from the beginning: growth by doubling would hold twice as much at worst.
        self.items.reserveCapacity(Self.capacity + 1)
        self.items.append(contentsOf: items)
    }

    /// Leaves of sorted items.
    static func bulk(_ sorted: [TimedItem]) -> [TreeLeaf] {
        stride(from: 0, to: sorted.count, by: bulkWidth).map { start in
            TreeLeaf(sorted[start..<min(start + bulkWidth, sorted.count)])
        }
    }

    /// A leaf of one item.
    init(of item: TimedItem) {
        self.init(CollectionOfOne(item))
    }

    var width: Int { items.count }
    var low: TimedItem { items[0] }

    var sum: FingerprintSum {
        var sum = FingerprintSum()
        for item in items { sum.insert(item.id) }
        return sum
    }

    mutating func insert(_ item: TimedItem) -> TreeLeaf? {
        let place = items.partitioningIndex { $0 >= item }
        guard items.count >= Self.capacity else {
            items.insert(item, at: place)
            return nil
        }
        // A leaf that grows only at its end is filled.
        if place == items.count { return TreeLeaf(of: item) }
        let middle = items.count / 2
        var right = TreeLeaf(items[middle...])
        items.removeSubrange(middle...)
        if place <= middle {
            items.insert(item, at: place)
        } else {
            right.items.insert(item, at: place - middle)
        }
        return right
    }

    mutating func remove(_ item: TimedItem) -> Bool {
        let place = items.partitioningIndex { $0 >= item }
        guard place < items.count, items[place].id == item.id, items[place].seconds == item.seconds else {
            return false
        }
        items.remove(at: place)
        return true
    }

    mutating func absorb(_ right: TreeLeaf) {
        items.append(contentsOf: right.items)
    }

    func item(at place: Int) -> TimedItem { items[place] }
    func place(of bound: NegentropyBound) -> Int { items.partitioningIndex { !bound.isAbove($0) } }

    func sum(below place: Int) -> FingerprintSum {
        var sum = FingerprintSum()
        for item in items[..<place] { sum.insert(item.id) }
        return sum
    }

    func visit(_ places: Range<Int>, _ body: (TimedItem) -> Bool) -> Bool {
        items[places].allSatisfy(body)
    }
}
