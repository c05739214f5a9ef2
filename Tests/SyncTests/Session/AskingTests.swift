import Entries
import Simulation
import Testing

@testable import Sync

/// What waits to be asked of one peer.
struct AskingTests {
    private let log = LogID(raw: Author.bytes(1, "log"))

    @Test func `A log waits once, however often it is wished for`() {
        var asking = Asking()
        for cause in [Asking.Cause.listed, .news, .again] { asking.add(log, of: 1, cause) }
        // Its writer may have become known, or unknown, meanwhile.
        asking.add(log, of: nil, .again)
        #expect(asking.count == 1)
        let first = asking.popFirst(.known)
        #expect(first == log)
        #expect(asking.isEmpty)
        asking.add(log, of: 1, .again)
        #expect(asking.count == 1)
    }

    @Test func `What was set aside waits there, and nowhere else`() {
        var asking = Asking()
        asking.park(log, of: 1)
        asking.park(log, of: 1)
        asking.add(log, of: 1, .again)
        #expect(asking.count == 1)
        asking.release { _ in 8 }
        #expect(asking.count == 1)
        let first = asking.popFirst(.known)
        #expect(first == log)
        #expect(asking.isEmpty)
    }

    @Test func `What waits for a quota is put off once`() {
        var asking = Asking()
        let isFirst = asking.delay(log)
        let isSecond = asking.delay(log)
        #expect(isFirst && !isSecond)
        asking.add(log, of: 1, .again)
        #expect(asking.count == 0)
        asking.endDelay(log)
        asking.add(log, of: 1, .again)
        #expect(asking.count == 1)
    }
}
