package import Sodium

/// A verified settlement; of a log that is not known, its certificate has to come with it.
package struct SettlementArrival: Hashable, Sendable {
    package let signed: SignedSettlement
    /// Nil of the end of an account, and of a log that is known.
    package let certificate: SignedCertificate?
    /// Nil: it was made here.
    package let source: NodeID?

    package init(signed: SignedSettlement, certificate: SignedCertificate?, source: NodeID?) {
        self.signed = signed
        self.certificate = certificate
        self.source = source
    }

    /// The log that it settles; of the end of an account what stands for that in a frontier.
    package var log: LogID {
        let settlement = signed.settlement
        return settlement.isEnd ? LogID(endOf: settlement.identity, in: settlement.network) : settlement.log
    }
}

/// Fork evidence that `isProof` accepts, with the certificate of the log.
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

/// The first entry in which a peer's history of a log differs from the one stored here, and the peer's proof of its own.
package struct ForkFinding: Hashable, Sendable {
    package let log: LogID
    /// The first difference; all before it is one.
    package let sequence: UInt64
    /// The peer's entry there.
    package let leaf: EntryID
    /// The peer's compact range of [sequence + 1, size).
    package let right: LogRange
    package let proof: Proof

    package enum Proof: Hashable, Sendable {
        case head(size: UInt64, Signature)
        /// Under the root of the fork evidence held here, whose cut this is.
        case cut(size: UInt64)
        /// Under the root of the settlement held here.
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
