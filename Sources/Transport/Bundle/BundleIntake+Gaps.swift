internal import Entries
internal import Sodium
internal import Storage
internal import Sync

/// Chunks with entries of a gap (`protocol/bundle.md` §4).
extension BundleIntake {
    /// Takes the gap's entries from the chunk; false if it has none of them, is of another history, or is passed over.
    ///
    /// The chunk's own head does not matter: the stored nodes prove the missing entries.
    func fill(_ chunk: UnverifiedChunk, _ prefix: LogPrefix, _ round: inout Round) -> Bool {
        guard let gap = prefix.gap, let missing = chunk.filling(gap),
            case .verified(let verified) = verifier.verify(missing, over: prefix), case .gap = verified.proof
        else { return false }
        if round.isSpent(verified.certificate) {
            round.passOver(chunk.log)
            return false
        }
        round.batch.chunks.append(.init(chunk: verified, source: NodeID(raw: .zero)))
        round.prefixes[chunk.log] = verified.prefix
        return true
    }
}

extension UnverifiedChunk {
    /// The beginning of the gap from this chunk, in the form of an answer to a Want; nil if the chunk lacks the gap's
    /// first entry, or the nodes up to the gap's end.
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
