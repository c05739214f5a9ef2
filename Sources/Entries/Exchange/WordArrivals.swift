package import Sodium

/// A verified settlement, with the certificate of a log that is not known.
package struct SettlementArrival: Hashable, Sendable {
    package let signed: SignedSettlement
    /// Nil for an ended account, and for a known log.
    package let certificate: SignedCertificate?
    /// Nil: it was signed here.
    package let source: NodeID?

    package init(signed: SignedSettlement, certificate: SignedCertificate?, source: NodeID?) {
        self.signed = signed
        self.certificate = certificate
        self.source = source
    }

    /// The settled log; for an ended account the log id of its frontier item.
    package var log: LogID {
        let settlement = signed.settlement
        return settlement.isEnd ? LogID(endOf: settlement.identity, in: settlement.network) : settlement.log
    }
}

/// Verified fork evidence, with the log's certificate.
package struct EvidenceArrival: Hashable, Sendable {
    package let evidence: ForkEvidence
    package let certificate: SignedCertificate
    package let source: NodeID?

    package init(evidence: ForkEvidence, certificate: SignedCertificate, source: NodeID?) {
        self.evidence = evidence
        self.certificate = certificate
        self.source = source
    }
}

/// The first difference between a peer's history of a log and the stored one, with the peer's proof.
package struct ForkFinding: Hashable, Sendable {
    package let log: LogID
    /// The first entry that differs.
    package let sequence: UInt64
    /// The peer's entry there.
    package let leaf: EntryID
    /// The peer's compact range of [sequence + 1, size).
    package let right: LogRange
    package let proof: Proof

    package enum Proof: Hashable, Sendable {
        case head(size: UInt64, Signature)
        /// Under the root of the fork evidence here, at its cut.
        case cut(size: UInt64)
        /// Under the root of the settlement here.
        case settled(size: UInt64)
    }

    package init(log: LogID, sequence: UInt64, leaf: EntryID, right: LogRange, proof: Proof) {
        self.log = log
        self.sequence = sequence
        self.leaf = leaf
        self.right = right
        self.proof = proof
    }
}
