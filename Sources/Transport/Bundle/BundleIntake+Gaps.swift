internal import Entries
internal import Sodium
internal import Storage
internal import Sync

/// What becomes of a chunk that has entries which were left out of a log here (`protocol/bundle.md` §4).
extension BundleIntake {
    /// Takes what of the chunk is missing; false if none of it is, or it is not the history that is.
    ///
    /// Whatever head the chunk is under: the tree that is here says what the missing entries are.
    func fill(_ chunk: UnverifiedChunk, _ prefix: LogPrefix, _ round: inout Round) -> Bool {
        guard let gap = prefix.gap, let missing = chunk.filling(gap),
            case .verified(let verified) = verifier.verify(missing, over: prefix), case .gap = verified.proof
        else { return false }
        round.batch.chunks.append(.init(chunk: verified, source: NodeID(raw: .zero)))
        round.prefixes[chunk.log] = verified.prefix
        return true
    }
}

extension UnverifiedChunk {
    /// The part of the chunk that a gap begins with, as the answer to a Want for it would be; nil if the chunk does not
    /// have the first entry that is missing, or does not show the nodes up to the gap's end.
    fileprivate func filling(_ gap: LogGap) -> UnverifiedChunk? {
        guard left.isEmpty, start <= gap.start, count <= size - min(start, size), start + count > gap.start,
            let shown = LogRange(bounds: start + count..<size, nodes: right)
        else { return nil }
        let end = min(start + count, gap.end)
        let rest = end == gap.end ? [] : gap.rest(behind: shown)?.nodes
        guard let rest,
            let entries = try? EntryCoding.decode(
                self.entries[...],
                count: Int(clamping: count),
                log: log,
                start: start
            )
        else { return nil }
        let missing = entries.dropFirst(Int(clamping: gap.start - start)).prefix(Int(clamping: end - gap.start))
        return UnverifiedChunk(
            log: log,
            certificate: certificate,
            start: gap.start,
            count: end - gap.start,
            size: gap.end,
            proof: .known,
            entries: EntryCoding.encode(missing),
            right: rest
        )
    }
}
