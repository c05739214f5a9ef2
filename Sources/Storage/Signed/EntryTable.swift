internal import Entries
internal import GRDB
internal import Sodium

/// Entries by place and by id.
struct EntryTable {
    private let inserts: EntryInserts
    private let insertBody: Prepared
    private let addBody: Prepared
    private let wipeBody: Prepared
    private let dropBody: Prepared
    private let one: Prepared
    private let byPrefix: Prepared
    private let logOfNumber: Prepared

    init(_ db: Database) throws {
        inserts = EntryInserts(db)
        insertBody = try Prepared(db, "INSERT INTO bodies (number, payload) VALUES (?, ?)")
        addBody = try Prepared(db, "UPDATE entries SET body = ?, length = NULL, hash = NULL WHERE key = ?")
        // As many bytes as before: SQLite then writes over the row where it lies.
        wipeBody = try Prepared(
            db,
            """
            UPDATE bodies SET payload = zeroblob(length(payload))
            WHERE number = (SELECT body FROM entries WHERE key = ?)
            """
        )
        dropBody = try Prepared(db, "UPDATE entries SET body = NULL, length = ?, hash = ? WHERE key = ?")
        one = try Prepared(db, "SELECT \(StoredEntry.columns) FROM \(StoredEntry.tables) WHERE key = ?")
        byPrefix = try Prepared(db, "SELECT entry FROM ids WHERE prefix = ?")
        logOfNumber = try Prepared(
            db,
            "SELECT log, identity, size FROM logs WHERE number = ?"
        )
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
        try insertBody.run(number, payload)
        try addBody.run(number, key)
    }

    /// Takes the body of an entry away, for ever.
    func eraseBody(at key: EntryKey, _ header: EntryHeader) throws {
        try inserts.write()
        try wipeBody.run(key)
        try dropBody.run(Int(header.length), header.payloadHash.raw, key)
    }

    func index(_ id: EntryID, at key: EntryKey) { inserts.add(id, at: key) }

    func entry(at key: EntryKey) throws -> StoredEntry? {
        try inserts.write()
        return try one.first(key) { try StoredEntry($0) }
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
        for key in try byPrefix.all(id.sortablePrefix, read: { EntryKey($0.integer(0)) }) {
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
        try logOfNumber.first(key.log) {
            LogOfEntry(id: try $0.id(0), identity: $0.integer(1), size: $0.bits(2))
        }
    }
}
