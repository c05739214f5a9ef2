internal import Entries
internal import GRDB

/// Takes bodies off the disk to make room, in the order in which they are missed least (`protocol/sync.md` §8, Budgets).
///
/// Only bodies that may be erased: the entry stays, and is proven, counted and passed on as before. Never own ones, and
/// never profiles, which say who somebody is.
struct BodyDropping {
    private let db: Database
    private let home: HomeRow
    private let folding: Folding
    private let note: Prepared

    /// For one transaction.
    init(_ db: Database) throws {
        self.db = db
        home = try HomeRow.read(db)
        folding = try Folding(db, logs: try LogTable(db), arrival: home.arrival)
        note = try Prepared(db, "INSERT OR IGNORE INTO dropped_bodies (entry) VALUES (?)")
    }

    /// The next to go, at most so many: first what no fold reads; then of people not followed, then of those followed;
    /// within each the oldest first, and before those what is said to be of the future.
    static func candidates(_ db: Database, now: UInt64, limit: Int) throws -> [EntryKey] {
        let own = try Prepared(
            db,
            "SELECT logs.identity FROM home JOIN logs ON logs.number = home.own_log"
        ).first { $0.integer(0) }
        // Whoever has no identity here follows nobody: number 0 is no identity's.
        let sql = """
            SELECT entries.key FROM entries JOIN logs ON logs.number = entries.key >> 32
            WHERE entries.body IS NOT NULL AND entries.flags & 1 = 1 AND entries.kind <> 5 AND logs.identity <> ?1
            ORDER BY
                entries.kind IN (1, 2) AND logs.identity IN
                    (SELECT followed FROM follows WHERE identity = ?1 AND value = 1),
                entries.kind IN (1, 2),
                CASE WHEN entries.time BETWEEN 0 AND ?2 THEN entries.time ELSE 0 END,
                entries.key
            LIMIT ?3
            """
        return try Prepared(db, sql).all(own ?? 0, Int64(clamping: now), limit) { EntryKey($0.integer(0)) }
    }

    /// Drops bodies until so many bytes went, or there are no more; those that went are taken out of `keys`.
    ///
    /// - Returns: bytes of payload.
    func drop(_ keys: inout ArraySlice<EntryKey>, bytes wanted: Int) throws -> Int {
        var bytes = 0
        while bytes < wanted, let key = keys.popFirst() {
            guard let entry = try folding.entries.entry(at: key), entry.isErasable, let payload = entry.payload,
                let log = try folding.entries.log(of: key)
            else { continue }
            let author = Folding.Author(log: log.id, identity: log.identity)
            if key.sequence < log.size {
                try folding.withhold(entry, by: author)
            } else {
                try folding.entries.eraseBody(at: key, entry.header(in: log.id))
            }
            try note.run(key)
            bytes += payload.count
        }
        try folding.finish()
        // A post that broke a rule was not listed; without its payload it is.
        var home = home
        home.arrival = folding.arrival
        try home.write(db)
        return bytes
    }
}
