package import Sodium

/// How much of a log counts, given its heads, fork evidence and settlement (`protocol/log.md` §8).
///
/// The database and the simulation's store compute it. In the database, `LogState` keeps the result; for a log without
/// evidence and settlement it counts the greatest head.
package struct Standing: Hashable, Sendable {
    /// Entries that count: the size of the frontier item.
    package let size: UInt64
    /// Tree root at `size`; 32 zero bytes at 0.
    package let root: Bytes32
    package let cut: KnownRoot?
    package let settled: KnownRoot?
    /// Whether exactly the settled entries count; then the cut has no effect.
    package let isComplete: Bool
    /// Whether the stored history differs from the settled one, or from the common prefix of the fork evidence.
    package let isDiverging: Bool
    /// Whether the stored entries up to the cut have the root of the fork evidence.
    package let isProvenToCut: Bool

    /// - Parameters:
    ///   - storedEnd: entries stored of one history, hidden ones too.
    ///   - head: size of the device's greatest head within them; 0: none.
    ///   - pending: the device's head that reaches beyond them and proves them all; nil: none.
    ///   - cut: of the fork evidence in force.
    ///   - settled: of the settlement in force.
    ///   - root: tree root of the stored history at a size of at most `storedEnd`.
    package init(
        storedEnd: UInt64,
        head: UInt64,
        pending: PendingHead?,
        cut: KnownRoot?,
        settled: KnownRoot?,
        root: (UInt64) throws -> Bytes32
    ) rethrows {
        self.cut = cut
        self.settled = settled
        let isSettledApart: Bool
        if let settled, storedEnd >= settled.size {
            isComplete = try root(settled.size) == settled.root
            isSettledApart = !isComplete
        } else {
            isComplete = false
            isSettledApart = false
        }
        // Skipped for a complete log: its cut has no effect, and may lie in a gap.
        let reachesCut = !isComplete && cut.map { storedEnd >= $0.size } ?? false
        if let cut, reachesCut {
            isProvenToCut = try root(cut.size) == cut.root
        } else {
            isProvenToCut = false
        }
        isDiverging = !isComplete && (isSettledApart || reachesCut && !isProvenToCut)
        if isComplete, let settled {
            size = settled.size
        } else {
            let ceiling = Self.ceiling(cut: cut, settled: settled)
            // A head beyond the ceiling is never held: it counts once all entries below the ceiling are here.
            let isFull = storedEnd >= ceiling && (isProvenToCut || pending != nil)
            size = isFull ? ceiling : min(head, ceiling)
        }
        self.root = try size == 0 ? .zero : root(size)
    }

    /// Bound of the entries that are asked for, announced and served; exclusive.
    package var ceiling: UInt64 {
        isComplete ? size : Self.ceiling(cut: cut, settled: settled)
    }

    /// The frontier item; nil for a log without counted entries, evidence and settlement.
    package func item(of log: LogID) -> FrontierItem? {
        FrontierItem(counting: size, root: root, of: log, cut: cut, settled: settled, isComplete: isComplete)
    }

    /// The next wanted entry of the settled history; nil if entries below the ceiling come first, or none is wanted.
    ///
    /// `side` is the end of the settled history that is fetched beside the stored one.
    package func settledNext(storedEnd: UInt64, side: UInt64?) -> UInt64? {
        guard let settled, !isComplete else { return nil }
        return side ?? (storedEnd >= ceiling && storedEnd < settled.size ? storedEnd : nil)
    }

    /// Where what may count of an incomplete log ends at the latest: its cut, or the end of its settlement.
    package static func ceiling(cut: KnownRoot?, settled: KnownRoot?) -> UInt64 {
        min(cut?.size ?? .max, settled?.size ?? .max)
    }
}

/// What proves the counted entries to another node.
package enum Basis: Hashable, Sendable {
    /// The device's greatest stored head; it may cover more than what counts.
    case head
    /// The root of the settlement or of the fork evidence.
    case known
    /// A head that reaches beyond the stored entries.
    case pending

    /// - Parameters:
    ///   - item: the log's frontier item.
    ///   - head: size of the greatest head within the stored entries; 0: none.
    ///   - cut: of the fork evidence, in force or not.
    package init(of item: FrontierItem, head: UInt64, cut: KnownRoot?) {
        if head == item.size {
            self = .head
        } else if item.isComplete || cut == KnownRoot(size: item.size, root: item.root) {
            self = .known
        } else {
            self = head > item.size ? .head : .pending
        }
    }
}
