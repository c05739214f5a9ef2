internal import Entries
internal import GRDB

extension StoreReader {
    package func status() throws(StorageError) -> StoreStatus {
        try reading { db in
            let home = try HomeRow.read(db)
            let number = { (sql: String) in try Prepared(db, sql).first { $0.count(0) } ?? 0 }
            return StoreStatus(
                entries: try number("SELECT total(size) FROM logs"),
                logs: try number("SELECT count(*) FROM logs WHERE size > 0"),
                people: try number("SELECT count(DISTINCT identity) FROM logs WHERE size > 0"),
                posts: try number("SELECT count(*) FROM posts"),
                pendingEntries: try number("SELECT total(stored_end - size) FROM logs WHERE carried = 1"),
                wantedLogs: try number("SELECT count(*) FROM wants"),
                wantedBodies: try number("SELECT count(*) FROM body_wants"),
                setAsideLogs: try number("SELECT count(*) FROM set_aside"),
                databaseBytes: try number("PRAGMA page_count") * number("PRAGMA page_size"),
                own: try StateReading.ownLog(home, db),
                ownIdentity: try home.ownLog.flatMap { try LogTable(db).log(number: $0)?.identityID },
                signing: home.signing == .allowed ? .allowed : .stopped,
                latestArrival: UInt64(clamping: home.arrival)
            )
        }
    }

    /// What two nodes compare: of the frontier, with the words that say how whole it is.
    package func fingerprint() throws(StorageError) -> FingerprintReport {
        try reading { db in
            var sum = FingerprintSum()
            var entries: UInt64 = 0
            try Prepared(db, "SELECT log, size, root FROM logs WHERE size > 0").rows { columns in
                let item = FrontierItem(log: try columns.id(0), size: columns.bits(1), root: try columns.bytes32(2))
                sum.insert(item.id)
                entries &+= item.size
                return .more
            }
            let number = { (sql: String) in try Prepared(db, sql).first { $0.count(0) } ?? 0 }
            return FingerprintReport(
                fingerprint: sum.fingerprint,
                logs: Int(clamping: sum.count),
                entries: Int(clamping: entries),
                wantedLogs: try number("SELECT count(*) FROM wants"),
                wantedBodies: try number("SELECT count(*) FROM body_wants")
            )
        }
    }
}
