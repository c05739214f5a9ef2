internal import Entries
internal import GRDB
internal import Sodium

/// Entries by place and by id.
struct EntryTable {
    private let inserts: EntryInserts
    private let bodies: Late<Bodies>
    private let finding: Late<Finding>

    private struct Bodies {
        let insert: Prepared
        let add: Prepared
        let wipe: Prepared
        let drop: Prepared

        init(_ db: Database) throws {
            insert = try Prepared(db, "INSERT INTO bodies (number, payload) VALUES (?, ?)")
            add = try Prepared(db, "UPDATE entries SET body = ?, length = NULL, hash = NULL WHERE key = ?")
            // As many bytes as before: SQLite then writes over the row where it lies.
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
    }

    /// Stores an entry, without its body if that is not to be kept; written by `write` and `writeAll` at the latest.
    func store(_ entry: Entry, at key: EntryKey, body: EntryBody) throws {
        try inserts.add(entry.header, at: key, body: body)
        if entry.header.isErasable { index(entry.id, at: key) }
    }

    /// Writes what was stored, but for the ids: other statements read entries between two chunks.
    func write() throws { try inserts.write() }

    /// Writes what was stored.
    func writeAll() throws { try inserts.writeAll() }

    /// Ids that are not written yet.
    var gathered: Int { inserts.gathered }

    /// Adds the body of an entry that is here without it.
    func add(_ payload: [UInt8], at key: EntryKey) throws {
        try inserts.write()
        let number = try inserts.nextBody()
        try bodies.get().insert.run(number, payload)
        try bodies.get().add.run(number, key)
    }

    /// Takes the body of an entry away, for ever.
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

    /// An entry that was found by its id.
    struct Found {
        let entry: StoredEntry
        let header: EntryHeader
        let id: EntryID
        let log: LogOfEntry
    }

    struct LogOfEntry {
        let id: LogID
        let identity: Int64
        /// Entries that count; one at or beyond it is pending.
        let size: UInt64
    }

    /// The erasable entry with this id: eight bytes find it, the whole id, computed anew, decides.
    func entry(with id: EntryID) throws -> Found? {
        try inserts.writeAll()
        for key in try finding.get().byPrefix.all(id.sortablePrefix, read: { EntryKey($0.integer(0)) }) {
            if let found = try found(at: key), found.id == id { return found }
        }
        return nil
    }

    /// The entry at a place, with its id.
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
