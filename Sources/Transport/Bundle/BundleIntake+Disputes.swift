internal import Entries
internal import Storage
internal import Sync

/// What becomes of a chunk that is not of the history that is stored here (`protocol/bundle.md` §4).
extension BundleIntake {
    /// Looks whether the chunk follows what is stored before it: then it has the first difference in it, and proves it.
    ///
    /// Else the difference lies before the chunk. One that begins the log has nothing before it: it is true or false by
    /// itself. Of another only whoever has seen what came before it can tell.
    func dispute(
        _ chunk: UnverifiedChunk,
        _ prefix: LogPrefix,
        _ round: inout Round
    ) throws(StorageError) -> ChunkVerdict {
        // The store is asked: it has to have what this round brought so far.
        try store(&round)
        let nodes = chunk.start == 0 ? [] : try store.prefixNodes(of: chunk.log, end: chunk.start)
        guard let nodes, let common = LogRange(bounds: 0..<chunk.start, nodes: nodes) else { return .differs }
        let alone = LogPrefix(
            certificate: prefix.certificate,
            range: common,
            cut: prefix.cut,
            settled: prefix.settled
        )
        switch verifier.verify(chunk, over: alone) {
        case .verified(let theirs): return try compare(theirs, chunk, prefix, &round)
        case .violation(let violation): return .fault(BundleFault(violation))
        // Other words are in force here.
        case .unknownRoot: return .unchecked
        case .doesNotFit, .certificateMissing, .prefixDiffers: return .differs
        }
    }

    /// Takes the first difference as a peer's would be taken: as evidence, or as where the settled history begins.
    private func compare(
        _ theirs: VerifiedChunk,
        _ chunk: UnverifiedChunk,
        _ prefix: LogPrefix,
        _ round: inout Round
    ) throws(StorageError) -> ChunkVerdict {
        let leaves = theirs.entries.map(\.id)
        // It is true of what comes before it, so the difference lies in what is left out here, and shows once that has come.
        guard let place = try store.firstDifference(of: chunk.log, from: chunk.start, to: leaves) else {
            return .later
        }
        let index = Int(clamping: place - chunk.start)
        var right = LogRange(at: place + 1)
        for leaf in leaves.dropFirst(index + 1) { right.append(leaf: leaf.raw) }
        guard leaves.indices.contains(index), right.append(theirs.right) else { return .differs }
        let proof: ForkFinding.Proof
        switch theirs.proof {
        case .head(let head) where prefix.settled == KnownRoot(size: head.size, root: head.root):
            // The root key chose the history of this head: it takes the other's place.
            guard prefix.side == nil else { return .unchecked }
            proof = .settled(size: head.size)
        case .head(let head):
            if let own = round.own, own.log == chunk.log {
                round.ownShown = .forked(held: own.size, shown: chunk.size)
            }
            if let cut = prefix.cut, cut.size <= place {
                try store(&round)
                return .unchecked
            }
            proof = .head(size: head.size, head.signature)
        case .cut(let known): proof = .cut(size: known.size)
        case .settled(let known): proof = .settled(size: known.size)
        // No gap was looked at.
        case .gap: return .differs
        }
        round.batch.findings.append(
            ForkFinding(log: chunk.log, sequence: place, leaf: leaves[index], right: right, proof: proof)
        )
        try store(&round)
        let now = try store.prefixes(of: [chunk.log])[chunk.log]
        round.prefixes[chunk.log] = now
        guard case .settled = proof else { return .forked }
        // The settled history is fetched from there on, out of this chunk and those behind it.
        guard prefix.side == nil, now?.side != nil else { return .differs }
        return try judge(now?.ofSettledSize(chunk) ?? chunk, &round)
    }
}
