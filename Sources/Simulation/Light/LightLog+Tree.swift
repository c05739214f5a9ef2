import Entries
import Sodium

/// The tree of a `LightLog`: its nodes and compact ranges, and what they prove of an entry or a gap.
extension LightLog {
    /// A node of the log's tree; nil if it lies in the gap or beyond the stored entries.
    func node(_ place: TreePlace) -> Bytes32? {
        if let known = stored.node(place) { return known }
        guard let gap else { return nil }
        // A chunk that filled part of the gap carried nodes of the rest; parents follow from those.
        if let shown = gap.node(at: place) { return shown }
        guard place.level > 0 else { return nil }
        guard let left = node(place.halves.left), let right = node(place.halves.right) else { return nil }
        return LogTreeHash.node(left, right)
    }

    func descendants(of place: TreePlace) -> [Bytes32]? {
        guard place.level <= 32, place.index < 1 << 32, place.end <= storedEnd else { return nil }
        let nodes = place.descendants.compactMap(node)
        return nodes.count == place.descendants.count ? nodes : nil
    }

    func range(_ bounds: Range<UInt64>) -> LogRange? {
        nodes(covering: bounds).flatMap { LogRange(bounds: bounds, nodes: $0) }
    }

    /// Nil if a node lies in the gap or beyond the stored entries.
    func nodes(covering range: Range<UInt64>) -> [Bytes32]? {
        guard range.upperBound <= storedEnd,
            gap.map({ $0.knows(range.lowerBound) && $0.knows(range.upperBound) }) ?? true
        else { return nil }
        let places = TreePlace.covering(range)
        let nodes = places.compactMap(node)
        return nodes.count == places.count ? nodes : nil
    }

    /// The branch that shows this leaf in the stored history; nil if nothing proves it yet.
    func ownBranch(at sequence: UInt64, leaf: EntryID) -> ForkEvidence.Branch? {
        if let head, head.size > sequence {
            return range(sequence + 1..<head.size).map {
                .init(size: head.size, signature: head.signature, leaf: leaf, right: $0)
            }
        }
        if let evidence, standing.isProvenToCut, sequence < evidence.sequence,
            let right = range(sequence + 1..<evidence.sequence)
        {
            return ForkEvidence.Branch(leaf: leaf, right: right, upTo: evidence)
        }
        return range(sequence + 1..<storedEnd).flatMap { pending?.branch(leaf: leaf, stored: $0) }
    }

    /// The head that proves the entries before a gap, with what lies to the right of them; nil if there is none.
    func proof(before gap: LogGap) -> PendingHead? {
        if let head, head.size >= gap.end {
            return range(gap.start..<head.size).map { PendingHead(head: head, right: $0) }
        }
        return pending.flatMap { pending in
            range(gap.start..<storedEnd).flatMap { pending.right(after: $0) }
                .map { PendingHead(head: pending.head, right: $0) }
        }
    }
}
