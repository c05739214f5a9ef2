import Entries
import Sodium
import Storage
import Sync
import Testing

@testable import Transport

@Suite struct VerificationJobTests {
    @Test(arguments: 1...5)
    func `Every run is in one share`(count: Int) {
        for sizes: [UInt64] in [[], [1], [5_000], [5_000, 1, 1, 1], [1, 1, 5_000], Array(repeating: 200, count: 50)] {
            let runs = sizes.enumerated().map { UnverifiedRun.unsigned(entries: $1, UInt8($0)) }
            let shares = VerificationJob.split(runs, into: count)
            #expect(shares.flatMap { Array($0) } == Array(runs.indices))
            #expect((1...max(count, 1)).contains(shares.count))
        }
    }

    @Test func `Large batches use all threads`() {
        #expect(VerificationJob.split((0..<50).map { UnverifiedRun.unsigned(entries: 200, $0) }, into: 2).count == 2)
    }

    @Test func `Outcomes come in the order of the runs, whichever share is last`() throws {
        let runs = (0..<50).map { UnverifiedRun.unsigned(entries: 200, $0) }
        let batch = UnverifiedBatch(id: BatchID(raw: 1), runs: runs)
        let job = VerificationJob(batch, verifier: ChunkVerifier(network: NetworkID(name: "n")), threads: 2)
        #expect(job.threads == 2)
        var shares: [Range<Int>] = []
        while let share = job.next() { shares.append(share) }
        #expect(shares.count > 2, "a thread that waits for its core leaves the rest to the other")
        #expect(shares.flatMap { Array($0) } == Array(runs.indices))
        for share in shares.dropFirst().reversed() { #expect(job.check(share, over: [:]) == nil) }
        let first = try #require(shares.first)
        let outcomes = try #require(job.check(first, over: [:]))
        #expect(outcomes.count == runs.count)
        #expect(outcomes.allSatisfy { $0.count == 1 })
    }

    @Test(arguments: [1, 4]) func `A small batch wakes one thread`(threads: Int) {
        let job = job(runs: 7, threads: threads)
        #expect(job.threads == 1)
        #expect(job.next() == 0..<7)
        #expect(job.next() == nil)
    }

    @Test(arguments: [1, 2, 4]) func `Eight signatures are shared`(threads: Int) {
        #expect(job(runs: 8, threads: threads).threads == threads)
    }

    @Test func `What is held is read once, by whoever begins`() throws {
        let job = job(runs: 20, threads: 2)
        var asked: [LogID] = []
        for _ in 0..<2 {
            let held = try job.begin { logs throws(StorageError) in
                asked += logs
                return [:]
            }
            #expect(held?.isEmpty == true)
        }
        #expect(asked == (0..<20).map { UnverifiedRun.unsigned(entries: 1, $0).log })
    }

    @Test func `A batch whose logs cannot be read fails once`() throws {
        let job = job(runs: 20, threads: 2)
        #expect(throws: StorageError.busy) {
            try job.begin { _ throws(StorageError) in throw .busy }
        }
        #expect(try job.begin { _ throws(StorageError) in [:] } == nil)
    }

    @Test func `Who is told when all is done has nothing to do`() throws {
        let job = job(runs: 20, threads: 2)
        let held = try #require(try job.begin { _ throws(StorageError) in [:] })
        var answers = 0
        while let share = job.next() {
            if job.check(share, over: held) != nil { answers += 1 }
        }
        #expect(answers == 1)
        #expect(try job.begin { _ throws(StorageError) in [:] } == nil)
    }

    private func job(runs: UInt8, threads: Int) -> VerificationJob {
        let batch = UnverifiedBatch(
            id: BatchID(raw: 1),
            runs: (0..<runs).map { UnverifiedRun.unsigned(entries: 1, $0) }
        )
        return VerificationJob(batch, verifier: ChunkVerifier(network: NetworkID(name: "n")), threads: threads)
    }
}
