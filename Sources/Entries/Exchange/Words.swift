/// The signed statements on a log that `protocol/sync.md` §9 calls *words*: its settlement and fork evidence, with the
/// certificate that both are checked against.
package struct Words: Hashable, Sendable {
    /// Settlement with signature, 208 bytes.
    package let settlement: [UInt8]?
    package let evidence: [UInt8]?
    /// Certificate with signature, 200 bytes; nil for the end of an account.
    package let certificate: [UInt8]?

    package init(settlement: [UInt8]?, evidence: [UInt8]?, certificate: [UInt8]?) {
        self.settlement = settlement
        self.evidence = evidence
        self.certificate = certificate
    }

    package var count: Int { (settlement?.count ?? 0) + (evidence?.count ?? 0) + (certificate?.count ?? 0) }
}
