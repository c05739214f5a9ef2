import Testing

@testable import Sync

struct QueueTests {
    @Test func itGivesBackWhatWasPutInInOrder() {
        var queue = Queue<Int>()
        var chance = Chance(seed: 3)
        var next = 0
        var expected = 0
        for _ in 0..<5_000 {
            if chance.next() % 3 != 0 {
                queue.append(next)
                next += 1
            } else if let first = queue.popFirst() {
                #expect(first == expected)
                expected += 1
            }
            #expect(queue.count == next - expected)
            #expect(queue.first == (next == expected ? nil : expected))
        }
        let rest = queue.popFirst(10_000)
        #expect(rest == Array(expected..<next))
        #expect(queue.isEmpty)
    }
}
