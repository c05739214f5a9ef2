import Entries
import Sodium

/// Up to 64 children, each with its count, sum and least item.
struct TreeBranch<Child: FingerprintNode>: FingerprintNode {
    private struct Slot {
        var low: TimedItem
        var sum: FingerprintSum
        var child: Child

        init(_ child: Child) {
            low = child.low
            sum = child.sum
            self.child = child
        }

        var count: Int { Int(sum.count) }
    }

    private var slots: [Slot] = []

    static var capacity: Int { 64 }

    init() {}

    /// One branch of all these children, however many; for the root only.
    init(all children: [Child]) {
        slots = children.map(Slot.init)
    }

    /// Branches of sorted children, each with some room left.
    static func bulk(_ children: [Child]) -> [TreeBranch] {
        let width = capacity * 7 / 8
        return stride(from: 0, to: children.count, by: width).map { start in
            TreeBranch(all: Array(children[start..<min(start + width, children.count)]))
        }
    }

    var width: Int { slots.count }
    var low: TimedItem { slots[0].low }

    var sum: FingerprintSum {
        var sum = FingerprintSum()
        for slot in slots { sum.insert(slot.sum) }
        return sum
    }

    mutating func insert(_ item: TimedItem) -> TreeBranch? {
        guard !slots.isEmpty else {
            slots = [Slot(Child(of: item))]
            return nil
        }
        let place = slot(of: item)
        slots[place].low = min(slots[place].low, item)
        if let right = slots[place].child.insert(item) {
            slots[place].sum = slots[place].child.sum
            slots.insert(Slot(right), at: place + 1)
        } else {
            slots[place].sum.insert(item.id)
        }
        guard slots.count > Self.capacity else { return nil }
        let middle = place + 2 >= slots.count ? slots.count - 1 : slots.count / 2
        var right = TreeBranch()
        right.slots = Array(slots[middle...])
        slots.removeSubrange(middle...)
        return right
    }

    mutating func remove(_ item: TimedItem) -> Bool {
        guard !slots.isEmpty else { return false }
        let place = slot(of: item)
        guard slots[place].child.remove(item) else { return false }
        slots[place].sum.remove(item.id)
        if slots[place].count == 0 {
            slots.remove(at: place)
        } else {
            if slots[place].low == item { slots[place].low = slots[place].child.low }
            mergeIfThin(place)
        }
        return true
    }

    /// Old places become empty as logs grow: a child less than a quarter full is merged with its neighbour, if both
    /// fill three quarters at most.
    private mutating func mergeIfThin(_ place: Int) {
        guard slots[place].child.width < Child.capacity / 4, slots.count > 1 else { return }
        let left = place + 1 < slots.count ? place : place - 1
        guard slots[left].child.width + slots[left + 1].child.width <= Child.capacity * 3 / 4 else { return }
        let right = slots.remove(at: left + 1)
        slots[left].child.absorb(right.child)
        slots[left].sum.insert(right.sum)
    }

    mutating func absorb(_ right: TreeBranch) {
        slots.append(contentsOf: right.slots)
    }

    func item(at place: Int) -> TimedItem {
        let (slot, rest) = find(place)
        return slots[slot].child.item(at: rest)
    }

    func place(of bound: NegentropyBound) -> Int {
        let next = slots.partitioningIndex { !bound.isAbove($0.low) }
        guard next > 0 else { return 0 }
        let before = slots[..<(next - 1)].reduce(0) { $0 + $1.count }
        return before + slots[next - 1].child.place(of: bound)
    }

    func sum(below place: Int) -> FingerprintSum {
        var sum = FingerprintSum()
        var rest = place
        for slot in slots {
            guard slot.count <= rest else {
                if rest > 0 { sum.insert(slot.child.sum(below: rest)) }
                return sum
            }
            sum.insert(slot.sum)
            rest -= slot.count
        }
        return sum
    }

    func visit(_ places: Range<Int>, _ body: (TimedItem) -> Bool) -> Bool {
        var start = 0
        for slot in slots {
            let own = start..<start + slot.count
            if own.lowerBound >= places.upperBound { return true }
            if own.overlaps(places) {
                let part = own.clamped(to: places)
                let inner = part.lowerBound - start..<part.upperBound - start
                guard slot.child.visit(inner, body) else { return false }
            }
            start = own.upperBound
        }
        return true
    }

    /// The slot that an item belongs to.
    private func slot(of item: TimedItem) -> Int {
        max(slots.partitioningIndex { $0.low > item } - 1, 0)
    }

    private func find(_ place: Int) -> (slot: Int, rest: Int) {
        var rest = place
        for (index, slot) in slots.enumerated() {
            if rest < slot.count { return (index, rest) }
            rest -= slot.count
        }
        preconditionFailure("a place beyond the last item")
    }
}

extension TreeBranch {
    init(of item: TimedItem) {
        self.init(all: [Child(of: item)])
    }
}
