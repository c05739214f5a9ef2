import Entries
import Sodium

/// The words on each log that has any, and what follows from them.
struct Standings {
    struct Known {
        let standing: LogStanding
        let settlement: Settlement?
        let cut: KnownRoot?

        /// The bound at and beyond which nothing is asked for, announced or pushed.
        var ceiling: UInt64 { standing.ceiling }

        fileprivate init(_ standing: LogStanding) {
            self.standing = standing
            settlement = standing.words.settlement.flatMap { SignedSettlement(trusting: $0)?.settlement }
            cut = standing.words.evidence.flatMap { ForkEvidence($0)?.cut }
        }
    }

    private var logs: [LogID: Known] = [:]

    init(_ standings: [LogStanding]) {
        for standing in standings { set(standing) }
    }

    var isEmpty: Bool { logs.isEmpty }
    /// The number of logs cut short by a fork of their writer.
    var forkedCount: Int { logs.values.count { $0.cut != nil && !$0.standing.isComplete } }

    subscript(log: LogID) -> Known? { logs.isEmpty ? nil : logs[log] }

    mutating func set(_ standing: LogStanding) {
        logs[standing.log] = Known(standing)
    }

    mutating func remove(_ log: LogID) {
        logs[log] = nil
    }

    func ceiling(_ log: LogID) -> UInt64 { self[log]?.ceiling ?? .max }

    /// The statement on a log that has a settlement or fork evidence; nil of any other.
    func mark(of log: UInt32, in frontier: Frontier) -> LogMark? {
        self[frontier.id(log)].map { known in
            LogMark(
                item: frontier.item(log),
                root: frontier.root(log),
                settlement: known.settlement,
                cut: known.cut
            )
        }
    }

    /// The part of a peer's words that is news here; nil if nothing is.
    func news(in mark: LogMark, _ words: Words) -> Words? {
        let known = self[mark.item.log]
        let isSettlementNews = mark.settlement.map { new in known?.settlement.map(new.overrules) ?? true } ?? false
        let isEvidenceNews = mark.cut.map { new in known?.cut.map { new < $0 } ?? true } ?? false
        guard isSettlementNews || isEvidenceNews else { return nil }
        return Words(
            settlement: isSettlementNews ? words.settlement : nil,
            evidence: isEvidenceNews ? words.evidence : nil,
            certificate: words.certificate
        )
    }
}
