internal import Entries
internal import GRDB

/// The rankings of the identities that one transaction touches, and those of their logs that are not ranked yet.
///
/// Read once for each, before any log of it gets its first item in this transaction; from then on kept up here, since the
/// rows of `logs` are written at the end.
struct Carriages {
    private let db: Database
    private let lateEnds: Late<EndTable>
    private var open: [IdentityNumber: Ranking] = [:]

    private struct Ranking {
        var carriage = Carriage()
        /// Logs without an item, in the order in which they came.
        var unranked: [LogID] = []
    }

    private static let ranked = """
        SELECT \(LogState.columns) FROM \(LogState.tables) WHERE logs.identity = ? AND carried = 1 ORDER BY logs.number
        """

    init(_ db: Database) {
        self.db = db
        lateEnds = Late(db, EndTable.init)
    }

    mutating func admits(_ log: LogState) throws -> Bool {
        try admits(log.candidate, of: log.identity)
    }

    /// Whether a log would be carried; of an account that ended none is.
    mutating func admits(_ candidate: Carriage.Candidate, of identity: IdentityNumber) throws -> Bool {
        try ranking(of: identity).carriage.admits(candidate) && !lateEnds.get().hasEnded(identity)
    }

    /// A log has come that has no item yet, as whoever holds a root key may have it with as many as there are numbers.
    ///
    /// - Returns: the logs that have to give way to it.
    mutating func begin(_ log: LogState) throws -> [LogID] {
        var ranking = try ranking(of: log.identity)
        if !ranking.unranked.contains(log.log) { ranking.unranked.append(log.log) }
        let surplus = max(0, ranking.unranked.count - StorageLimits.unrankedLogsPerIdentity)
        let last = ranking.unranked.filter { $0 != log.log }.prefix(surplus)
        ranking.unranked.removeAll(where: Set(last).contains)
        open[log.identity] = ranking
        return Array(last)
    }

    /// Ranks a log that has an item now.
    ///
    /// - Returns: the logs that are not carried any more.
    mutating func insert(_ log: LogState) throws -> [LogID] {
        var ranking = try ranking(of: log.identity)
        ranking.unranked.removeAll { $0 == log.log }
        let forgotten = ranking.carriage.insert(log.candidate)
        open[log.identity] = ranking
        return forgotten
    }

    private mutating func ranking(of identity: IdentityNumber) throws -> Ranking {
        if let known = open[identity] { return known }
        var ranking = Ranking()
        let logs = try Prepared(db, Self.ranked).all(identity) { try LogState($0) }
        ranking.carriage = Carriage(logs.lazy.filter(\.hasItem).map(\.candidate))
        ranking.unranked = logs.filter { !$0.hasItem }.map(\.log)
        open[identity] = ranking
        return ranking
    }
}
