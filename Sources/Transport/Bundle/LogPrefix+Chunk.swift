internal import Entries
internal import Sodium
internal import Storage
internal import Sync

/// What a bundle's chunk is to what is held of its log.
extension LogPrefix {
    /// Whether the log has words.
    var isJudged: Bool { settled != nil || cut != nil }

    /// Whether a chunk continues the settled history that is fetched beside the stored one.
    func isAside(_ chunk: UnverifiedChunk) -> Bool {
        chunk.proof == .known && side != nil && settled?.size == chunk.size
    }

    /// The chunk with the settled root as its proof: a head of the settled size may sign the settled history.
    func ofSettledSize(_ chunk: UnverifiedChunk) -> UnverifiedChunk? {
        guard chunk.proof != .known, let settled, settled.size == chunk.size else { return nil }
        return UnverifiedChunk(
            log: chunk.log,
            certificate: chunk.certificate,
            start: chunk.start,
            count: chunk.count,
            size: chunk.size,
            proof: .known,
            entries: chunk.entries,
            right: chunk.right
        )
    }

    /// The compact range that a chunk is checked over.
    func range(for chunk: UnverifiedChunk) -> LogRange { isAside(chunk) ? side ?? range : range }

    /// Whether none of the chunk can count: it begins at or beyond the cut or the settled size.
    func hides(_ chunk: UnverifiedChunk) -> Bool {
        chunk.proof != .known && settled?.size != chunk.size
            && chunk.start >= Standing.ceiling(cut: cut, settled: settled)
    }

    /// The known roots at a size.
    func roots(at size: UInt64) -> [Bytes32] {
        [settled, cut].compactMap { $0 }.filter { $0.size == size }.map(\.root)
    }
}
