import Entries
import Sodium

/// A part of a `FingerprintTree`: a leaf with items, or a branch with parts of its own.
protocol TreeNode: Sendable {
    init(of item: TimedItem)
    /// Items or parts directly in here.
    var width: Int { get }
    static var capacity: Int { get }
    /// The least item; of a node that is not empty.
    var low: TimedItem { get }
    var sum: FingerprintSum { get }
    /// Adds an item; the greater half, if it was too much for one node.
    mutating func insert(_ item: TimedItem) -> Self?
    mutating func remove(_ item: TimedItem) -> Bool
    /// Takes over what lies behind its own.
    mutating func absorb(_ right: Self)
    func item(at place: Int) -> TimedItem
    func place(of bound: NegentropyBound) -> Int
    func sum(below place: Int) -> FingerprintSum
    func visit(_ places: Range<Int>, _ body: (TimedItem) -> Bool) -> Bool
}

/// Up to 128 items side by side: a guess between the bytes that an insertion moves and the number of nodes.
struct TreeLeaf: TreeNode {
    private var items: [TimedItem] = []

    static let capacity = 128
    /// Room for some to come, so that a bulk load is not followed by a split at each insertion.
    private static let bulkWidth = 112

    private init(_ items: some Sequence<TimedItem>) {
        // At its full size from the beginning: grown by doubling, it would hold twice as much at worst.
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
        let place = firstPlace { !($0 < item) }
        guard items.count >= Self.capacity else {
            items.insert(item, at: place)
            return nil
        }
        // What only ever grows at its end fills its leaves.
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
        let place = firstPlace { !($0 < item) }
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
    func place(of bound: NegentropyBound) -> Int { firstPlace { !bound.isAbove($0) } }

    func sum(below place: Int) -> FingerprintSum {
        var sum = FingerprintSum()
        for item in items[..<place] { sum.insert(item.id) }
        return sum
    }

    func visit(_ places: Range<Int>, _ body: (TimedItem) -> Bool) -> Bool {
        items[places].allSatisfy(body)
    }

    private func firstPlace(where isReached: (TimedItem) -> Bool) -> Int {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if isReached(items[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
