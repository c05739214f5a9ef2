import Testing

@testable import Sync

struct QueueTests {
    @Test func `It gives back what was put in in order`() {
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

    private final class Burden {}

    @Test func `What was taken out is not kept`() {
        var queue = Queue<Burden>()
        weak var first: Burden?
        weak var last: Burden?
        for number in 0..<10 {
            let burden = Burden()
            if number == 0 { first = burden }
            if number == 9 { last = burden }
            queue.append(burden)
        }
        for _ in 0..<5 { _ = queue.popFirst() }
        #expect(first == nil, "half of it is gone")
        while queue.popFirst() != nil {}
        #expect(last == nil && queue.isEmpty)
    }
}
