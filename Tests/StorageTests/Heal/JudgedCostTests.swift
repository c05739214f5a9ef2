import Entries
import Sodium
import Testing

@testable import Storage

/// Who writes a log, and forks and settles it, chooses where it is cut.
@Suite struct JudgedCostTests {
    /// Of branch 0, settled, all but the last entries are stored; branch 1 leaves it early, and 2 leaves 1 at the cut.
    private func log(cutAt cut: Int, of size: Int, early: Int) throws -> ForkedLog {
        let posts = { (count: Int, first: Int) in
            try (first..<first + count).map { Payload.post(try Post(salt: .test, text: "\($0)")) }
        }
        return ForkedLog(
            try Device(person: 1),
            [
                (of: 0, keep: 0, then: try posts(size, 0)),
                (of: 0, keep: early, then: try posts(cut + 1 - early, 1_000)),
                (of: 1, keep: cut, then: try posts(1, 2_000)),
            ]
        )
    }

    private func evidence(_ log: ForkedLog, _ first: Int, _ second: Int) throws -> EvidenceArrival {
        let evidence = try #require(log.evidence(first, second))
        return EvidenceArrival(evidence: evidence, certificate: log.device.certificate, source: .peer)
    }

    private func settlement(_ log: ForkedLog, at size: Int) throws -> SettlementArrival {
        let signed = try Device.settlement(1, log.log, log.known(0, size), serial: 1)
        return SettlementArrival(signed: signed, certificate: log.device.certificate, source: .peer)
    }

    /// One entry of the settled branch, over those before it.
    private func chunk(_ log: ForkedLog, at place: Int, of size: Int) throws -> VerifiedChunk {
        let raw = UnverifiedChunk(
            log: log.log,
            certificate: nil,
            start: UInt64(place),
            count: 1,
            size: UInt64(size),
            proof: .known,
            entries: EntryCoding.encode([log.branches[0][place]]),
            right: log.range(0, place + 1..<size).nodes
        )
        let prefix = LogPrefix(
            certificate: log.device.certificate,
            range: log.range(0, 0..<place),
            settled: log.known(0, size)
        )
        return try #require(ChunkVerifier(network: Device.network).verify(raw, over: prefix).verified)
    }

    /// The root at the cut is that of no head: the last one comes before it.
    private func stored(_ log: ForkedLog, to end: Int, _ evidence: EvidenceArrival, of size: Int) throws -> EntryStore {
        let store = try EntryStore.inMemory()
        try store.take(log.chunk(0, 0..<end, size: end))
        var batch = TakeBatch()
        batch.evidence = [evidence]
        batch.settlements = [try settlement(log, at: size)]
        _ = try store.take(batch)
        return store
    }

    /// Of one transaction with an entry in each of its chunks.
    private func rounds(_ log: ForkedLog, behind end: Int, of size: Int, _ store: EntryStore) throws -> Int {
        var batch = TakeBatch()
        batch.chunks = try (end..<size - 1).map { .init(chunk: try chunk(log, at: $0, of: size), source: .peer) }
        let rounds = try store.rounds(grain: 100) { _ = try store.take(batch) }
        #expect(try store.prefixes(of: [log.log])[log.log]?.range.bounds.upperBound == UInt64(size - 1))
        return rounds
    }

    @Test(arguments: [0, 10])
    func `Chunks behind a cut cost the same wherever it is`(early: Int) throws {
        // Over the first 255 entries no node is stored, over the first 256 one is.
        var costs: [Int] = []
        for cut in [256, 255] {
            let size = cut + 200
            let log = try log(cutAt: cut, of: size, early: early == 0 ? cut : early)
            let evidence = early == 0 ? try evidence(log, 0, 1) : try evidence(log, 1, 2)
            #expect(evidence.evidence.cut.size == UInt64(cut))
            let store = try stored(log, to: cut - 5, evidence, of: size)
            costs.append(try rounds(log, behind: cut - 5, of: size, store))
        }
        #expect(costs[1] < 2 * costs[0], "\(costs) hundred rounds")
    }

    @Test func `A transaction behind a cut that is proven costs the same wherever that is`() throws {
        var costs: [Int] = []
        for cut in [256, 255] {
            let size = cut + 100
            let log = try log(cutAt: cut, of: size, early: cut)
            let store = try stored(log, to: cut - 5, try evidence(log, 0, 1), of: size)
            let chunks = try (cut - 5..<cut + 80).map { try chunk(log, at: $0, of: size) }
            costs.append(try store.rounds(grain: 100) { for chunk in chunks { try store.take(chunk) } })
        }
        #expect(costs[1] < 2 * costs[0], "\(costs) hundred rounds")
    }
}
