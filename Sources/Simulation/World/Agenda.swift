/// A priority queue of items by time, and by insertion order at equal times: a binary heap.
struct Agenda<Item> {
    private struct Entry {
        let moment: UInt64
        let order: UInt64
        let item: Item

        func isBefore(_ other: Entry) -> Bool {
            moment == other.moment ? order < other.order : moment < other.moment
        }
    }

    private var heap: [Entry] = []
    private var planned: UInt64 = 0

    var nextMoment: UInt64? { heap.first?.moment }

    mutating func plan(_ item: Item, at moment: UInt64) {
        heap.append(Entry(moment: moment, order: planned, item: item))
        planned += 1
        var place = heap.count - 1
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func next() -> (moment: UInt64, item: Item)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return (first.moment, first.item) }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != place else { break }
            heap.swapAt(place, least)
            place = least
        }
        return (first.moment, first.item)
    }
}
