import Entries
import Sodium
import Storage
import Sync
import Testing

@testable import Transport

@Suite struct VerificationJobTests {
    private func run(entries: UInt64, _ index: UInt8) -> UnverifiedRun {
        let log = LogID(raw: Bytes32(repeatElement(index, count: 32)) ?? .zero)
        let signature = Signature([UInt8](repeating: 0, count: 64))
        let chunks = signature.map {
            [
                UnverifiedChunk(
                    log: log,
                    certificate: nil,
                    start: 0,
                    count: entries,
                    size: entries,
                    signature: $0,
                    entries: [],
                    right: []
                )
            ]
        }
        return UnverifiedRun(log: log, prefix: .store, chunks: chunks ?? [])
    }

    @Test(arguments: 1...5)
    func `Every run is in one share`(count: Int) {
        for sizes: [UInt64] in [[], [1], [5_000], [5_000, 1, 1, 1], [1, 1, 5_000], Array(repeating: 200, count: 50)] {
            let runs = sizes.enumerated().map { run(entries: $1, UInt8($0)) }
            let shares = VerificationJob.split(runs, into: count)
            #expect(shares.flatMap { Array($0) } == Array(runs.indices))
            #expect((1...max(count, 1)).contains(shares.count))
        }
    }

    @Test func `Large batches use all threads`() {
        #expect(VerificationJob.split((0..<50).map { run(entries: 200, $0) }, into: 2).count == 2)
    }

    @Test func `Outcomes come in the order of the runs, whichever share is last`() throws {
        let runs = (0..<50).map { run(entries: 200, $0) }
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

    @Test(arguments: [1, 4]) func `A small batch wakes no other thread`(threads: Int) {
        let batch = UnverifiedBatch(id: BatchID(raw: 1), runs: [run(entries: 1, 0), run(entries: 1, 1)])
        let job = VerificationJob(batch, verifier: ChunkVerifier(network: NetworkID(name: "n")), threads: threads)
        #expect(job.threads == 1)
        #expect(job.next() == 0..<2)
        #expect(job.next() == nil)
    }

    @Test func `What is held is read once, by whoever begins`() throws {
        let runs = (0..<20).map { run(entries: 1, $0) }
        let batch = UnverifiedBatch(id: BatchID(raw: 1), runs: runs)
        let job = VerificationJob(batch, verifier: ChunkVerifier(network: NetworkID(name: "n")), threads: 2)
        var asked: [LogID] = []
        for _ in 0..<2 {
            let held = try job.begin { logs throws(StorageError) in
                asked += logs
                return [:]
            }
            #expect(held?.isEmpty == true)
        }
        #expect(asked == runs.map(\.log))
    }

    @Test func `A batch whose logs cannot be read fails once`() throws {
        let batch = UnverifiedBatch(id: BatchID(raw: 1), runs: (0..<20).map { run(entries: 1, $0) })
        let job = VerificationJob(batch, verifier: ChunkVerifier(network: NetworkID(name: "n")), threads: 2)
        #expect(throws: StorageError.busy) {
            try job.begin { _ throws(StorageError) in throw .busy }
        }
        #expect(try job.begin { _ throws(StorageError) in [:] } == nil)
    }
}
