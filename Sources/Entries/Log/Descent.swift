package import Sodium

/// Finds the first entry in which two histories of a log differ, from the top of their trees down
/// (`protocol/log.md`, Disputes).
///
/// Each question is about one perfect subtree and is answered by its descendants at the next multiple of eight levels
/// below: at most 256, and such as a store keeps.
package struct Descent: Hashable, Sendable {
    private let log: LogID
    private let proof: ForkFinding.Proof
    private var place: TreePlace
    /// Their node at `place`, and ours.
    private var known: Bytes32
    private var own: Bytes32
    /// Their compact range from the end of `place` on.
    private var right: LogRange

    package enum Step: Hashable, Sendable {
        /// Ask both sides for the descendants of this place.
        case question(TreePlace)
        case same
        case found(ForkFinding)
        /// Their nodes are not those of the tree that they proved.
        case lie
    }

    /// Compares the peaks of two prefixes of one size; `proof` is what `PrefixProof.judge` found.
    ///
    /// Nil, with the step that ends it, if they are the same or no prefixes of one size.
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

    /// Goes on below the place that was asked for; `theirs` and `ours` are its descendants, left to right.
    package mutating func answered(theirs: [Bytes32], ours: [Bytes32]) -> Step {
        let below = place.descendants
        var range = LogRange(at: place.start)
        guard theirs.count == below.count else { return .lie }
        for (node, place) in zip(theirs, below) { range.append(node, at: place) }
        guard range.nodes == [known] else { return .lie }
        // Ours may have changed since: then nothing can be told, and nobody is to blame.
        guard ours.count == below.count,
            let index = zip(theirs, ours).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset
        else { return .same }
        var beside = LogRange(at: below[index].end)
        for next in index + 1..<below.count { beside.append(theirs[next], at: below[next]) }
        _ = beside.append(right)
        (place, known, own, right) = (below[index], theirs[index], ours[index], beside)
        return step
    }

    /// Whether this side's history gives way where neither side has what lies below the place: the one with the greater node.
    ///
    /// Any order would do that both sides know. As histories go on it may become another: a greater tree has other nodes.
    package var yields: Bool { known < own }

    private var step: Step {
        guard place.level == 0 else { return .question(place) }
        return .found(
            ForkFinding(log: log, sequence: place.start, leaf: EntryID(raw: known), right: right, proof: proof)
        )
    }
}

extension TreePlace {
    /// The level of `descendants`: the next multiple of eight below; of a leaf its own.
    package var levelOfDescendants: Int { level == 0 ? 0 : (level - 1) / 8 * 8 }

    /// The places on that level that this one covers, left to right: 2 to 256 of them.
    package var descendants: [TreePlace] {
        let steps = UInt64(level - levelOfDescendants)
        let first = index << steps
        return (first..<first + 1 << steps).map { TreePlace(level: levelOfDescendants, index: $0) }
    }
}
