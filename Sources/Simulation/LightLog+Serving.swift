import Entries
import Sodium

/// What a `LightLog` shows to others.
extension LightLog {
    /// As much from `want.from` on as fits; nil if there is nothing.
    func chunk(_ want: RangeWant, byteLimit: Int) -> UnverifiedChunk? {
        guard want.from < size, let item, want.branch == .held || standing.isComplete else { return nil }
        var writer = ByteWriter()
        var previousTime: UInt64 = 0
        var end = want.from
        while end < size, end == want.from || writer.bytes.count < byteLimit {
            EntryCoding.append(entries[Int(end)], after: &previousTime, to: &writer)
            end += 1
        }
        let basis = want.branch == .settled ? .known : Basis(of: item, head: head?.size ?? 0, cut: standing.cut)
        guard let (proof, right) = proof(basis, from: end) else { return nil }
        return UnverifiedChunk(
            log: want.log,
            certificate: want.certificate == .send || want.from == 0 ? certificate.bytes : nil,
            start: want.from,
            count: end - want.from,
            size: right.bounds.upperBound,
            proof: proof,
            entries: writer.bytes,
            right: right.nodes
        )
    }

    /// What proves the entries before `end`, and what stands to their right.
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

    func descendants(of place: TreePlace) -> [Bytes32]? {
        guard place.level <= 32, place.index < 1 << 32, place.end <= storedEnd else { return nil }
        return place.descendants.map(node)
    }

    func range(_ bounds: Range<UInt64>) -> LogRange? {
        bounds.upperBound <= storedEnd ? LogRange(bounds: bounds, nodes: nodes(covering: bounds)) : nil
    }

    func nodes(covering range: Range<UInt64>) -> [Bytes32] { TreePlace.covering(range).map(node) }

    /// What the machine is told of a log that is judged.
    var logStanding: LogStanding? {
        guard isCarried, isJudged else { return nil }
        return LogStanding(
            log: log,
            certificate: certificate.bytes,
            settlement: settlement?.bytes,
            evidence: evidence?.bytes,
            ceiling: standing.ceiling,
            isComplete: standing.isComplete,
            side: standing.settledNext(storedEnd: storedEnd, side: side?.bounds.upperBound),
            isDiverging: side == nil && standing.isDiverging
        )
    }

    var prefix: LogPrefix {
        LogPrefix(
            certificate: certificate,
            range: tip,
            cut: standing.cut,
            settled: standing.settled,
            side: side
        )
    }
}
