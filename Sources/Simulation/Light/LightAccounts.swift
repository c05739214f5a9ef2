import Entries
import Sodium

/// What a `LightStore` knows of each identity: the rank of its logs, and the end of its account.
struct LightAccounts {
    private var carriages: [IdentityID: Carriage] = [:]
    /// Ended accounts: the settlement and the frontier row of each.
    private var ends: [IdentityID: (signed: SignedSettlement, row: FrontierRow)] = [:]

    /// The frontier rows of the ended accounts, in no particular order.
    var endRows: [FrontierRow] { ends.values.map(\.row) }

    func endRow(of identity: IdentityID) -> FrontierRow? { ends[identity]?.row }

    /// Whether there is room for a log among the carried ones of its identity; none once the account ended.
    func admits(_ log: LightLog) -> Bool {
        let identity = log.certificate.certificate.identity
        return ends[identity] == nil && carriages[identity, default: Carriage()].admits(log.candidate)
    }

    /// Ranks a log among the carried ones of its identity, and returns those that it pushes out.
    mutating func rank(_ log: LightLog) -> [LogID] {
        carriages[log.certificate.certificate.identity, default: Carriage()].insert(log.candidate)
    }

    // MARK: Ends

    func hasEnded(_ identity: IdentityID) -> Bool { ends[identity] != nil }

    mutating func end(_ arrival: SettlementArrival, number: UInt64) {
        let settlement = arrival.signed.settlement
        let log = LogID(endOf: settlement.identity, in: settlement.network)
        let item = FrontierItem(log: log, size: 0, root: .zero, settled: .init(size: 0, root: .zero))
        let row = FrontierRow(
            identity: settlement.identity,
            item: item,
            time: 0,
            number: number,
            source: arrival.source
        )
        ends[settlement.identity] = (arrival.signed, row)
    }

    /// Takes another settlement of an account that ended; false if it does not overrule the one held.
    mutating func overrule(with signed: SignedSettlement) -> Bool {
        let identity = signed.settlement.identity
        guard let held = ends[identity], signed.settlement.overrules(held.signed.settlement) else { return false }
        ends[identity] = (signed, held.row)
        return true
    }

    /// The standings of ended accounts, in the order given.
    func standings(of ended: [IdentityID]) -> [LogStanding] {
        ended.compactMap { identity in
            ends[identity].map { end in
                LogStanding(
                    log: end.row.log,
                    words: Words(settlement: end.signed.bytes, evidence: nil, certificate: nil),
                    ceiling: 0,
                    isComplete: true,
                    side: nil,
                    isDiverging: false
                )
            }
        }
    }

    /// Those of all ended accounts, ascending.
    var allStandings: [LogStanding] { standings(of: ends.keys.sorted()) }
}
