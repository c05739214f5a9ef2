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
        #expect(awaited.nextDue == 10 + GossipLimits.graftMilliseconds)
        #expect(pop(&awaited, at: 9 + GossipLimits.graftMilliseconds).isEmpty)
        #expect(pop(&awaited, at: 10 + GossipLimits.graftMilliseconds) == [log(1)])
        #expect(pop(&awaited, at: 100_000) == [log(2)])
        #expect(awaited.nextDue == .max)
    }

    @Test func `A second wait is longer`() throws {
        var awaited = AwaitedPushes()
        #expect(add(1, one, &awaited))
        let due = awaited.popDue(at: GossipLimits.graftMilliseconds)
        let name = try #require(due)
        awaited.add(again: name, at: GossipLimits.graftMilliseconds)
        #expect(awaited.nextDue == GossipLimits.graftMilliseconds + GossipLimits.silenceMilliseconds)
        #expect(pop(&awaited, at: awaited.nextDue) == [log(1)])
        #expect(awaited.count == 0)
    }

    @Test func `Of one link so many wait`() {
        var awaited = AwaitedPushes()
        for number in 0..<GossipLimits.missingCount { #expect(add(number, one, &awaited)) }
        #expect(!add(GossipLimits.missingCount, one, &awaited))
        #expect(add(1, other, &awaited))
        _ = awaited.popDue(at: GossipLimits.graftMilliseconds)
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
