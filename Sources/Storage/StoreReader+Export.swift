package import Entries
internal import GRDB
internal import Sodium

/// A log, as listed for an export.
package struct ExportedLog: Hashable, Sendable {
    package let log: LogID
    package let identity: IdentityID
    /// Entries that count.
    package let size: UInt64
    /// The peer that brought the last of them; nil if they were written here.
    package let source: NodeID?
    /// The log's words, that is its settlement and fork evidence (`protocol/sync.md` §9); nil if it has none.
    package let words: LogWords?
    package let number: Int64
}

/// One page of the logs of an export.
package struct ExportPage: Sendable {
    package var logs: [ExportedLog] = []
    /// Logs that cannot be read.
    package var unreadable = 0
    /// Log number after which the next page begins; nil if this page is empty.
    package var next: Int64?
}

/// How much of the own log there is, and how much of it ever left this home.
package struct OwnRelease: Hashable, Sendable {
    package let log: LogID
    package let size: UInt64
    package let published: UInt64

    package init(log: LogID, size: UInt64, published: UInt64) {
        self.log = log
        self.size = size
        self.published = published
    }
}

/// Reads everything for an export, a page at a time; each call sees its own snapshot.
extension StoreReader {
    /// Logs with a number above `number`, ascending.
    ///
    /// Logs without counted entries are included, with size 0; an unreadable log is skipped and counted.
    package func exportedLogs(after number: Int64, limit: Int) throws(StorageError) -> ExportPage {
        try reading { db in
            let sql =
                "SELECT \(LogState.columns) FROM \(LogState.tables) WHERE logs.number > ? ORDER BY logs.number LIMIT ?"
            let words = try WordTable(db)
            let certificates = LogTable(db)
            var page = ExportPage()
            let rows = try Prepared(db, sql).all(number, limit) { columns in
                (number: columns.integer(0), log: try Self.unlessDamaged { try LogState(columns) })
            }
            page.next = rows.last?.number
            for row in rows {
                let read = try row.log.flatMap { log in
                    try Self.unlessDamaged { try Self.exported(log, words, certificates) }
                }
                if let read { page.logs.append(read) } else { page.unreadable += 1 }
            }
            return page
        }
    }

    private static func exported(
        _ log: LogState,
        _ table: WordTable,
        _ certificates: LogTable
    ) throws -> ExportedLog {
        var words: LogWords?
        if log.isJudged, log.hasItem {
            let signed = try table.words(of: log.number)
            words = LogWords(
                log: log.log,
                known: KnownRoot(size: log.size, root: log.root),
                words: Words(
                    settlement: signed.settlement?.bytes,
                    evidence: signed.evidence?.bytes,
                    certificate: try certificates.certificate(of: log.number)?.bytes
                )
            )
        }
        return ExportedLog(
            log: log.log,
            identity: log.identityID,
            size: log.size,
            source: log.source,
            words: words,
            number: log.number
        )
    }

    private static func unlessDamaged<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch {
            let failure = StorageError(error)
            guard case .damaged = failure else { throw failure }
            return nil
        }
    }

    /// The ends of accounts, in the order in which they came.
    package func exportedEnds() throws(StorageError) -> [LogWords] {
        try reading { db in
            try EndTable(db).ends().map { end in
                LogWords(
                    log: end.row.log,
                    known: KnownRoot(size: 0, root: .zero),
                    words: Words(settlement: end.signed.bytes, evidence: nil, certificate: nil)
                )
            }
        }
    }

    /// The sequence number of a log's first counted entry that was written at `time` (Unix milliseconds) or later, or
    /// came here then, however old it was; nil: there is none. Up to an hour before that counts as then.
    package func firstEntry(of log: ExportedLog, since time: UInt64) throws(StorageError) -> UInt64? {
        try reading { db in
            // Times from 2^63 on are negative in the database, and later than any `time` asked for.
            let sql = """
                SELECT key FROM entries WHERE key >= ? AND key < ? AND (time >= ? OR time < 0 OR key >= ?)
                ORDER BY key LIMIT 1
                """
            let first = EntryKey(log: log.number, sequence: 0)
            let end = EntryKey(log: log.number, sequence: log.size)
            let late = try LateArrivals.first(of: log.number, since: time, db)
                .map { EntryKey(log: log.number, sequence: min($0, log.size)) }
            return try Prepared(db, sql).first(
                first,
                end,
                Int64(clamping: LateArrivals.beginning(since: time)),
                late ?? end
            ) {
                EntryKey($0.integer(0)).sequence
            }
        }
    }

    /// Entries of a log within `range` whose body gave way to the disk budget.
    package func evictedBodies(of log: ExportedLog, in range: Range<UInt64>) throws(StorageError) -> UInt64 {
        try reading { db in
            let sql = "SELECT count(*) FROM dropped_bodies WHERE entry >= ? AND entry < ?"
            let first = EntryKey(log: log.number, sequence: range.lowerBound)
            let end = EntryKey(log: log.number, sequence: range.upperBound)
            return try Prepared(db, sql).first(first, end) { $0.bits(0) } ?? 0
        }
    }

    /// As `EntryStore.ranges`, also while another process writes.
    package func ranges(
        _ wants: [RangeWant],
        byteLimit: Int,
        damaged: (StorageError) -> Void = { _ in }
    ) throws(StorageError) -> [RangeAnswer] {
        try reading { try PackedRange($0).answers(to: wants, byteLimit: byteLimit, damaged: damaged) }
    }

    /// Size and published size of the own log; nil for a hub.
    package func ownRelease() throws(StorageError) -> OwnRelease? {
        try reading { db in
            try StateReading.ownLog(HomeRow.read(db), db)
                .map { OwnRelease(log: $0.log, size: $0.size, published: $0.published) }
        }
    }
}
