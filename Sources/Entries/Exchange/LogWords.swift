/// What root keys and forks say of a log, or that an account ended, as it was signed (`protocol/bundle.md` §2).
package struct LogWords: Hashable, Sendable {
    /// Of the end of an account `LogID(endOf:in:)`.
    package let log: LogID
    /// Entries that count where it was read, and the tree root there; 0 and 32 zero bytes of an end.
    package let known: KnownRoot
    /// 208 bytes.
    package let settlement: [UInt8]?
    package let evidence: [UInt8]?
    /// 200 bytes; nil of an end.
    package let certificate: [UInt8]?

    package init(
        log: LogID,
        known: KnownRoot,
        settlement: [UInt8]?,
        evidence: [UInt8]?,
        certificate: [UInt8]?
    ) {
        self.log = log
        self.known = known
        self.settlement = settlement
        self.evidence = evidence
        self.certificate = certificate
    }
}
