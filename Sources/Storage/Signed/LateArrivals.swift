internal import Entries
internal import GRDB

/// What came late: of each log and hour the first entry that could be exported from then on and not before, if one of
/// those that came with it is older than `StorageLimits.lateMilliseconds`.
///
/// What comes sooner is found by its own time, so that a live post is noted nowhere. Of a log that comes late again and
/// again the oldest hours become one: an export since then has too much of it, and never too little.
struct LateArrivals {
    private let insert: Prepared
    private let count: Prepared
    private let join: Prepared
    private let dropOldest: Prepared
    private let find: Prepared

    init(_ db: Database) throws {
        insert = try Prepared(
            db,
            """
            INSERT INTO late_arrivals (log, hour, first) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET first = min(first, ?3)
            """
        )
        count = try Prepared(db, "SELECT count(*) FROM late_arrivals WHERE log = ?")
        join = try Prepared(
            db,
            """
            UPDATE late_arrivals
            SET first = min(first, (SELECT first FROM late_arrivals WHERE log = ?1 ORDER BY hour LIMIT 1))
            WHERE log = ?1 AND hour = (SELECT hour FROM late_arrivals WHERE log = ?1 ORDER BY hour LIMIT 1 OFFSET 1)
            """
        )
        dropOldest = try Prepared(
            db,
            "DELETE FROM late_arrivals WHERE log = ?1 AND hour = (SELECT min(hour) FROM late_arrivals WHERE log = ?1)"
        )
        find = try Prepared(
            db,
            "SELECT 1 FROM entries WHERE key >= ? AND key < ? AND time >= 0 AND time < ? LIMIT 1"
        )
    }

    /// The hour of a time in Unix milliseconds, counted from 1970.
    static func hour(of time: UInt64) -> Int64 { Int64(clamping: time / 3_600_000) }

    /// Unix milliseconds at which an hour begins.
    static func start(of hour: Int64) -> UInt64 { UInt64(clamping: hour) &* 3_600_000 }

    /// The time before which an entry was written that is late where it comes at `time`.
    static func limit(at time: UInt64) -> UInt64 {
        time > StorageLimits.lateMilliseconds ? time - StorageLimits.lateMilliseconds : 0
    }

    /// From when on an export since `time` has what was written or came late: an entry that is not late when it comes
    /// is found by its own time, and one whose transaction an earlier export did not see yet is found, too.
    static func beginning(since time: UInt64) -> UInt64 {
        time > StorageLimits.sinceMilliseconds ? time - StorageLimits.sinceMilliseconds : 0
    }

    /// Whether an entry of a log, of a range without a gap, was written before `limit` (Unix milliseconds).
    func isAnyLate(_ range: Range<UInt64>, of log: Int64, before limit: UInt64) throws -> Bool {
        let (first, end) = (range.lowerBound, range.upperBound)
        return try find.first(
            EntryKey(log: log, sequence: first),
            EntryKey(log: log, sequence: end),
            Int64(clamping: limit)
        ) { _ in true } ?? false
    }

    /// Notes that entries of a log came late in an hour, from the one with sequence number `first` on.
    func note(_ first: UInt64, of log: Int64, in hour: Int64) throws {
        try insert.run(log, hour, Int64(clamping: first))
        guard let rows = try count.first(log, read: { $0.count(0) }), rows > StorageLimits.lateHoursPerLog else {
            return
        }
        try join.run(log)
        try dropOldest.run(log)
    }

    /// The first sequence number of a log that came late in the hour in which an export since `time` (Unix milliseconds)
    /// begins, or later; nil: none did.
    static func first(of log: Int64, since time: UInt64, _ db: Database) throws -> UInt64? {
        let sql = "SELECT min(first) FROM late_arrivals WHERE log = ? AND hour >= ?"
        return try Prepared(db, sql).first(log, hour(of: beginning(since: time))) { $0.optionalInteger(0) }
            .flatMap { $0.map { UInt64(clamping: $0) } }
    }
}
