import Entries
import Simulation
import Testing

@testable import Sync

/// What was named waits for its push, so long and no longer, and so much of one link.
struct AwaitedPushesTests {
    private let one = SessionID(raw: 1)
    private let other = SessionID(raw: 2)

    private func log(_ number: Int) -> LogID { LogID(raw: Author.bytes(UInt64(number), "log")) }

    private func add(_ number: Int, _ session: SessionID, _ awaited: inout AwaitedPushes, at now: UInt64 = 0) -> Bool {
        awaited.add(log(number), named: session, at: now)
    }

    private func pop(_ awaited: inout AwaitedPushes, at now: UInt64) -> [LogID] {
        var logs: [LogID] = []
        while let name = awaited.popDue(at: now) { logs.append(name.log) }
        return logs
    }

    @Test func `A name is due after its wait`() {
        var awaited = AwaitedPushes()
        #expect(awaited.nextDue == .max)
        #expect(add(1, one, &awaited, at: 10))
        #expect(add(2, other, &awaited, at: 20))
        #expect(awaited.nextDue == 10 + Limits.graftMilliseconds)
        #expect(pop(&awaited, at: 9 + Limits.graftMilliseconds).isEmpty)
        #expect(pop(&awaited, at: 10 + Limits.graftMilliseconds) == [log(1)])
        #expect(pop(&awaited, at: 100_000) == [log(2)])
        #expect(awaited.nextDue == .max)
    }

    @Test func `A second wait is longer`() throws {
        var awaited = AwaitedPushes()
        #expect(add(1, one, &awaited))
        let due = awaited.popDue(at: Limits.graftMilliseconds)
        let name = try #require(due)
        awaited.add(again: name, at: Limits.graftMilliseconds)
        #expect(awaited.nextDue == Limits.graftMilliseconds + Limits.silenceMilliseconds)
        #expect(pop(&awaited, at: awaited.nextDue) == [log(1)])
        #expect(awaited.count == 0)
    }

    @Test func `Of one link so many wait`() {
        var awaited = AwaitedPushes()
        for number in 0..<Limits.missingCount { #expect(add(number, one, &awaited)) }
        #expect(!add(Limits.missingCount, one, &awaited))
        #expect(add(1, other, &awaited))
        _ = awaited.popDue(at: Limits.graftMilliseconds)
        #expect(add(1, one, &awaited))
    }

    @Test func `Who leaves leaves nothing behind`() {
        var awaited = AwaitedPushes()
        for number in 0..<10 { #expect(add(number, number % 2 == 0 ? one : other, &awaited)) }
        awaited.remove(one)
        #expect(awaited.count == 5)
        #expect(pop(&awaited, at: 1_000) == [1, 3, 5, 7, 9].map(log))
    }
}
