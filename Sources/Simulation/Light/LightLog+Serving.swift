import Entries

/// Chunks, proofs and tree nodes that a `LightLog` serves to peers.
extension LightLog {
    /// The entries from `want.from` on that fit into `byteLimit`, at least one; nil if there is nothing to serve.
    func chunk(_ want: RangeWant, byteLimit: Int) -> UnverifiedChunk? {
        guard want.from < size, let item, want.branch == .held || standing.isComplete else { return nil }
        let basis = want.branch == .settled ? .known : Basis(of: item, head: head?.size ?? 0, cut: standing.cut)
        var start = want.from
        var left: LogRange?
        if case .newest(let count) = want.extent {
            // A gap beyond the counted size is of a window whose head is not complete: it is not served, and moves
            // nothing.
            let behind = gap.map { $0.start < size && want.from < $0.end ? $0.end : 0 } ?? 0
            start = max(want.from, size - min(size, count), behind)
            if start > want.from {
                guard let range = range(want.from..<start) else { return nil }
                left = range
            }
        }
        var limit = size
        if case .until(let end) = want.extent {
            guard want.from < end, end <= size, gap?.knows(end) ?? true else { return nil }
            limit = end
        }
        var writer = ByteWriter()
        var previousTime: UInt64 = 0
        var end = start
        while end < limit, let entry = entries[Int(end)], end == start || writer.bytes.count < byteLimit {
            EntryCoding.append(entry, after: &previousTime, to: &writer)
            end += 1
        }
        guard end > start else { return nil }
        var shown = proof(basis, from: end)
        if case .until = want.extent { shown = range(end..<limit).map { (.known, $0) } }
        guard let (proof, right) = shown else { return nil }
        var chunk = UnverifiedChunk(
            log: want.log,
            certificate: want.certificate == .send ? certificate.bytes : nil,
            start: start,
            count: end - start,
            size: right.bounds.upperBound,
            proof: proof,
            entries: writer.bytes,
            right: right.nodes
        )
        chunk.left = left?.nodes ?? []
        return chunk
    }

    /// The proof of the entries before `end`, and the compact range to their right.
    private func proof(_ basis: Basis, from end: UInt64) -> (ChunkProof, LogRange)? {
        switch basis {
        case .known: return range(end..<size).map { (.known, $0) }
        case .head:
            guard let head else { return nil }
            return range(end..<head.size).map { (.head(head.signature), $0) }
        case .pending:
            guard let pending else { return nil }
            return range(end..<storedEnd).flatMap { pending.right(after: $0) }
                .map { (.head(pending.head.signature), $0) }
        }
    }

    func prefixProof(end: UInt64) -> PrefixProof? {
        guard let prefix = range(0..<end) else { return nil }
        let proof = { (proof: ChunkProof, right: LogRange?) in
            right.flatMap { right in
                let size = right.bounds.upperBound
                return PrefixProof(end: end, nodes: prefix.nodes, size: size, right: right.nodes, proof: proof)
            }
        }
        if standing.isComplete, standing.size >= end { return proof(.known, range(end..<standing.size)) }
        if let head, head.size >= end { return proof(.head(head.signature), range(end..<head.size)) }
        if standing.isProvenToCut, let cut = standing.cut, cut.size >= end {
            return proof(.known, range(end..<cut.size))
        }
        guard let pending else { return nil }
        return proof(.head(pending.head.signature), range(end..<storedEnd).flatMap { pending.right(after: $0) })
    }
}
