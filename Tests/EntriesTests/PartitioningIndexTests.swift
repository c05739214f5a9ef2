import Entries
import TestSupport
import Testing

struct PartitioningIndexTests {
    @Test func `The index is the one that a linear search finds, in as few steps as there are bits in the count`() {
        var random = SeededRandom.announced()
        for _ in 0..<2_000 {
            let sorted = (0..<random.below(70)).map { _ in random.below(30) }.sorted()
            // A slice: its indices do not begin at 0.
            let slice = sorted[random.below(sorted.count + 1)...]
            let bound = random.below(32) - 1
            var steps = 0
            let found = slice.partitioningIndex {
                steps += 1
                return $0 >= bound
            }
            let expected = slice.firstIndex { $0 >= bound } ?? slice.endIndex
            #expect(found == expected)
            #expect(steps <= Int.bitWidth - slice.count.leadingZeroBitCount)
        }
    }

    @Test func `Of equal elements, the lower bound is the first, and the upper bound comes after the last`() {
        let sorted = [1, 3, 3, 3, 5]
        #expect(sorted.partitioningIndex { $0 >= 3 } == 1)
        #expect(sorted.partitioningIndex { $0 > 3 } == 4)
    }

    @Test func `Integers need no array`() {
        #expect((-50..<50).partitioningIndex { $0 * 3 > 20 } == 7)
    }

    @Test func `What the predicate throws ends the search`() {
        #expect(throws: Malformed.self) {
            try [1, 2].partitioningIndex { throw Malformed(text: "\($0)") }
        }
    }
}
