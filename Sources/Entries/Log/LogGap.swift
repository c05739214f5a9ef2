package import Sodium

/// A gap: entries [start, end) of a log that are missing while entries on both sides are here (`protocol/log.md` §6).
package struct LogGap: Hashable, Sendable {
    /// Compact range of [0, start).
    package let before: LogRange
    /// Compact range of [start, end).
    package let rest: LogRange

    /// Nil unless the ranges are adjacent, the first begins at 0, and the second is not empty.
    package init?(before: LogRange, rest: LogRange) {
        guard before.bounds.lowerBound == 0, before.bounds.upperBound == rest.bounds.lowerBound, !rest.bounds.isEmpty
        else { return nil }
        self.before = before
        self.rest = rest
    }

    package var start: UInt64 { rest.bounds.lowerBound }
    package var end: UInt64 { rest.bounds.upperBound }
    package var bounds: Range<UInt64> { rest.bounds }

    /// The root of the tree of `end` entries, which proves the missing ones.
    package var known: KnownRoot? {
        var whole = before
        guard whole.append(rest) else { return nil }
        return whole.root.map { KnownRoot(size: end, root: $0) }
    }

    /// Whether the compact range from 0 to `place` can be computed: not within the gap.
    package func knows(_ place: UInt64) -> Bool { place <= start || place >= end }

    /// The node of a perfect subtree within the gap; nil unless it is one of the gap's range.
    package func node(at place: TreePlace) -> Bytes32? {
        zip(TreePlace.covering(bounds), rest.nodes).first { $0.0 == place }?.1
    }

    /// The compact range of the rest of the gap once the entries before `shown` are here; nil if `shown` ends before
    /// the gap does.
    ///
    /// `shown` is a peer's compact range from that entry on: if a node of it crosses the gap's end, the nodes before
    /// that are known here. The result is not proven: the root it leads to has to be checked.
    package func rest(behind shown: LogRange) -> LogRange? {
        let (place, last) = (shown.bounds.lowerBound, shown.bounds.upperBound)
        guard place > start, place < end, last >= end else { return nil }
        let theirs = Dictionary(zip(TreePlace.covering(place..<last), shown.nodes), uniquingKeysWith: { $1 })
        let nodes = TreePlace.covering(place..<end).compactMap { theirs[$0] ?? node(at: $0) }
        return LogRange(bounds: place..<end, nodes: nodes)
    }

    /// The parts of `range` outside of the gap.
    package func present(of range: Range<UInt64>) -> [Range<UInt64>] {
        let parts = [
            range.lowerBound..<max(range.lowerBound, min(range.upperBound, start)),
            min(range.upperBound, max(range.lowerBound, end))..<range.upperBound,
        ]
        return parts.filter { !$0.isEmpty }
    }
}
