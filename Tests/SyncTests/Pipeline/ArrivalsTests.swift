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
        for place in 0..<UInt64(5) { arrivals.add(arrival(1, .push, log: 10 + place), as: .live) }
        arrivals.add(arrival(2, .push, log: 20), as: .live)
        arrivals.add(arrival(3, .push, log: 30), as: .live)
        arrivals.add(arrival(2, .push, log: 21), as: .live)
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

    @Test func `Whoever is alone soon fills a batch`() throws {
        var pipeline = Pipeline()
        for log in 0..<UInt64(9_000) { pipeline.add(arrival(1, .answer(.known), log: log), now: 0) }
        // The store is to have something to do while the rest is verified.
        #expect(batch(&pipeline).count == 28)
        try beginStoring(&pipeline)
        var counts: [Int] = []
        while counts.last ?? 0 <= 1_000, counts.count < 10 { counts.append(batch(&pipeline).count) }
        #expect(counts.starts(with: [56, 113, 227]) && counts.count < 8)
        // The person here writes something: until that is some time ago, batches are short.
        pipeline.noteOwn(now: 0)
        #expect(batch(&pipeline).count < 200)
        #expect(batch(&pipeline, now: Limits.livelyMilliseconds).count > 1_000)
    }

    @Test func `After a rest it begins with a small one again`() throws {
        var pipeline = Pipeline()
        for log in 0..<UInt64(9_000) { pipeline.add(arrival(1, .answer(.known), log: log), now: 0) }
        _ = batch(&pipeline)
        let stored = try beginStoring(&pipeline)
        for _ in 0..<5 { _ = batch(&pipeline) }
        _ = pipeline.endTake(stored, microseconds: 1_000, now: 0)
        #expect(batch(&pipeline).count == 28)
    }

    @Test func `Who comes back is nobody besides itself`() {
        for isGone in [false, true] {
            var pipeline = Pipeline()
            pipeline.add(arrival(1, .push, log: 9_999), now: 0)
            _ = batch(&pipeline)
            if isGone { _ = pipeline.dropWaiting(from: SessionID(raw: 1)) }
            for log in 0..<UInt64(400) { pipeline.add(arrival(2, .push, log: log), now: 0) }
            #expect(batch(&pipeline).count == (isGone ? 28 : 11))
        }
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

    @Test func `What follows history of the log in the same session stays behind it`() {
        var arrivals = Arrivals()
        #expect(arrivals.add(arrival(1, .push), as: .bulk) == .bulk)
        #expect(arrivals.add(arrival(1, .push, start: 1), as: .live) == .bulk)
        #expect(arrivals.add(arrival(1, .push, log: 1), as: .live) == .live)
        #expect(arrivals.add(arrival(2, .push, start: 1), as: .live) == .live)
        while arrivals.popFirst(.bulk) != nil {}
        #expect(arrivals.add(arrival(1, .push, start: 2), as: .live) == .live)
    }

    @Test func `Only what is small and comes no faster than people write is live`() {
        var pipeline = Pipeline()
        pipeline.noteOwn(now: 0)
        pipeline.add(arrival(1, .push, log: 1, count: Limits.liveWork + 1), now: 0)
        #expect(batch(&pipeline).map(\.isNews) == [false])
        let work = 1 + StorePace.workPerLog
        for log in 0..<2 * Limits.liveBurstWork / work { pipeline.add(arrival(1, .push, log: log), now: 0) }
        var came: [Pipeline.Arrival] = []
        while case let next = batch(&pipeline), !next.isEmpty { came += next }
        #expect(UInt64(came.count { $0.isNews }) == Limits.liveBurstWork / work)
        #expect(UInt64(came.count) == 2 * Limits.liveBurstWork / work, "the rest waits, and is not lost")
        // A second later it may bring some more.
        for log in 0..<Limits.liveBurstWork / work { pipeline.add(arrival(1, .push, log: log), now: 1_000) }
        came = []
        while case let next = batch(&pipeline, now: 1_000), !next.isEmpty { came += next }
        #expect(UInt64(came.count { $0.isNews }) == Limits.liveWorkPerSecond / work)
    }

    @Test func `What keeps nobody waiting is news at any rate`() {
        var pipeline = Pipeline()
        for log in 0..<UInt64(2_000) { pipeline.add(arrival(1, .push, log: log), now: 0) }
        var came: [Pipeline.Arrival] = []
        while case let next = batch(&pipeline), !next.isEmpty { came += next }
        #expect(came.count == 2_000 && came.allSatisfy(\.isNews))
    }

    /// The store begins with one chunk of history.
    @discardableResult
    private func beginStoring(_ pipeline: inout Pipeline, entries: Int = 1, isStrangers: Bool = false) throws
        -> BatchID
    {
        var author = Author(seed: 3, network: NetworkID(name: "campus"))
        let written = author.write([[UInt8]](repeating: Array("history".utf8), count: entries), at: 1)
        let history = Pipeline.Arrival(
            session: SessionID(raw: 1),
            node: Self.nobody,
            chunk: written.unverified,
            cost: 0,
            kind: .answer(.known),
            isStrangers: isStrangers
        )
        pipeline.put(written, of: history)
        let begun = pipeline.nextTake(now: 0)
        return try #require(begun).0
    }

    /// Stores one chunk of history, in so many milliseconds that end at the moment 10, while more of it waits.
    private func pausing(entries: Int = 1, isStrangers: Bool = false, for duration: UInt64 = 20) throws -> Pipeline {
        var pipeline = Pipeline()
        for log in 1..<UInt64(5) { pipeline.add(arrival(1, .answer(.known), log: log, count: 900), now: 0) }
        let id = try beginStoring(&pipeline, entries: entries, isStrangers: isStrangers)
        let done = pipeline.endTake(id, microseconds: duration * 1_000, now: 10)
        _ = try #require(done)
        return pipeline
    }

    @Test func `Between two transactions of history the store is left to whoever is live`() throws {
        var pipeline = try pausing()
        pipeline.noteOwn(now: 10)
        // Of nine parts of the work eight were the log's.
        let due = 10 + 20 * Limits.bulkPauseFactor * 8 / 9
        #expect(pipeline.bulkDue(now: 10) == due)
        #expect(batch(&pipeline, now: due - 1).isEmpty)
        pipeline.add(arrival(2, .push, log: 9), now: due - 1)
        #expect(sessions(batch(&pipeline, now: due - 1)) == [2])
        #expect(sessions(batch(&pipeline, now: due)) == [1])
        #expect(pipeline.bulkDue(now: due) == nil)
    }

    @Test func `What comes from somebody whom nobody listed is stored more slowly`() throws {
        var pipeline = try pausing(isStrangers: true, for: 9)
        pipeline.noteOwn(now: 10)
        #expect(pipeline.bulkDue(now: 10) == 10 + 9 * Limits.strangersPauseFactor * 8 / 9)
    }

    @Test func `A disk that hangs makes nobody wait for longer than a second`() throws {
        var pipeline = try pausing(isStrangers: true, for: 5_000)
        pipeline.noteOwn(now: 10)
        #expect(pipeline.bulkDue(now: 10) == 10 + Limits.bulkPauseMaximumMilliseconds)
    }

    @Test func `Who brings many entries of a writer hardly rests`() throws {
        var pipeline = try pausing(entries: 472)
        pipeline.noteOwn(now: 10)
        let due = pipeline.bulkDue(now: 10) ?? 10
        #expect(due <= 10 + 20 * Limits.bulkPauseFactor / 60)
    }

    @Test func `Whoever is alone waits for no pause`() throws {
        var pipeline = try pausing()
        #expect(sessions(batch(&pipeline, now: 10)).isEmpty == false)
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

extension Arrivals {
    @discardableResult
    fileprivate mutating func add(_ arrival: Arrival, as wished: Lane) -> Lane {
        let lane = lane(of: arrival, as: wished)
        add(arrival, to: lane)
        return lane
    }
}
