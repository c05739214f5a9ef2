package import Entries

/// Words on a log, as a peer or a file says them, unverified.
package struct UnverifiedWords: Hashable, Sendable {
    package let log: LogID
    package let words: Words

    package init(log: LogID, words: Words) {
        self.log = log
        self.words = words
    }
}

package enum WordOutcome: Hashable, Sendable {
    case valid(settlement: SignedSettlement?, evidence: ForkEvidence?, certificate: SignedCertificate?)
    /// A proof does not hold.
    case violation(SyncViolation)
}

/// Verifies words: up to four signatures for each log, so not on an event loop (`protocol/sync.md` §9).
package struct WordVerifier: Sendable {
    private let network: NetworkID

    package init(network: NetworkID) {
        self.network = network
    }

    package func check(_ said: UnverifiedWords) -> WordOutcome {
        do throws(SyncViolation) {
            return try checked(said.words, on: said.log)
        } catch {
            return .violation(error)
        }
    }

    private func checked(_ words: Words, on log: LogID) throws(SyncViolation) -> WordOutcome {
        let settlement = try words.settlement.map(verify)
        guard let bytes = words.certificate else {
            guard let settlement, settlement.settlement.isEnd, words.evidence == nil,
                LogID(endOf: settlement.settlement.identity, in: network) == log
            else { throw .badSettlement }
            return .valid(settlement: settlement, evidence: nil, certificate: nil)
        }
        let certificate: SignedCertificate
        do {
            certificate = try SignedCertificate(verifying: bytes, network: network)
        } catch {
            throw SyncViolation(.certificate(error))
        }
        guard certificate.log == log else { throw .badCertificate }
        if let settlement = settlement?.settlement {
            guard settlement.log == log, settlement.identity == certificate.certificate.identity else {
                throw .badSettlement
            }
        }
        let evidence = try words.evidence.map { bytes throws(SyncViolation) in
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
