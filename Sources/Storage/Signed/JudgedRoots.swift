internal import Entries
internal import Sodium

/// The roots of a judged log's stored history that its standing depends on, for the chunks of one transaction.
///
/// A root may have to be computed from 255 entries with their bodies, and is the same for every chunk behind them.
struct JudgedRoots {
    /// Tells the history: that of the entries up to the stored end.
    private let tip: LogRange
    private let roots: [UInt64: Bytes32]

    /// Keeps those of `roots`, by size, that are needed again once more is stored behind `log`.
    init(_ roots: [UInt64: Bytes32], of log: LogState) {
        tip = log.tip
        self.roots = roots.filter { size, _ in size == log.cut?.size || size == log.settled?.size }
    }

    /// Empty if another history is stored by now.
    func roots(of log: LogState) -> [UInt64: Bytes32] { log.tip == tip ? roots : [:] }
}
