import Entries
import Sodium
import Testing

@testable import Sync

struct ComparisonTests {
    private func log(_ byte: UInt8) -> LogID { LogID(raw: Bytes32(repeating: byte)) }

    private func answer(_ comparison: inout Comparison, _ page: UInt32, _ logs: [LogID]) -> SyncViolation? {
        do throws(SyncViolation) {
            _ = try comparison.answer(
                ComparisonAnswer(page: page, logs: logs.map { LogSize(log: $0, size: 1) })
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `An answer lies within its page`() {
        var comparison = Comparison()
        _ = comparison.ask(after: log(3), through: log(7), logs: [])
        for logs in [[log(3)], [log(8)], [log(5), log(5)], [log(6), log(5)]] {
            let violation = answer(&comparison, 1, logs)
            #expect(violation == .impossiblePage)
        }
        let fine = answer(&comparison, 1, [log(4), log(7)])
        #expect(fine == nil)
        let again = answer(&comparison, 1, [])
        #expect(again == .unaskedAnswer)
    }

    @Test func `Small answers are paid for as one large one`() throws {
        var comparison = Comparison()
        let none = PageBounds(after: nil, through: nil)
        let burst = Int(Limits.reconciliationBurstMilliseconds * Limits.reconciliationBytesPerMillisecond)
        let count = 2 * burst / 400
        for number in 1...UInt32(count) {
            try comparison.asked(ComparePage(page: number, bounds: none, logs: []), now: 0)
            comparison.answered(10, of: 0, now: 0)
        }
        try comparison.asked(ComparePage(page: UInt32(count) + 1, bounds: none, logs: []), now: 0)
        let opensAt = try #require(comparison.opensAt)
        #expect(opensAt > 0)
    }

    @Test func `A run that brings nothing doubles the wait`() {
        var comparison = Comparison()
        var waits: [UInt64] = []
        for _ in 0..<20 {
            comparison.begin(now: 1_000)
            waits.append(comparison.notBefore - 1_000)
        }
        #expect(waits.prefix(4) == [1_000, 2_000, 4_000, 8_000])
        #expect(waits.last == 86_400_000)
        comparison.brought()
        #expect(comparison.notBefore == 0)
        comparison.begin(now: 0)
        #expect(comparison.notBefore == 1_000)
        comparison.ripened()
        comparison.brought()
        #expect(comparison.notBefore == 1_000, "what comes later has other reasons")
    }
}
