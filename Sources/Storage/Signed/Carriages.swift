internal import Entries
internal import GRDB

/// The rankings of logs (`protocol/identity.md` §6) for the identities that one transaction touches, with the logs
/// that are not ranked yet.
///
/// Each is read once, before a log of the identity gets its first item in this transaction; from then on it is updated
/// here, since the rows of `logs` are written at the end.
struct Carriages {
    private let db: Database
    private let lateEnds: Late<EndTable>
    private var open: [IdentityNumber: Ranking] = [:]

    private struct Ranking {
        var carriage = Carriage()
        /// Logs without a frontier item, in the order in which they came.
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

    /// Whether a log would be carried; no log of an ended account is.
    mutating func admits(_ candidate: Carriage.Candidate, of identity: IdentityNumber) throws -> Bool {
        try ranking(of: identity).carriage.admits(candidate) && !lateEnds.get().hasEnded(identity)
    }

    /// Registers a log that has no frontier item yet, of which a root key can make any number.
    ///
    /// - Returns: the oldest such logs above `StorageLimits.unrankedLogsPerIdentity`, to be dropped.
    mutating func begin(_ log: LogState) throws -> [LogID] {
        var ranking = try ranking(of: log.identity)
        if !ranking.unranked.contains(log.log) { ranking.unranked.append(log.log) }
        let surplus = max(0, ranking.unranked.count - StorageLimits.unrankedLogsPerIdentity)
        let last = ranking.unranked.filter { $0 != log.log }.prefix(surplus)
        ranking.unranked.removeAll(where: Set(last).contains)
        open[log.identity] = ranking
        return Array(last)
    }

    /// Ranks a log that has a frontier item now.
    ///
    /// - Returns: the logs that are no longer carried.
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
