/// The words on a log, and their effect on asking for and serving it.
///
/// Exists only for logs with words, and for ended accounts.
package struct LogStanding: Hashable, Sendable {
    /// For an ended account `LogID(endOf:in:)`.
    package let log: LogID
    package let words: Words
    /// Bound, exclusive, of the entries that are asked for, announced, served or pushed; `UInt64.max`: none.
    package let ceiling: UInt64
    /// Whether exactly the settled entries count; then the fork evidence has no effect.
    package let isComplete: Bool
    /// The next wanted entry of the settled history, once all before the ceiling is here or while another history is
    /// stored.
    package let side: UInt64?
    /// Whether the stored history differs from the settlement, or from the common prefix of the evidence: a peer's has
    /// to be compared.
    package let isDiverging: Bool

    package init(
        log: LogID,
        words: Words,
        ceiling: UInt64,
        isComplete: Bool,
        side: UInt64?,
        isDiverging: Bool
    ) {
        self.log = log
        self.words = words
        self.ceiling = ceiling
        self.isComplete = isComplete
        self.side = side
        self.isDiverging = isDiverging
    }
}
