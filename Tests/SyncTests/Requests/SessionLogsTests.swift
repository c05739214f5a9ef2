import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct SessionLogsTests {
    private let first = SessionID(raw: 1)
    private let second = SessionID(raw: 2)

    private func log(_ number: UInt64) -> LogID { LogID(raw: Author.bytes(number, "log")) }

    @Test func `What is let go of leaves little behind`() {
        var logs = SessionLogs()
        for number in 0..<UInt64(10_000) {
            let held = log(number)
            logs.note(held, of: first) { $0 == held }
        }
        #expect(logs.count < 200, "\(logs.count)")
        let left = logs.removeAll(of: first)
        #expect(left.contains(log(9_999)) && logs.count == 0)
    }

    @Test func `What is held is kept, however often it is noted, for each session alone`() {
        var logs = SessionLogs()
        let all = (0..<UInt64(1_000)).map(log)
        for _ in 0..<10 {
            for held in all { logs.note(held, of: first) { _ in true } }
        }
        logs.note(all[0], of: second) { _ in true }
        #expect(logs.count < 3_000, "\(logs.count)")
        let ofFirst = logs.removeAll(of: first)
        let ofSecond = logs.removeAll(of: second)
        #expect(ofFirst == Set(all) && ofSecond == [all[0]])
    }
}
