package import Sodium

extension ForkEvidence.Branch {
    /// A branch known up to the cut of earlier evidence, continued by a branch of that evidence.
    ///
    /// `right` is the compact range of [sequence + 1, cut); nil if it does not end at that cut.
    package init?(leaf: EntryID, right: LogRange, upTo evidence: ForkEvidence) {
        let beyond = evidence.branches.first
        guard right.bounds.upperBound == evidence.sequence else { return nil }
        var whole = right
        whole.append(beyond.leaf.raw, at: TreePlace(level: 0, index: evidence.sequence))
        guard whole.append(beyond.right) else { return nil }
        self.init(size: beyond.size, signature: beyond.signature, leaf: leaf, right: whole)
    }
}

extension PendingHead {
    /// The stored branch under this head; `stored` is the compact range from the leaf to the head's other entries.
    package func branch(leaf: EntryID, stored: LogRange) -> ForkEvidence.Branch? {
        right(after: stored).map { .init(size: size, signature: head.signature, leaf: leaf, right: $0) }
    }
}

extension ForkFinding {
    /// The peer's branch as part of evidence; `evidence` is the one in force here. Nil if the finding does not match
    /// it.
    package func branch(upTo evidence: ForkEvidence?) -> ForkEvidence.Branch? {
        switch proof {
        case .head(let size, let signature):
            guard right.bounds == sequence + 1..<size else { return nil }
            return ForkEvidence.Branch(size: size, signature: signature, leaf: leaf, right: right)
        case .cut(let size):
            guard let evidence, evidence.sequence == size else { return nil }
            return ForkEvidence.Branch(leaf: leaf, right: right, upTo: evidence)
        case .settled: return nil
        }
    }

    /// The root of the peer's history over the common prefix; nil if `prefix` is not that.
    package func root(over prefix: LogRange) -> Bytes32? {
        guard prefix.bounds == 0..<sequence else { return nil }
        var whole = prefix
        whole.append(leaf: leaf.raw)
        guard whole.append(right) else { return nil }
        return whole.root
    }
}
