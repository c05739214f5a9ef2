internal import Entries
internal import GRDB
internal import Sodium

extension StoreReader {
    package func status() throws(StorageError) -> StoreStatus {
        try reading { db in
            let home = try HomeRow.read(db)
            let number = { (sql: String) in try Prepared(db, sql).first { $0.count(0) } ?? 0 }
            return StoreStatus(
                entries: try number("SELECT total(size) FROM logs") - Self.missing(.counted, db),
                logs: try number("SELECT count(*) FROM logs WHERE size > 0"),
                people: try number("SELECT count(DISTINCT identity) FROM logs WHERE size > 0"),
                posts: try number("SELECT count(*) FROM posts"),
                pendingEntries: try number("SELECT total(stored_end - size) FROM logs WHERE carried = 1")
                    - Self.missing(.pending, db),
                unsuppliedLogs: try number("SELECT count(*) FROM wants"),
                wantedBodies: try number("SELECT count(*) FROM body_wants"),
                gaps: try number("SELECT count(*) FROM gaps"),
                missingEntries: try number("SELECT total(end - start) FROM gaps"),
                setAsideLogs: try number("SELECT count(*) FROM set_aside"),
                databaseBytes: try number("PRAGMA page_count") * number("PRAGMA page_size"),
                usedBytes: try (number("PRAGMA page_count") - number("PRAGMA freelist_count"))
                    * number("PRAGMA page_size"),
                evictedBodies: try number("SELECT count(*) FROM dropped_bodies"),
                own: try StateReading.ownLog(home, db),
                ownIdentity: try home.ownLog.flatMap { try LogTable(db).log(number: $0)?.identityID },
                signing: home.signing == .allowed ? .allowed : .stopped,
                latestArrival: UInt64(clamping: home.arrival)
            )
        }
    }

    /// The frontier's fingerprint, which two nodes compare, with counts that say how complete the frontier is.
    package func fingerprint() throws(StorageError) -> FingerprintReport {
        try reading { db in
            var sum = FingerprintSum()
            var entries: UInt64 = 0
            let items = """
                SELECT log, size, root, cut, complete, settled_size, settled_root FROM logs
                WHERE carried = 1 AND (size > 0 OR cut IS NOT NULL OR settled_size IS NOT NULL)
                """
            try Prepared(db, items).rows { columns in
                let isComplete = columns.integer(4) != 0
                let item = FrontierItem(
                    log: try columns.id(0),
                    size: columns.bits(1),
                    root: columns.isNull(2) ? .zero : try columns.bytes32(2),
                    cut: columns.isNull(3) || isComplete ? nil : columns.bits(3),
                    settled: columns.isNull(5)
                        ? nil : KnownRoot(size: columns.bits(5), root: try columns.bytes32(6))
                )
                sum.insert(item.id)
                entries &+= item.size
                return .more
            }
            for end in try EndTable(db).ends() { sum.insert(end.row.item.id) }
            let number = { (sql: String) in try Prepared(db, sql).first { $0.count(0) } ?? 0 }
            return FingerprintReport(
                fingerprint: sum.fingerprint,
                logs: Int(clamping: sum.count),
                entries: Int(clamping: entries),
                unsuppliedLogs: try number("SELECT count(*) FROM wants"),
                wantedBodies: try number("SELECT count(*) FROM body_wants"),
                gaps: try number("SELECT count(*) FROM gaps"),
                evictedBodies: try number("SELECT count(*) FROM dropped_bodies")
            )
        }
    }

    private enum Part {
        case counted
        case pending
    }

    /// Entries missing in gaps, among the counted entries or among the pending ones.
    private static func missing(_ part: Part, _ db: Database) throws -> Int {
        let place =
            switch part {
            case .counted: "gaps.end <= logs.size"
            case .pending: "gaps.end > logs.size AND logs.carried = 1"
            }
        let sql = "SELECT total(gaps.end - gaps.start) FROM gaps JOIN logs ON logs.number = gaps.log WHERE \(place)"
        return try Prepared(db, sql).first { $0.count(0) } ?? 0
    }
}
