package import Sodium

/// Entries [start, end) of a log that are not here, while others are on both sides of them (`protocol/log.md §6`).
package struct LogGap: Hashable, Sendable {
    /// Compact range of [0, start).
    package let before: LogRange
    /// Compact range of [start, end).
    package let rest: LogRange

    /// Nil if the two do not meet, the first does not begin at 0, or nothing is missing.
    package init?(before: LogRange, rest: LogRange) {
        guard before.bounds.lowerBound == 0, before.bounds.upperBound == rest.bounds.lowerBound, !rest.bounds.isEmpty
        else { return nil }
        self.before = before
        self.rest = rest
    }

    package var start: UInt64 { rest.bounds.lowerBound }
    package var end: UInt64 { rest.bounds.upperBound }
    package var bounds: Range<UInt64> { rest.bounds }

    /// The tree of `end` entries: what the missing ones are checked against.
    package var known: KnownRoot? {
        var whole = before
        guard whole.append(rest) else { return nil }
        return whole.root.map { KnownRoot(size: end, root: $0) }
    }

    /// Whether the compact range from 0 to a place can be told: not inside of what is missing.
    package func knows(_ place: UInt64) -> Bool { place <= start || place >= end }

    /// The node of a perfect subtree that lies in it; nil if only one above that is known.
    package func node(at place: TreePlace) -> Bytes32? {
        zip(TreePlace.covering(bounds), rest.nodes).first { $0.0 == place }?.1
    }

    /// The compact range of what is still missing once all before `shown` has come; nil if that ends before the gap does.
    ///
    /// `shown` is what somebody else has of a compact range that begins there: of the nodes across the gap's end those before
    /// it are known here. Nothing of it is proven but by the root that it leads to.
    package func rest(behind shown: LogRange) -> LogRange? {
        let (place, last) = (shown.bounds.lowerBound, shown.bounds.upperBound)
        guard place > start, place < end, last >= end else { return nil }
        let theirs = Dictionary(zip(TreePlace.covering(place..<last), shown.nodes), uniquingKeysWith: { $1 })
        let nodes = TreePlace.covering(place..<end).compactMap { theirs[$0] ?? node(at: $0) }
        return LogRange(bounds: place..<end, nodes: nodes)
    }

    /// The parts of `range` that are here.
    package func present(of range: Range<UInt64>) -> [Range<UInt64>] {
        let parts = [
            range.lowerBound..<max(range.lowerBound, min(range.upperBound, start)),
            min(range.upperBound, max(range.lowerBound, end))..<range.upperBound,
        ]
        return parts.filter { !$0.isEmpty }
    }
}
