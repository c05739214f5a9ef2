import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Transactions that fail as a whole.
struct PipelineTests {
    private let network = NetworkID(name: "campus")

    /// A pipeline with the end of one account and the settlement of another's log on their way.
    private func scene() -> (Pipeline, Set<LogID>) {
        var pipeline = Pipeline()
        let gone = ForkedWriter(seed: 3, network: network)
        var writer = ForkedWriter(seed: 4, network: network)
        writer.branch(1)
        let end = LogID(endOf: gone.end.settlement.identity, in: network)
        let session = SessionID(raw: 1)
        let ended = SettlementArrival(signed: gone.end, certificate: nil, source: nil)
        let settled = SettlementArrival(
            signed: writer.settlement(0, 1),
            certificate: writer.author.certificate,
            source: nil
        )
        pipeline.change {
            for settlement in [ended, settled] { $0.put(settlement, nil, from: session) }
            $0.wordLogs += [end, writer.log]
        }
        return (pipeline, [end, writer.log])
    }

    /// What every part of it settles.
    private func settledLogs(_ pipeline: inout Pipeline) -> [LogID] {
        var logs: [LogID] = []
        while let (id, _) = pipeline.nextTake(now: 0) {
            logs += pipeline.endTake(id, microseconds: 1_000, now: 0)?.wordLogs ?? []
        }
        return logs
    }

    @Test func `Of one log the largest want counts`() {
        var taking = Pipeline.Taking(id: BatchID(raw: 1))
        let logs = (0..<3).map { LogID(raw: Author.bytes(UInt64($0), "log")) }
        for size in 1...UInt64(100) {
            for log in logs { taking.want(LogSize(log: log, size: size)) }
        }
        taking.want(LogSize(log: logs[1], size: 7))
        #expect(taking.batch.wants == logs.map { LogSize(log: $0, size: 100) })
    }

    @Test func `What fails five times for no known reason is tried log by log`() throws {
        var (pipeline, expected) = scene()
        var parts = 0
        for failure in 1...5 {
            let next = pipeline.nextTake(now: .max - 1)
            let (id, batch) = try #require(next)
            #expect(batch.settlements.count == 2)
            _ = pipeline.failTake(id, .unexplained, now: 0)
            #expect(pipeline.isTaking == false)
            #expect((pipeline.taking == nil) == (failure == 5))
        }
        // The first part fails as often, and is left out; the others are taken.
        for failure in 1...5 {
            let next = pipeline.nextTake(now: .max - 1)
            let (id, batch) = try #require(next)
            #expect(batch.settlements.count == 1)
            let left = pipeline.failTake(id, .unexplained, now: 0)
            #expect((left != nil) == (failure == 5))
            for log in left?.wordLogs ?? [] { expected.remove(log) }
            parts += left == nil ? 0 : 1
        }
        #expect(parts == 1)
        #expect(Set(settledLogs(&pipeline)) == expected)
    }

    @Test func `A passing failure is tried as a whole for ever`() throws {
        var (pipeline, _) = scene()
        for _ in 1...20 {
            let next = pipeline.nextTake(now: .max - 1)
            let (id, batch) = try #require(next)
            #expect(batch.settlements.count == 2)
            _ = pipeline.failTake(id, .passing, now: 0)
        }
    }

    @Test func `The parts settle all words`() throws {
        var (pipeline, expected) = scene()
        let next = pipeline.nextTake(now: 0)
        let (id, _) = try #require(next)
        let left = pipeline.failTake(id, .damaged, now: 0)
        let isLeftOut = left != nil
        #expect(!isLeftOut)
        let settled = settledLogs(&pipeline)
        #expect(Set(settled) == expected && settled.count == 2)
    }

    @Test func `A log is restarted once in a transaction`() {
        var pipeline = Pipeline()
        let log = LogID(raw: Author.bytes(1, "log"))
        for _ in 0..<3 { pipeline.change { $0.restart(log) } }
        let restarts = pipeline.forming.batch.restarts
        #expect(restarts == [log])
    }

    @Test func `Words fill the transaction as chunks do`() throws {
        var pipeline = Pipeline()
        var writer = ForkedWriter(seed: 4, network: network)
        writer.branch(2)
        writer.branch(2, from: 0, at: 1)
        let settled = SettlementArrival(
            signed: writer.settlement(0, 1),
            certificate: writer.author.certificate,
            source: nil
        )
        let proven = EvidenceArrival(
            evidence: writer.evidence(0, 1, at: 1),
            certificate: writer.author.certificate,
            source: nil
        )
        for _ in 0..<10_000 where !pipeline.forming.isFull {
            pipeline.change { $0.put(settled, proven, from: SessionID(raw: 1)) }
        }
        let isFull = pipeline.forming.isFull
        #expect(isFull)
    }
}
