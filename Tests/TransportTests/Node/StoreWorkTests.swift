import Entries
import GRDB
import Sodium
import Sync
import Testing

@testable import Storage
@testable import Transport

/// What is done where it is asked for, and what only on the threads of the store.
@Suite struct StoreWorkTests {
    private let directory = TemporaryDirectory()

    private func chunk(of store: EntryStore, _ log: LogID, from start: UInt64, byteLimit: Int) throws
        -> UnverifiedChunk
    {
        let want = RangeWant(log: log, from: start, certificate: .send)
        guard case .chunk(let chunk) = try store.ranges([want], byteLimit: byteLimit).first else {
            throw StorageError.other("nothing is there")
        }
        return chunk
    }

    /// The outcomes of what is checked at once.
    private func atOnce(_ runs: [UnverifiedRun], _ store: EntryStore, of home: Home) throws -> [[ChunkOutcome]]? {
        let work = StoreWork(store, network: home.network, keys: try home.keys(), cores: 2, inputs: NodeInputs())
        return work.checkAtOnce(UnverifiedBatch(id: BatchID(raw: 1), runs: runs))
    }

    @Test func `A post that follows what is remembered is checked at once, and nothing else`() throws {
        let home = try directory.home()
        try home.fill(posts: 40, bytes: 200)
        let log = try #require(try home.keys().certificate?.log)
        let writer = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        let reader = try EntryStore(.memory, network: home.network, creation: .ifAbsent)
        let first = try chunk(of: writer, log, from: 0, byteLimit: 1)
        let next = try chunk(of: writer, log, from: 1, byteLimit: 1)
        let rest = try chunk(of: writer, log, from: 1, byteLimit: 1 << 20)
        let known = UnverifiedRun(log: log, prefix: .store, chunks: [next])

        let verifier = ChunkVerifier(network: home.network)
        let outcome = verifier.verify(UnverifiedRun(log: log, prefix: .store, chunks: [first]), over: .none).first
        guard case .verified(let verified) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
        #expect(try atOnce([known], reader, of: home) == nil, "the log is not known yet")
        var batch = TakeBatch()
        batch.chunks = [TakeBatch.SourcedChunk(chunk: verified, source: NodeID(raw: .zero))]
        _ = try reader.take(batch)
        #expect(try atOnce([known], reader, of: home) == nil, "the file would have to be asked")
        _ = try reader.prefixes(of: [log])

        let outcomes = try #require(try atOnce([known], reader, of: home))
        guard case .verified(let post) = outcomes.first?.first else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(outcomes.count == 1 && outcomes[0].count == 1 && post.start == 1 && post.end == 2)
        // What comes behind it is not stored yet, and known all the same.
        let third = try chunk(of: writer, log, from: 2, byteLimit: 1)
        let following = UnverifiedRun(log: log, prefix: .known(post.prefix), chunks: [third])
        #expect(try atOnce([following], reader, of: home) != nil)

        #expect(rest.count > TransportLimits.checkedAtOnceEntries)
        #expect(try atOnce([UnverifiedRun(log: log, prefix: .store, chunks: [rest])], reader, of: home) == nil)
        #expect(try atOnce([known, known], reader, of: home) == nil)
        let two = UnverifiedRun(log: log, prefix: .store, chunks: [next, third])
        #expect(try atOnce([two], reader, of: home) == nil)
        var lie = next
        lie.left = [.zero]
        let lying = try atOnce([UnverifiedRun(log: log, prefix: .store, chunks: [lie])], reader, of: home)
        #expect(lying == [[.doesNotFit]])
    }

    // MARK: Batches

    private func store(of home: Home) throws -> EntryStore {
        try EntryStore(.memory, network: home.network, creation: .ifAbsent)
    }

    /// What becomes of batches of 20 runs: the ids of those that were checked, and of those that failed.
    private func verify(_ ids: [UInt64], runs: Int = 20, in store: EntryStore, of home: Home) async throws
        -> (checked: [UInt64], failed: [UInt64])
    {
        let inputs = NodeInputs()
        let work = StoreWork(store, network: home.network, keys: try home.keys(), cores: 4, inputs: inputs)
        work.start()
        for id in ids {
            let logs = (0..<UInt8(runs)).map { UnverifiedRun.unsigned(entries: 1, $0) }
            work.verify(UnverifiedBatch(id: BatchID(raw: id), runs: logs))
        }
        await work.close()
        inputs.yield(.stop)
        inputs.finish()
        var (checked, failed): ([UInt64], [UInt64]) = ([], [])
        for input in await inputs.next() {
            switch input {
            case .event(.verified(let id, let outcomes)):
                #expect(outcomes.count == runs)
                checked.append(id.raw)
            case .event(.verifyFailed(let id, _)): failed.append(id.raw)
            default: break
            }
        }
        return (checked, failed)
    }

    @Test(arguments: [0, 1, 7, 20]) func `Each batch is answered once`(runs: Int) async throws {
        let home = try directory.home()
        let ids = Array<UInt64>(0..<100)
        let answers = try await verify(ids, runs: runs, in: store(of: home), of: home)
        #expect(answers.checked.sorted() == ids && answers.failed.isEmpty)
    }

    @Test func `A batch whose logs the store cannot read for fails once`() async throws {
        let home = try directory.home()
        let store = try store(of: home)
        try await store.writer.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE logs RENAME TO gone") }
        let answers = try await verify([1, 2, 1], in: store, of: home)
        #expect(answers.checked.isEmpty && answers.failed.sorted() == [1, 1, 2])
    }
}
