internal import Entries
internal import GRDB
internal import Sodium

/// The stored entries, by key and by id.
struct EntryTable {
    private let inserts: EntryInserts
    private let bodies: Late<Bodies>
    private let finding: Late<Finding>
    private let span: Late<Prepared>

    private struct Bodies {
        let insert: Prepared
        let add: Prepared
        let wipe: Prepared
        let drop: Prepared

        init(_ db: Database) throws {
            insert = try Prepared(db, "INSERT INTO bodies (number, payload) VALUES (?, ?)")
            add = try Prepared(db, "UPDATE entries SET body = ?, length = NULL, hash = NULL WHERE key = ?")
            // As many bytes as before: SQLite then overwrites the row in place.
            wipe = try Prepared(
                db,
                """
                UPDATE bodies SET payload = zeroblob(length(payload))
                WHERE number = (SELECT body FROM entries WHERE key = ?)
                """
            )
            drop = try Prepared(db, "UPDATE entries SET body = NULL, length = ?, hash = ? WHERE key = ?")
        }
    }

    private struct Finding {
        let one: Prepared
        let byPrefix: Prepared
        let log: Prepared

        private static let selectOne = "SELECT \(StoredEntry.columns) FROM \(StoredEntry.tables) WHERE key = ?"

        init(_ db: Database) throws {
            one = try Prepared(db, Self.selectOne)
            byPrefix = try Prepared(db, "SELECT entry FROM ids WHERE prefix = ?")
            log = try Prepared(db, "SELECT log, identity, size FROM logs WHERE number = ?")
        }
    }

    init(_ db: Database) {
        inserts = EntryInserts(db)
        bodies = Late(db, Bodies.init)
        finding = Late(db, Finding.init)
        span = Late(db) { try Prepared($0, StoredEntry.span) }
    }

    /// Buffers an entry with the body to be kept, if any; `write` and `writeAll` write it at the latest.
    func store(_ entry: Entry, at key: EntryKey, body: EntryBody) throws {
        try inserts.add(entry.header, at: key, body: body)
        if entry.header.isErasable { index(entry.id, at: key) }
    }

    /// Writes buffered entries, but not their ids: to be called before any other statement reads entries.
    func write() throws { try inserts.write() }

    /// Writes buffered entries and ids.
    func writeAll() throws { try inserts.writeAll() }

    /// Number of buffered ids.
    var gathered: Int { inserts.gathered }

    /// Stores the body of an entry that is held without it.
    func add(_ payload: [UInt8], at key: EntryKey) throws {
        try inserts.write()
        let number = try inserts.nextBody()
        try bodies.get().insert.run(number, payload)
        try bodies.get().add.run(number, key)
    }

    /// Erases the body of an entry, keeping its length and hash.
    func eraseBody(at key: EntryKey, _ header: EntryHeader) throws {
        try inserts.write()
        try bodies.get().wipe.run(key)
        try bodies.get().drop.run(Int(header.length), header.payloadHash.raw, key)
    }

    func index(_ id: EntryID, at key: EntryKey) { inserts.add(id, at: key) }

    func entry(at key: EntryKey) throws -> StoredEntry? {
        try inserts.write()
        return try finding.get().one.first(key) { try StoredEntry($0) }
    }

    /// Passes the stored entries of a range of a log, without those in its gap, to `visit` in batches: no statement is
    /// open meanwhile, so that `visit` may change what it is passed.
    ///
    /// - Throws: `StorageError.damaged` if one is missing.
    func walk(_ range: Range<UInt64>, of log: LogState, visit: ([StoredEntry]) throws -> Void) throws {
        try write()
        let rows = try span.get()
        for part in log.present(of: range) {
            var next = part.lowerBound
            while next < part.upperBound {
                let end = min(part.upperBound, next + StorageLimits.walkedRows)
                let entries = try rows.all(log.key(next), log.key(end)) { try StoredEntry($0) }
                guard UInt64(entries.count) == end - next else { throw StorageError.damaged("an entry is missing") }
                try visit(entries)
                next = end
            }
        }
    }

    /// A stored entry, with its header, id and log.
    struct Found {
        let entry: StoredEntry
        let header: EntryHeader
        let id: EntryID
        let log: LogOfEntry
    }

    struct LogOfEntry {
        let id: LogID
        let identity: Int64
        /// Counted entries; an entry at or beyond it is pending or hidden.
        let size: UInt64
    }

    /// The erasable entry with this id: found by eight bytes, decided by the whole id, which is computed anew.
    func entry(with id: EntryID) throws -> Found? {
        try inserts.writeAll()
        for key in try finding.get().byPrefix.all(id.sortablePrefix, read: { EntryKey($0.integer(0)) }) {
            if let found = try found(at: key), found.id == id { return found }
        }
        return nil
    }

    /// The entry at a key, with its id.
    func found(at key: EntryKey) throws -> Found? {
        guard let entry = try entry(at: key), let log = try log(of: key) else { return nil }
        let header = entry.header(in: log.id)
        return Found(entry: entry, header: header, id: header.id, log: log)
    }

    func log(of key: EntryKey) throws -> LogOfEntry? {
        try finding.get().log.first(key.log) {
            LogOfEntry(id: try $0.id(0), identity: $0.integer(1), size: $0.bits(2))
        }
    }
}
