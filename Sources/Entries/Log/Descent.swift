package import Sodium

/// Finds the first entry in which two histories of a log differ by descending their trees from the peaks
/// (`protocol/log.md` §6, Disputes).
///
/// Each question names a perfect subtree; the answer has its descendants at the next multiple of eight levels below: at
/// most 256, on a level that stores keep.
package struct Descent: Hashable, Sendable {
    private let log: LogID
    private let proof: ForkFinding.Proof
    private var place: TreePlace
    /// The peer's node at `place`.
    private var known: Bytes32
    /// This side's node at `place`.
    private var own: Bytes32
    /// The peer's compact range from the end of `place` on.
    private var right: LogRange

    package enum Step: Hashable, Sendable {
        /// Ask both sides for the descendants of this place.
        case question(TreePlace)
        case same
        case found(ForkFinding)
        /// The peer's nodes do not hash to the node that it proved.
        case lie
    }

    /// Compares the peaks of two prefixes of one size; `proof` comes from `PrefixProof.judge`.
    ///
    /// Nil, with the step that ends it, if they are equal or differ in size.
    package static func begin(
        log: LogID,
        theirs: PrefixProof,
        proof: ForkFinding.Proof,
        ours: LogRange
    ) -> (descent: Descent?, step: Step) {
        guard theirs.prefix.bounds == ours.bounds else { return (nil, .same) }
        let places = TreePlace.covering(ours.bounds)
        let pairs = zip(theirs.prefix.nodes, ours.nodes)
        guard let index = pairs.enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset else {
            return (nil, .same)
        }
        var right = LogRange(at: places[index].end)
        for next in index + 1..<places.count {
            right.append(theirs.prefix.nodes[next], at: places[next])
        }
        _ = right.append(theirs.right)
        let descent = Descent(
            log: log,
            proof: proof,
            place: places[index],
            known: theirs.prefix.nodes[index],
            own: ours.nodes[index],
            right: right
        )
        return (descent, descent.step)
    }

    /// Descends one step; `theirs` and `ours` are the descendants of the place that was asked for, left to right.
    package mutating func answered(theirs: [Bytes32], ours: [Bytes32]) -> Step {
        let below = place.descendants
        var range = LogRange(at: place.start)
        guard theirs.count == below.count else { return .lie }
        for (node, place) in zip(theirs, below) { range.append(node, at: place) }
        guard range.nodes == [known] else { return .lie }
        // This side's log may have changed meanwhile: nothing is known then, and nobody is to blame.
        guard ours.count == below.count,
            let index = zip(theirs, ours).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset
        else { return .same }
        var beside = LogRange(at: below[index].end)
        for next in index + 1..<below.count { beside.append(theirs[next], at: below[next]) }
        _ = beside.append(right)
        (place, known, own, right) = (below[index], theirs[index], ours[index], beside)
        return step
    }

    /// Whether this side drops its history if neither side has the nodes below the place: the one with the greater node
    /// does.
    ///
    /// Any order known to both sides would do. The result may change as histories grow, since a larger tree has other
    /// nodes.
    package var yields: Bool { known < own }

    private var step: Step {
        guard place.level == 0 else { return .question(place) }
        return .found(
            ForkFinding(log: log, sequence: place.start, leaf: EntryID(raw: known), right: right, proof: proof)
        )
    }
}

extension TreePlace {
    /// Level of `descendants`: the next multiple of eight below; 0 for a leaf.
    package var levelOfDescendants: Int { level == 0 ? 0 : (level - 1) / 8 * 8 }

    /// The places on that level within this one, left to right: 2 to 256.
    package var descendants: [TreePlace] {
        let steps = UInt64(level - levelOfDescendants)
        let first = index << steps
        return (first..<first + 1 << steps).map { TreePlace(level: levelOfDescendants, index: $0) }
    }
}
