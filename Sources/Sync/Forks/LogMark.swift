import Entries
import Sodium

/// A statement of what counts of a log at some node: size, root, settlement and cut. Comparing two tells whether there
/// is news (`protocol/sync.md` §9).
struct LogMark: Hashable {
    let item: LogSize
    /// Tree root at `item.size`.
    let root: Bytes32?
    let settlement: Settlement?
    let cut: KnownRoot?

    init(item: LogSize, root: Bytes32?, settlement: Settlement?, cut: KnownRoot?) {
        self.item = item
        self.root = root
        self.settlement = settlement
        self.cut = cut
    }

    /// Takes a peer's statement, signatures unchecked.
    ///
    /// - Throws: `falseEvidence` if the evidence is malformed or of another log.
    init(_ held: HeldLog) throws(SyncViolation) {
        var cut: KnownRoot?
        if let bytes = held.words?.evidence {
            guard let evidence = ForkEvidence(bytes), evidence.log == held.log else { throw .falseEvidence }
            cut = evidence.cut
        }
        self.init(
            item: held.item,
            root: held.root,
            settlement: held.words?.settlement.flatMap { SignedSettlement(trusting: $0)?.settlement },
            cut: cut
        )
    }

    /// Whether exactly the settled entries are held there.
    func isComplete(under settled: KnownRoot) -> Bool {
        settlement?.known == settled && item.size == settled.size && root == settled.root
    }
}
