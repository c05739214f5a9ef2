package import Entries
internal import Sodium

/// An ordered set of items that gives the fingerprint sum of any range in O(log N) (`protocol/log.md` §9).
///
/// A B+-tree of fixed height with its items in flat arrays, about 50 bytes each. A copy is a snapshot: it costs nothing
/// when it is made, and each array that changes afterwards is copied once.
package struct FingerprintTree: Sendable {
    private typealias Root = TreeBranch<TreeBranch<TreeBranch<TreeLeaf>>>

    private var root: Root
    /// The sum of all items.
    package private(set) var sum = FingerprintSum()

    package init() {
        root = Root()
    }

    /// Builds the tree faster than insertions do; no two items may be equal.
    package init(_ items: [TimedItem]) {
        let sorted = items.sorted()
        let leaves = TreeLeaf.bulk(sorted)
        root = Root(all: TreeBranch.bulk(TreeBranch.bulk(leaves)))
        sum = root.sum
    }

    package var count: Int { Int(sum.count) }

    /// Adds an item, which must be new.
    package mutating func insert(_ item: TimedItem) {
        sum.insert(item.id)
        guard let right = root.insert(item) else { return }
        root.absorb(right)
    }

    /// Removes an item; false if there is none.
    package mutating func remove(_ item: TimedItem) -> Bool {
        guard root.remove(item) else { return false }
        sum.remove(item.id)
        return true
    }

    /// The item at a place, which is below `count`.
    package subscript(place: Int) -> TimedItem { root.item(at: place) }

    /// The number of items below the bound.
    package func place(of bound: NegentropyBound) -> Int {
        root.place(of: bound)
    }

    /// The sum of the items at these places.
    package func sum(of places: Range<Int>) -> FingerprintSum {
        if places.isEmpty { return FingerprintSum() }
        var sum = places.upperBound == count ? sum : root.sum(below: places.upperBound)
        if places.lowerBound > 0 { sum.remove(root.sum(below: places.lowerBound)) }
        return sum
    }

    /// Calls `body` with the items at these places in order, for as long as it returns true.
    package func visit(_ places: Range<Int>, _ body: (TimedItem) -> Bool) {
        guard !places.isEmpty else { return }
        _ = root.visit(places, body)
    }
}
