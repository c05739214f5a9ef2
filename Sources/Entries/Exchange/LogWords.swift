/// Settlement and fork evidence of a log (its *words*), or the end of an account, as in a bundle (`protocol/bundle.md`
/// §2).
package struct LogWords: Hashable, Sendable {
    /// For an ended account `LogID(endOf:in:)`.
    package let log: LogID
    /// Size and tree root of the entries that count at the exporting node; 0 and 32 zero bytes for an ended account.
    package let known: KnownRoot
    /// Settlement with signature, 208 bytes.
    package let settlement: [UInt8]?
    package let evidence: [UInt8]?
    /// Certificate with signature, 200 bytes; nil for an ended account.
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
