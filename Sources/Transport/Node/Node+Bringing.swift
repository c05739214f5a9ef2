package import Entries
internal import NIOPosix
internal import Sodium
package import Storage

// How benchmarks, and nothing else, write others' logs.

extension Node {
    /// Stores chunks that were not received from a peer, one for each log, and announces them.
    package func bring(_ chunks: [VerifiedChunk]) async throws(StorageError) {
        guard !isStopped else { throw .busy }
        if !hasStarted { work.start() }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { work.bring(chunks, $0) }.get()
    }
}

extension StoreWork {
    /// Stores chunks that no peer sent.
    func bring(_ chunks: [VerifiedChunk], _ reply: BringReply) {
        writes.submit { [store, inputs] state in
            do throws(StorageError) {
                guard case .active = state else { throw .busy }
                var batch = TakeBatch()
                batch.chunks = chunks.map { TakeBatch.SourcedChunk(chunk: $0, source: NodeID(raw: .zero)) }
                let rows = try store.take(batch).changes
                let chunks = Dictionary(chunks.map { ($0.log, $0) }, uniquingKeysWith: { _, last in last })
                let appends = rows.compactMap { row in
                    chunks[row.log].map { OwnAppend(chunk: $0, row: row, forgotten: [], unwantedBodies: []) }
                }
                inputs.yield(.brought(appends, reply))
            } catch {
                reply.resume(returning: .failure(error))
            }
        }
    }
}
