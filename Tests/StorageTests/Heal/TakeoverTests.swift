import Entries
import Sodium
import Testing

@testable import Storage

/// How a settled history takes the place of the one that is stored.
@Suite struct TakeoverTests {
    private static let words = "Haselmausnest"

    private func posts(_ count: Int, from first: Int = 0) throws -> [Payload] {
        try (first..<first + count).map { .post(try Post(salt: .test, text: "\($0)")) }
    }

    private func settlement(of log: ForkedLog, at known: KnownRoot, serial: UInt64 = 1) throws -> TakeBatch {
        let signed = try Device.settlement(1, log.log, known, serial: serial)
        return TakeBatch(SettlementArrival(signed: signed, certificate: log.device.certificate, source: .peer))
    }

    private func evidence(of log: ForkedLog, _ first: Int, _ second: Int) throws -> TakeBatch {
        let evidence = try #require(log.evidence(first, second))
        return TakeBatch(EvidenceArrival(evidence: evidence, certificate: log.device.certificate, source: .peer))
    }

    /// The first difference from a settled branch.
    private func finding(_ log: ForkedLog, _ branch: Int, at place: Int, of size: Int) -> TakeBatch {
        log.finding(branch, at: place, of: size, proof: .settled(size: UInt64(size)))
    }

    private func side(_ log: ForkedLog, _ store: EntryStore) throws -> LogRange? {
        try store.prefixes(of: [log.log])[log.log]?.side
    }

    @Test
    func
        `a settled history is taken over once all of it is here, also after a restart, and the words of the other are gone`()
        throws
    {
        let home = try TestHome()
        let tail = try (0..<4).map { Payload.post(try Post(salt: .test, text: "\(Self.words) \($0)")) }
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(5) + tail), (of: 0, keep: 5, then: try posts(6, from: 20))]
        )
        let settled = log.known(1, 10)
        do {
            let store = try home.open()
            try store.take(log.chunk(0, 0..<9, size: 9))
            _ = try store.take(settlement(of: log, at: settled))
            var batch = TakeBatch()
            batch.findings = [
                ForkFinding(
                    log: log.log,
                    sequence: 5,
                    leaf: log.branches[1][5].id,
                    right: log.range(1, 6..<10),
                    proof: .settled(size: 10)
                )
            ]
            // A history that does not lead to the settled root begins nothing.
            var wrong = TakeBatch()
            wrong.findings = [
                ForkFinding(
                    log: log.log,
                    sequence: 5,
                    leaf: log.branches[1][6].id,
                    right: log.range(1, 6..<10),
                    proof: .settled(size: 10)
                )
            ]
            #expect(try store.take(wrong).standings.isEmpty)
            #expect(try store.take(batch).standings.map(\.side) == [5])
            #expect(try store.take(log.settledChunk(1, 5..<7, of: 10, on: store)).standings.map(\.side) == [7])
            #expect(try store.state().frontier.map(\.size) == [9] && home.contains(Self.words))
            try store.close()
        }
        let store = try home.open()
        #expect(try store.state().standings.map(\.side) == [7])
        let report = try store.take(log.settledChunk(1, 7..<10, of: 10, on: store))
        #expect(report.changes.map(\.size) == [10] && report.standings.map(\.isComplete) == [true])
        // Bodies of the settled history are asked for by name.
        #expect(report.wantedBodies == (5..<10).map { BodyPlace(log: log.log, sequence: $0) })
        #expect(try !home.contains(Self.words))
        #expect(try store.feed().count == 10)
    }

    @Test func `The posts of a history that is taken over arrive as new ones`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(9)), (of: 0, keep: 5, then: try posts(5, from: 20))]
        )
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<9, size: 9))
        _ = try store.take(settlement(of: log, at: log.known(1, 10)))
        _ = try store.take(finding(log, 1, at: 5, of: 10))
        let mark = try store.reader.latestArrival()
        try store.take(log.settledChunk(1, 5..<10, of: 10, on: store))
        let new = try store.reader.arrivals(after: mark, FeedQuery(now: .max, reader: nil)).posts.map(\.id)
        #expect(Set(new) == Set(log.branches[1][5..<10].map(\.id)))
    }

    @Test func `A settlement that comes meanwhile begins anew`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [
                (of: 0, keep: 0, then: try posts(8)), (of: 0, keep: 5, then: try posts(4, from: 20)),
                (of: 0, keep: 3, then: try posts(4, from: 40)),
            ]
        )
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<8, size: 8))
        _ = try store.take(settlement(of: log, at: log.known(1, 9)))
        _ = try store.take(finding(log, 1, at: 5, of: 9))
        try store.take(log.settledChunk(1, 5..<7, of: 9, on: store))
        #expect(try side(log, store)?.bounds == 0..<7)
        _ = try store.take(settlement(of: log, at: log.known(2, 7), serial: 2))
        #expect(try side(log, store) == nil)
        _ = try store.take(finding(log, 2, at: 3, of: 7))
        #expect(try store.take(log.settledChunk(2, 3..<7, of: 7, on: store)).changes.map(\.size) == [7])
        #expect(try store.feed().count == 7)
    }

    @Test func `What stood before a settled history and goes takes it along`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [(of: 0, keep: 0, then: try posts(11)), (of: 0, keep: 5, then: try posts(7, from: 20))]
        )
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<9, size: 11))
        _ = try store.take(settlement(of: log, at: log.known(1, 12)))
        _ = try store.take(finding(log, 1, at: 5, of: 12))
        #expect(try side(log, store)?.bounds == 0..<5)
        var restart = TakeBatch()
        restart.restarts = [log.log]
        _ = try store.take(restart)
        #expect(try side(log, store) == nil && store.prefixes(of: [log.log])[log.log]?.range.bounds == 0..<0)
    }

    @Test func `A chunk under words that are not in force any more is left alone`() throws {
        let log = ForkedLog(
            try Device(person: 1),
            [
                (of: 0, keep: 0, then: try posts(8)), (of: 0, keep: 6, then: try posts(2, from: 20)),
                (of: 0, keep: 4, then: try posts(4, from: 40)),
            ]
        )
        for isSettled in [true, false] {
            let store = try EntryStore.inMemory()
            try store.take(log.chunk(0, 0..<3, size: 3))
            _ = try store.take(isSettled ? settlement(of: log, at: log.known(0, 8)) : evidence(of: log, 0, 1))
            let chunk = try log.settledChunk(0, 3..<6, of: isSettled ? 8 : 6, on: store)
            _ = try store.take(
                isSettled ? settlement(of: log, at: log.known(2, 7), serial: 2) : evidence(of: log, 0, 2)
            )
            #expect(try store.take(chunk).skipped == [log.log])
            #expect(try store.prefixes(of: [log.log])[log.log]?.range.bounds == 0..<3)
        }
    }
}

extension ForkedLog {
    /// Entries under a known root as a node sends them, checked over what a store has of the log.
    fileprivate func settledChunk(_ branch: Int, _ bounds: Range<Int>, of size: Int, on store: EntryStore) throws
        -> VerifiedChunk
    {
        let raw = UnverifiedChunk(
            log: log,
            certificate: nil,
            start: UInt64(bounds.lowerBound),
            count: UInt64(bounds.count),
            size: UInt64(size),
            proof: .known,
            entries: EntryCoding.encode(Array(branches[branch][bounds])),
            right: range(branch, bounds.upperBound..<size).nodes
        )
        let prefix = try #require(store.prefixes(of: [log])[log])
        return try #require(ChunkVerifier(network: Device.network).verify(raw, over: prefix).verified)
    }
}
