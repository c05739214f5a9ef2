import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Whose chunk is looked at next.
struct ArrivalsTests {
    private static let nobody = NodeID(raw: Author.bytes(1, "nobody"))

    private func arrival(
        _ session: UInt64,
        _ kind: Pipeline.Arrival.Kind,
        log: UInt64 = 0,
        start: UInt64 = 0,
        count: UInt64 = 1,
        cost: UInt64 = 0
    ) -> Pipeline.Arrival {
        let chunk = UnverifiedChunk(
            log: LogID(raw: Author.bytes(log, "log")),
            certificate: nil,
            start: start,
            count: count,
            size: start + count,
            proof: .known,
            entries: [UInt8](repeating: 0, count: Int(count)),
            right: []
        )
        return Pipeline.Arrival(
            session: SessionID(raw: session),
            node: Self.nobody,
            chunk: chunk,
            cost: cost,
            kind: kind
        )
    }

    private func batch(_ pipeline: inout Pipeline, now: UInt64 = 0) -> [Pipeline.Arrival] {
        guard let batch = pipeline.nextVerification(now: now) else { return [] }
        return pipeline.endVerification(batch.id)?.flatMap(\.self) ?? []
    }

    private func sessions(_ arrivals: [Pipeline.Arrival]) -> [UInt64] { arrivals.map(\.session.raw) }

    @Test func `Sessions take turns and each keeps its order`() {
        var arrivals = Arrivals()
        for place in 0..<UInt64(5) { arrivals.add(arrival(1, .push, log: 10 + place)) }
        arrivals.add(arrival(2, .push, log: 20))
        arrivals.add(arrival(3, .push, log: 30))
        arrivals.add(arrival(2, .push, log: 21))
        var came: [Pipeline.Arrival] = []
        while let next = arrivals.popFirst(.live) { came.append(next) }
        #expect(sessions(came) == [1, 2, 3, 1, 2, 1, 1, 1])
        let logs = came.filter { $0.session.raw == 1 }.map(\.chunk.log)
        #expect(logs == (0..<UInt64(5)).map { LogID(raw: Author.bytes(10 + $0, "log")) })
        #expect(arrivals.isEmpty)
    }

    @Test func `A post is in the next batch whatever another session has sent`() {
        var pipeline = Pipeline()
        for log in 0..<UInt64(9_000) { pipeline.add(arrival(1, .push, log: log), now: 0) }
        pipeline.add(arrival(2, .push, log: 100_000), now: 0)
        let first = batch(&pipeline)
        #expect(sessions(first).contains(2))
        #expect(first.count < 200, "\(first.count) at once while two are live")
    }

    @Test func `Whoever is alone fills a batch`() {
        var pipeline = Pipeline()
        for log in 0..<UInt64(9_000) { pipeline.add(arrival(1, .answer(.known), log: log), now: 0) }
        #expect(batch(&pipeline).count > 1_000)
        // The person here writes something: until that is some time ago, batches are short.
        pipeline.noteOwn(now: 0)
        #expect(batch(&pipeline).count < 200)
        #expect(batch(&pipeline, now: Limits.livelyMilliseconds).count > 1_000)
    }

    @Test func `What is live goes before history and does not starve it`() {
        var pipeline = Pipeline()
        for turn in 0..<UInt64(40) {
            pipeline.add(arrival(1, .answer(.known), log: turn, count: 900), now: 0)
        }
        var kinds: [Pipeline.Arrival.Kind] = []
        for turn in 0..<UInt64(30) {
            pipeline.add(arrival(2, .push, log: 1_000 + turn), now: 0)
            kinds += batch(&pipeline).map(\.kind)
        }
        let live = Array(repeating: Pipeline.Arrival.Kind.push, count: Limits.liveTurnsCount)
        #expect(Array(kinds.prefix(live.count)) == live)
        #expect(kinds[live.count] == .answer(.known))
        #expect(kinds.count { $0 == .answer(.known) } == 3)
    }

    @Test func `A large push is history and what follows it of the log stays behind it`() {
        var arrivals = Arrivals()
        #expect(arrivals.add(arrival(1, .push, count: Limits.liveWork + 1)) == .bulk)
        #expect(arrivals.add(arrival(1, .push, start: Limits.liveWork + 1)) == .bulk)
        #expect(arrivals.add(arrival(1, .push, log: 1)) == .live)
        #expect(arrivals.add(arrival(2, .push, start: Limits.liveWork + 1)) == .live)
        while arrivals.popFirst(.bulk) != nil {}
        #expect(arrivals.add(arrival(1, .push, start: Limits.liveWork + 2)) == .live)
    }

    @Test func `Of a session that is gone nothing waits and of the others everything`() {
        var pipeline = Pipeline()
        for log in 0..<UInt64(6) {
            pipeline.add(arrival(1 + log % 2, .push, log: log, cost: 7), now: 0)
            pipeline.add(arrival(1 + log % 2, .answer(.known), log: log, start: 1, cost: 7), now: 0)
        }
        // Log 1 comes from both.
        pipeline.add(arrival(1, .push, log: 1, cost: 7), now: 0)
        let logs = pipeline.dropWaiting(from: SessionID(raw: 2))
        #expect(Set(logs) == Set([3, 5].map { LogID(raw: Author.bytes($0, "log")) }))
        #expect(logs.count == 2)
        #expect(pipeline.costs == [SessionID(raw: 1): 49])
        var rest: [UInt64] = []
        while case let next = sessions(batch(&pipeline)), !next.isEmpty { rest += next }
        #expect(rest == [UInt64](repeating: 1, count: 7))
        #expect(pipeline.isIdle)
    }
}
