internal import Entries
internal import GRDB

/// The counts of a rebuild.
package struct RebuildReport: Hashable, Sendable {
    package let logs: Int
    /// Entries that count.
    package let entries: Int
    /// Posts that can be shown.
    package let posts: Int
    /// Logs of others that were not what their authors signed, and were dropped.
    package let droppedLogs: Int
    /// Whether a log that this home wrote is not what was signed; it is kept as it is.
    package let isOwnLogDamaged: Bool
}

extension EntryStore {
    /// Rebuilds the derived tables and the id index in one transaction; posts keep their arrival numbers. Damaged logs
    /// of others are dropped (`DamagedLogs`).
    package func rebuild() throws(StorageError) -> RebuildReport {
        try storing {
            let (report, aftermath) = try transaction(.replicated) { db in
                let rebuilding = try Rebuilding(db)
                let report = try rebuilding.perform()
                // Not for what the disk damaged: a copy may be the only one that is sound.
                dropCopies(before: rebuilding.folded)
                return (report, rebuilding.aftermath)
            }
            scrubbed(after: aftermath)
            return report
        }
    }
}

/// One rebuild, within a transaction.
private struct Rebuilding {
    private let db: Database
    private let logs: LogTable
    private let folding: Folding
    private var home: HomeRow
    private let damage: DamagedLogs.Report

    init(_ db: Database) throws {
        self.db = db
        // Before any statement is prepared: empties the tables.
        try db.execute(sql: "DROP TABLE IF EXISTS temp.arrivals")
        try db.execute(sql: "CREATE TEMP TABLE arrivals (entry INTEGER PRIMARY KEY, arrival INTEGER NOT NULL)")
        try db.execute(sql: "INSERT INTO temp.arrivals SELECT entry, arrival FROM posts")
        for table in Tables.derivedNames + ["ids"] { try db.execute(sql: "DELETE FROM \(table)") }
        try db.execute(sql: "UPDATE identities SET clock = 0")
        damage = try DamagedLogs(db).drop()
        home = try HomeRow.read(db)
        logs = LogTable(db)
        folding = try Folding(db, logs: logs, arrival: home.arrival)
    }

    /// Deletes that are folded again delete nothing new.
    var folded: EntryStore.Aftermath { folding.aftermath == .erasure ? .erasure : .growth }

    var aftermath: EntryStore.Aftermath { damage.dropped > 0 ? .erasure : folded }

    func perform() throws -> RebuildReport {
        let numbers = try Prepared(db, "SELECT number FROM logs ORDER BY number").all { $0.integer(0) }
        var count: UInt64 = 0
        for number in numbers {
            guard let log = try logs.log(number: number) else { continue }
            try fold(log)
            count &+= log.present(of: 0..<log.size).reduce(0) { $0 &+ UInt64($1.count) }
        }
        try folding.finish()
        var home = home
        home.arrival = folding.arrival
        try home.write(db)
        let posts = try Prepared(db, "SELECT count(*) FROM posts").first { $0.count(0) } ?? 0
        try db.execute(sql: "DROP TABLE temp.arrivals")
        return RebuildReport(
            logs: numbers.count,
            entries: Int(clamping: count),
            posts: posts,
            droppedLogs: damage.dropped,
            isOwnLogDamaged: damage.isOwnLogDamaged
        )
    }

    private func fold(_ log: LogState) throws {
        let arrival = try Prepared(db, "SELECT arrival FROM temp.arrivals WHERE entry = ?")
        let author = Folding.Author(log: log.log, identity: log.identity)
        try folding.walk(0..<log.storedEnd, of: log) { entry in
            if entry.isErasable { folding.entries.index(entry.header(in: log.log).id, at: entry.key) }
            // Pending entries are in the id index, but not folded.
            guard entry.key.sequence < log.size else { return }
            try folding.fold(entry, by: author) { _ in try arrival.first(entry.key) { $0.integer(0) } }
        }
    }
}
