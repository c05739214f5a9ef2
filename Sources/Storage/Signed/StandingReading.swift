internal import Entries
internal import GRDB

/// Reads the standings of judged logs for the machine: their words, and what follows from them.
struct StandingReading {
    private let db: Database
    private let logs: LogTable
    private let words: WordTable
    private let sides: SideTable
    private let ends: EndTable

    init(_ db: Database) throws {
        self.db = db
        logs = LogTable(db)
        words = try WordTable(db)
        sides = try SideTable(db)
        ends = try EndTable(db)
    }

    /// The standing of a log with words.
    func standing(of log: LogState) throws -> LogStanding {
        let signed = try words.words(of: log.number)
        let standing = try TreeNodes(db).standing(of: log)
        let side = try sides.side(of: log.number)?.next
        return LogStanding(
            log: log.log,
            words: Words(
                settlement: signed.settlement?.bytes,
                evidence: signed.evidence?.bytes,
                certificate: try logs.certificate(of: log.number)?.bytes
            ),
            ceiling: standing.ceiling,
            isComplete: standing.isComplete,
            side: standing.settledNext(storedEnd: log.storedEnd, side: side),
            isDiverging: side == nil && standing.isDiverging
        )
    }

    /// The standings that a transaction changed: logs in ascending order, then the ends of accounts.
    static func standings(of intake: Intake) throws -> [LogStanding] {
        guard !intake.judged.isEmpty || !intake.ended.isEmpty else { return [] }
        let reading = try StandingReading(intake.db)
        let changed = try intake.judged.sorted().compactMap { try intake.state(of: $0) }
        return try changed.filter(\.hasItem).map { try reading.standing(of: $0) }
            + intake.ended.sorted().compactMap { try intake.ends.end(of: $0)?.standing }
    }

    func all() throws -> [LogStanding] {
        let select = """
            SELECT \(LogState.columns) FROM \(LogState.tables)
            WHERE carried = 1 AND (cut IS NOT NULL OR settled_size IS NOT NULL) ORDER BY logs.log
            """
        let judged = try Prepared(db, select).all { try LogState($0) }
        return try judged.map { try standing(of: $0) } + ends.ends().map(\.standing)
    }
}
