package import Sodium

/// How much of a log counts, by its heads, its fork evidence and its settlement (`protocol/log.md` §8).
///
/// The one function of D13 to D15: every store works out its frontier items, its folds and what it asks for by it.
package struct Standing: Hashable, Sendable {
    /// Entries that count: the size of the frontier item.
    package let size: UInt64
    /// Tree root at `size`; 32 zero bytes at 0.
    package let root: Bytes32
    package let cut: KnownRoot?
    package let settled: KnownRoot?
    /// Whether exactly the settled entries are held: they count, and the cut does not.
    package let isComplete: Bool
    /// Whether the stored history differs from the settled one, or from what is common to the two of a fork.
    package let isDiverging: Bool
    /// Whether what is stored up to the cut is what the fork evidence proves.
    package let isProvenToCut: Bool

    /// - Parameters:
    ///   - storedEnd: entries stored of one history, hidden ones too.
    ///   - head: size of the greatest head of the device within them; 0: none.
    ///   - pending: the device's head that reaches beyond them and proves them all; nil: none does.
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
        // Of a complete log it may lie in a gap, and is of no effect.
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
            // A head that reaches beyond the ceiling never comes to be held: it counts once all that is asked for is here.
            let isFull = storedEnd >= ceiling && (isProvenToCut || pending != nil)
            size = isFull ? ceiling : min(head, ceiling)
        }
        self.root = try size == 0 ? .zero : root(size)
    }

    /// Nothing at or beyond it is asked for, announced or served.
    package var ceiling: UInt64 {
        isComplete ? size : Self.ceiling(cut: cut, settled: settled)
    }

    /// The item of a frontier; nil while there is nothing to say.
    package func item(of log: LogID) -> FrontierItem? {
        guard size > 0 || cut != nil || settled != nil else { return nil }
        return FrontierItem(
            log: log,
            size: size,
            root: root,
            cut: isComplete ? nil : cut?.size,
            settled: settled
        )
    }

    /// The next entry that is wanted of the settled history; nil while others are wanted first, or none.
    ///
    /// `side`: how far it is fetched beside another one that is stored.
    package func settledNext(storedEnd: UInt64, side: UInt64?) -> UInt64? {
        guard let settled, !isComplete else { return nil }
        return side ?? (storedEnd >= ceiling && storedEnd < settled.size ? storedEnd : nil)
    }

    /// Where what may count of an incomplete log ends at the latest: its cut, or the end of its settlement.
    package static func ceiling(cut: KnownRoot?, settled: KnownRoot?) -> UInt64 {
        min(cut?.size ?? .max, settled?.size ?? .max)
    }
}

/// What proves entries that count to somebody else.
package enum Basis: Hashable, Sendable {
    /// The device's head, all of which is stored; it may reach beyond what counts.
    case head
    /// Root of the settlement, or of the fork evidence.
    case known
    /// A head that reaches beyond what is stored.
    case pending

    /// - Parameters:
    ///   - item: what counts.
    ///   - head: size of the greatest head within what is stored; 0: none.
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
