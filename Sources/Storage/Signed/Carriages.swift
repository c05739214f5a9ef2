internal import Entries
internal import GRDB

/// The rankings of the identities that one transaction touches.
///
/// Read once for each, before any log of it gets its first item in this transaction; from then on kept up here, since the
/// rows of `logs` are written at the end.
struct Carriages {
    private let ranked: Prepared
    private let ends: EndTable
    private var open: [IdentityNumber: Carriage] = [:]

    init(_ db: Database) throws {
        ranked = try Prepared(
            db,
            "SELECT \(LogState.columns) FROM \(LogState.tables) WHERE logs.identity = ? AND carried = 1"
        )
        ends = try EndTable(db)
    }

    mutating func admits(_ log: LogState) throws -> Bool {
        try admits(log.candidate, of: log.identity)
    }

    /// Whether a log would be carried; of an account that ended none is.
    mutating func admits(_ candidate: Carriage.Candidate, of identity: IdentityNumber) throws -> Bool {
        try carriage(of: identity).admits(candidate) && !ends.hasEnded(identity)
    }

    /// Ranks a log that has an item now.
    ///
    /// - Returns: the logs that are not carried any more.
    mutating func insert(_ log: LogState) throws -> [LogID] {
        var carriage = try carriage(of: log.identity)
        let forgotten = carriage.insert(log.candidate)
        open[log.identity] = carriage
        return forgotten
    }

    private mutating func carriage(of identity: IdentityNumber) throws -> Carriage {
        if let known = open[identity] { return known }
        var carriage = Carriage()
        for log in try ranked.all(identity, read: { try LogState($0) }) where log.hasItem {
            _ = carriage.insert(log.candidate)
        }
        open[identity] = carriage
        return carriage
    }
}
