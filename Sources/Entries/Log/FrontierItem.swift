package import Sodium

/// The summary of one log that nodes compare: everything that the fold reads of it (`protocol/log.md` §8).
package struct FrontierItem: Hashable, Sendable {
    package let log: LogID
    /// Entries that count.
    package let size: UInt64
    /// Tree root at `size`; 32 zero bytes at 0.
    package let root: Bytes32
    /// Cut of the fork evidence: the first entry in which two branches differ.
    package let cut: UInt64?
    /// The settlement in force.
    package let settled: KnownRoot?

    package init(log: LogID, size: UInt64, root: Bytes32, cut: UInt64? = nil, settled: KnownRoot? = nil) {
        self.log = log
        self.size = size
        self.root = root
        self.cut = cut
        self.settled = settled
    }

    /// The item of a log of which this much counts; nil for a log without counted entries, evidence and settlement.
    ///
    /// - Parameters:
    ///   - size: entries that count.
    ///   - root: tree root at `size`; 32 zero bytes at 0.
    ///   - log: the log.
    ///   - cut: of the fork evidence; it has no effect, and is left out, while the log is complete.
    ///   - settled: of the settlement in force.
    ///   - isComplete: whether exactly the settled entries count.
    package init?(
        counting size: UInt64,
        root: Bytes32,
        of log: LogID,
        cut: KnownRoot?,
        settled: KnownRoot?,
        isComplete: Bool
    ) {
        guard size > 0 || cut != nil || settled != nil else { return nil }
        self.init(log: log, size: size, root: root, cut: isComplete ? nil : cut?.size, settled: settled)
    }

    /// Whether exactly the settled entries count.
    package var isComplete: Bool { settled == KnownRoot(size: size, root: root) }

    /// `H("scurry/item", log ‖ size ‖ root ‖ cut or 2⁶⁴ − 1 ‖ settled size or 2⁶⁴ − 1 ‖ settled root or zeros)`.
    package var id: Bytes32 {
        var writer = ByteWriter(capacity: 120)
        writer.append(log)
        writer.append(size)
        writer.append(root)
        writer.append(cut ?? .max)
        writer.append(settled?.size ?? .max)
        writer.append(settled?.root ?? .zero)
        return Blake2b.hash(.item, writer.bytes)
    }
}
