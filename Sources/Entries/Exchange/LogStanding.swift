/// What root keys and forks say of a log, and what that means for whoever asks for it or passes it on.
///
/// Of logs that have a settlement or fork evidence, and of accounts that ended; of any other there is nothing to say.
package struct LogStanding: Hashable, Sendable {
    /// Of the end of an account `LogID(endOf:in:)`.
    package let log: LogID
    /// 200 bytes; nil of the end of an account.
    package let certificate: [UInt8]?
    /// 208 bytes.
    package let settlement: [UInt8]?
    package let evidence: [UInt8]?
    /// Nothing at or beyond it is asked for, announced, served or pushed; `UInt64.max`: no bound.
    package let ceiling: UInt64
    /// Whether exactly the settled entries are held, so that they count and the fork evidence does not.
    package let isComplete: Bool
    /// The next entry that is wanted of the settled branch, once all before the ceiling is here, or while another one is stored.
    package let side: UInt64?
    /// Whether what is stored differs from the settlement, or from what the two branches have in common: somebody else's
    /// history has to be compared.
    package let isDiverging: Bool

    package init(
        log: LogID,
        certificate: [UInt8]?,
        settlement: [UInt8]?,
        evidence: [UInt8]?,
        ceiling: UInt64,
        isComplete: Bool,
        side: UInt64?,
        isDiverging: Bool
    ) {
        self.log = log
        self.certificate = certificate
        self.settlement = settlement
        self.evidence = evidence
        self.ceiling = ceiling
        self.isComplete = isComplete
        self.side = side
        self.isDiverging = isDiverging
    }
}
