import Testing

@testable import Sync

/// How much fits a transaction.
struct StorePaceTests {
    /// Stores as much as the pace allows, again and again, in a store of this speed.
    private func settle(
        _ pace: inout StorePace,
        flush: UInt64,
        perWork: UInt64,
        aim: UInt64,
        rounds: Int = 60
    ) -> UInt64 {
        var took: UInt64 = 0
        for _ in 0..<rounds {
            let work = pace.work(in: aim)
            took = flush + work * perWork / 1_000
            pace.note(work: work, microseconds: took)
        }
        return took
    }

    @Test(arguments: [UInt64(4_000), 10_000, 30_000])
    func `Transactions come to take as long as they may`(_ nanosecondsPerWork: UInt64) {
        var pace = StorePace()
        let took = settle(&pace, flush: 0, perWork: nanosecondsPerWork, aim: 8)
        #expect((6_500...8_500).contains(took), "\(took) µs")
    }

    @Test func `A transaction of one entry says what the flush costs and nothing of entries`() {
        var pace = StorePace()
        _ = settle(&pace, flush: 0, perWork: 10_000, aim: 8)
        let before = pace.work(in: 100)
        for _ in 0..<100 { pace.note(work: 9, microseconds: 3_000) }
        let after = pace.work(in: 100)
        #expect(after < before && after > before * 9 / 10, "\(before), then \(after)")
    }

    @Test func `On a slow disk the flush takes no more than half of the time`() {
        var pace = StorePace()
        for _ in 0..<100 { pace.note(work: 9, microseconds: 40_000) }
        let work = pace.work(in: 8)
        #expect((3_000...4_100).contains(work), "\(work) in 40 ms")
    }

    @Test func `A disk that hung once is no slow disk`() {
        var pace = StorePace()
        _ = settle(&pace, flush: 0, perWork: 10_000, aim: 100)
        let before = pace.work(in: 100)
        pace.note(work: before, microseconds: 60_000_000)
        #expect(pace.work(in: 100) > before / 2)
        let took = settle(&pace, flush: 0, perWork: 10_000, aim: 100, rounds: 10)
        #expect(took > 90_000)
    }

    @Test func `However slow the store is something is stored`() {
        var pace = StorePace()
        for _ in 0..<100 { pace.note(work: 10_000, microseconds: .max) }
        #expect(pace.work(in: 8) == Limits.leastBatchWork)
        for _ in 0..<200 { pace.note(work: .max / (1 << 40), microseconds: 0) }
        #expect(pace.work(in: 8) > 10_000)
    }
}
