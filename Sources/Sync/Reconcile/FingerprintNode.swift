import Entries

/// A node of a `FingerprintTree`: a leaf with items, or a branch with children.
protocol FingerprintNode: Sendable {
    init(of item: TimedItem)
    /// The number of items or children directly in the node.
    var width: Int { get }
    static var capacity: Int { get }
    /// The least item; the node must not be empty.
    var low: TimedItem { get }
    var sum: FingerprintSum { get }
    /// Adds an item; if the node overflows, returns the upper half as a new node.
    mutating func insert(_ item: TimedItem) -> Self?
    mutating func remove(_ item: TimedItem) -> Bool
    /// Appends the content of the right neighbour.
    mutating func absorb(_ right: Self)
    func item(at place: Int) -> TimedItem
    func place(of bound: NegentropyBound) -> Int
    func sum(below place: Int) -> FingerprintSum
    func visit(_ places: Range<Int>, _ body: (TimedItem) -> Bool) -> Bool
}
