import Entries
import Sodium
import Testing

@testable import Sync

struct ComparisonTests {
    private func log(_ byte: UInt8) -> LogID { LogID(raw: Bytes32(repeating: byte)) }

    private func answer(_ pages: inout ComparisonPages, _ page: UInt32, _ logs: [LogID]) -> SyncViolation? {
        do throws(SyncViolation) {
            _ = try pages.answer(
                ComparisonAnswer(page: page, logs: logs.map { LogSize(log: $0, size: 1) })
            )
            return nil
        } catch {
            return error
        }
    }

    @Test func `An answer lies within its page`() {
        var pages = ComparisonPages()
        _ = pages.ask(after: log(3), through: log(7), logs: [])
        for logs in [[log(3)], [log(8)], [log(5), log(5)], [log(6), log(5)]] {
            let violation = answer(&pages, 1, logs)
            #expect(violation == .impossiblePage)
        }
        let fine = answer(&pages, 1, [log(4), log(7)])
        #expect(fine == nil)
        let again = answer(&pages, 1, [])
        #expect(again == .unaskedAnswer)
    }

    @Test func `Small answers are paid for as one large one`() throws {
        var answers = PageAnswers()
        let none = PageBounds(after: nil, through: nil)
        let burst = Int(Limits.reconciliationBurstMilliseconds * Limits.reconciliationBytesPerMillisecond)
        let count = 2 * burst / 400
        for number in 1...UInt32(count) {
            try answers.asked(ComparePage(page: number, bounds: none, logs: []), now: 0)
            answers.answered(10, of: 0, now: 0)
        }
        try answers.asked(ComparePage(page: UInt32(count) + 1, bounds: none, logs: []), now: 0)
        let opensAt = try #require(answers.opensAt)
        #expect(opensAt > 0)
    }

    @Test func `A run that brings nothing doubles the wait`() {
        var pace = ComparisonPace()
        var waits: [UInt64] = []
        for _ in 0..<20 {
            pace.begin(now: 1_000)
            waits.append(pace.notBefore - 1_000)
        }
        #expect(waits.prefix(4) == [1_000, 2_000, 4_000, 8_000])
        #expect(waits.last == 86_400_000)
        pace.brought()
        #expect(pace.notBefore == 0)
        pace.begin(now: 0)
        #expect(pace.notBefore == 1_000)
        pace.ripened()
        pace.brought()
        #expect(pace.notBefore == 1_000, "what comes later has other reasons")
    }
}
