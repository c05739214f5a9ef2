internal import Entries
internal import Storage
internal import Sync

/// Chunks of another branch than the stored one (`protocol/bundle.md` §4).
extension BundleIntake {
    /// Verifies the chunk over the stored entries before it: if that holds, the chunk contains the first difference and
    /// proves it.
    ///
    /// Else the difference lies before the chunk, and only a node that has seen those entries can tell fork from fault.
    /// A chunk from entry 0 has none before it, so it is true or false by itself.
    func dispute(
        _ chunk: UnverifiedChunk,
        _ prefix: LogPrefix,
        _ round: inout Round
    ) throws(StorageError) -> ChunkVerdict {
        // The store answers from what it has: first store what this round brought.
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
        // The settlement or evidence in force here has another size.
        case .unknownRoot: return .unchecked
        case .doesNotFit, .certificateMissing, .prefixDiffers: return .differs
        }
    }

    /// Records the first difference: as evidence of a fork, or as the place where the settled history begins.
    private func compare(
        _ theirs: VerifiedChunk,
        _ chunk: UnverifiedChunk,
        _ prefix: LogPrefix,
        _ round: inout Round
    ) throws(StorageError) -> ChunkVerdict {
        let leaves = theirs.entries.map(\.id)
        // No difference here: it lies in a gap of the stored log, and shows once that is filled.
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
            // The root key settled this head's history: it replaces the stored one.
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
        // The prefix that was checked has no gap.
        case .gap: return .differs
        }
        if round.isSpent(theirs.certificate) {
            round.passOver(chunk.log)
            return .later
        }
        round.batch.findings.append(
            ForkFinding(log: chunk.log, sequence: place, leaf: leaves[index], right: right, proof: proof)
        )
        try store(&round)
        let now = try store.prefixes(of: [chunk.log])[chunk.log]
        round.prefixes[chunk.log] = now
        guard case .settled = proof else { return .forked }
        // From the difference on the settled history is taken from this chunk and the following ones.
        guard prefix.side == nil, now?.side != nil else { return .differs }
        return try judge(now?.ofSettledSize(chunk) ?? chunk, &round)
    }
}
