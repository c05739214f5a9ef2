package import Entries

/// A settlement, fork evidence or both, as a peer sent them, unverified.
package struct UnverifiedVerdict: Hashable, Sendable {
    package let log: LogID
    /// 208 bytes.
    package let settlement: [UInt8]?
    package let evidence: [UInt8]?
    /// 200 bytes; nil of the end of an account.
    package let certificate: [UInt8]?

    package init(log: LogID, settlement: [UInt8]?, evidence: [UInt8]?, certificate: [UInt8]?) {
        self.log = log
        self.settlement = settlement
        self.evidence = evidence
        self.certificate = certificate
    }
}

package enum VerdictOutcome: Hashable, Sendable {
    case valid(settlement: SignedSettlement?, evidence: ForkEvidence?, certificate: SignedCertificate?)
    /// The peer's proof does not hold.
    case violation(SyncViolation)
}

/// Verifies settlements and fork evidence: up to four signatures each, so not on an event loop (`protocol/sync.md` §9).
package struct VerdictVerifier: Sendable {
    private let network: NetworkID

    package init(network: NetworkID) {
        self.network = network
    }

    package func judge(_ verdict: UnverifiedVerdict) -> VerdictOutcome {
        do throws(SyncViolation) {
            return try check(verdict)
        } catch {
            return .violation(error)
        }
    }

    private func check(_ verdict: UnverifiedVerdict) throws(SyncViolation) -> VerdictOutcome {
        let settlement = try verdict.settlement.map(verify)
        guard let bytes = verdict.certificate else {
            guard let settlement, settlement.settlement.isEnd, verdict.evidence == nil,
                LogID(endOf: settlement.settlement.identity, in: network) == verdict.log
            else { throw .badSettlement }
            return .valid(settlement: settlement, evidence: nil, certificate: nil)
        }
        let certificate: SignedCertificate
        do {
            certificate = try SignedCertificate(verifying: bytes, network: network)
        } catch {
            throw SyncViolation(.certificate(error))
        }
        guard certificate.log == verdict.log else { throw .badCertificate }
        if let settlement = settlement?.settlement {
            guard settlement.log == verdict.log, settlement.identity == certificate.certificate.identity else {
                throw .badSettlement
            }
        }
        let evidence = try verdict.evidence.map { bytes throws(SyncViolation) in
            try verify(bytes, of: certificate)
        }
        return .valid(settlement: settlement, evidence: evidence, certificate: certificate)
    }

    private func verify(_ bytes: [UInt8]) throws(SyncViolation) -> SignedSettlement {
        do { return try SignedSettlement(verifying: bytes, network: network) } catch { throw .badSettlement }
    }

    private func verify(_ bytes: [UInt8], of certificate: SignedCertificate) throws(SyncViolation) -> ForkEvidence {
        guard let evidence = ForkEvidence(bytes), evidence.log == certificate.log,
            evidence.isProof(network: network, device: certificate.certificate.device)
        else { throw .falseEvidence }
        return evidence
    }
}
