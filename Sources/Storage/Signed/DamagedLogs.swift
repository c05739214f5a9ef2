internal import Entries
internal import GRDB

/// Drops the logs of others that are not what their authors signed, so that they are fetched anew. A log that was
/// written here may be the only copy of it.
///
/// A log is dropped whole: nothing is left of it that no head proves. Used by a rebuild, which makes ids and fold anew
/// afterwards.
struct DamagedLogs {
    private let db: Database

    /// What was found.
    struct Report {
        var dropped = 0
        var isOwnLogDamaged = false
    }

    init(_ db: Database) {
        self.db = db
    }

    /// Looks at all logs; those that this home wrote are kept as they are.
    func drop() throws -> Report {
        var report = Report()
        for authors in ExaminedLog.Authors.allCases {
            var number: Int64 = 0
            while let found = try ExaminedLog.next(of: authors, after: number, db) {
                number = found.number
                switch (found.outcome, found.writer) {
                case (.sound, _), (.unfinished, _): break
                case (.damaged, .own): report.isOwnLogDamaged = true
                case (.damaged, .other):
                    try drop(found)
                    report.dropped += 1
                }
            }
        }
        // At the next meeting with each peer everything is compared: by a cursor it would name none of these logs.
        if report.dropped > 0 { try db.execute(sql: "DELETE FROM cursors") }
        return report
    }

    private func drop(_ found: ExaminedLog) throws {
        try eraseEntries(of: found.number)
        for table in ["nodes", "gaps", "sides", "side_entries", "late_arrivals"] {
            try Prepared(db, "DELETE FROM \(table) WHERE log = ?").run(found.number)
        }
        if let log = found.state, let empty = try emptied(log) { return try LogTable(db).write(empty) }
        try Prepared(db, "DELETE FROM verdicts WHERE log = ?").run(found.number)
        try Prepared(db, "DELETE FROM logs WHERE number = ?").run(found.number)
    }

    /// The log as it is with its words alone, which need not be on any other node yet; nil if it has none, they are
    /// damaged too, or it is not carried.
    private func emptied(_ log: LogState) throws -> LogState? {
        guard log.isJudged, log.carriage == .carried, let certificate = try? LogExamination(db).certificate(of: log)
        else { return nil }
        var home = try HomeRow.read(db)
        home.number &+= 1
        var empty = LogState(number: log.number, identity: log.identity, certificate)
        (empty.cut, empty.settled) = (log.cut, log.settled)
        empty.count(try TreeNodes(db).standing(of: empty))
        empty.change = home.number
        try home.write(db)
        return empty
    }

    private func eraseEntries(of log: Int64) throws {
        let (first, last) = (EntryKey(log: log, sequence: 0), EntryKey(log: log, sequence: .max))
        // Overwritten in place, never deleted (`LogTail`), but for what another entry names: in place of its own body a
        // damaged row may name anybody's.
        let wipe = """
            UPDATE bodies SET payload = zeroblob(length(payload))
            WHERE number IN (SELECT body FROM entries WHERE key BETWEEN ?1 AND ?2 AND body IS NOT NULL)
            AND number NOT IN (SELECT body FROM entries WHERE key NOT BETWEEN ?1 AND ?2 AND body IS NOT NULL)
            """
        try Prepared(db, wipe).run(first, last)
        try Prepared(db, "DELETE FROM entries WHERE key BETWEEN ? AND ?").run(first, last)
        for table in ["body_wants", "dropped_bodies"] {
            try Prepared(db, "DELETE FROM \(table) WHERE entry BETWEEN ? AND ?").run(first, last)
        }
    }
}
