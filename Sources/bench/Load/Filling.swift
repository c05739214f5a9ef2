import Entries
import Storage

extension EntryStore {
    /// Entries in one transaction.
    private static let entriesPerBatch = 10_000

    /// Stores chunks as if a peer had brought them.
    func put(_ chunks: [VerifiedChunk], from source: NodeID) throws {
        var batch = TakeBatch()
        var entries = 0
        for chunk in chunks {
            batch.chunks.append(TakeBatch.SourcedChunk(chunk: chunk, source: source))
            entries += chunk.entries.count
            if entries >= Self.entriesPerBatch {
                _ = try take(batch)
                batch = TakeBatch()
                entries = 0
            }
        }
        if !batch.isEmpty { _ = try take(batch) }
    }
}
