internal import Entries
internal import GRDB
internal import Sodium

/// Entries by place and by id.
struct EntryTable {
    private let insert: Prepared
    private let insertBody: Prepared
    private let addBody: Prepared
    private let wipeBody: Prepared
    private let dropBody: Prepared
    private let insertID: Prepared
    private let one: Prepared
    private let byPrefix: Prepared
    private let logOfNumber: Prepared

    init(_ db: Database) throws {
        insert = try Prepared(
            db,
            """
            INSERT INTO entries (key, kind, version, flags, time, clock_ahead, length, hash, body)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        insertBody = try Prepared(db, "INSERT INTO bodies (payload) VALUES (?)")
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
        insertID = try Prepared(db, "INSERT INTO ids (prefix, entry) VALUES (?, ?)")
        one = try Prepared(db, "SELECT \(StoredEntry.columns) FROM \(StoredEntry.tables) WHERE key = ?")
        byPrefix = try Prepared(db, "SELECT entry FROM ids WHERE prefix = ?")
        logOfNumber = try Prepared(
            db,
            "SELECT log, identity, size FROM logs WHERE number = ?"
        )
    }

    /// Stores an entry, without its body if that is not to be kept.
    func store(_ entry: Entry, at key: EntryKey, body: EntryBody) throws {
        let header = entry.header
        var length: Int?
        var hash: Bytes32?
        var number: Int64?
        switch body {
        case .present(let payload):
            try insertBody.run(payload)
            number = insertBody.insertedRow
        case .withheld:
            length = Int(header.length)
            hash = header.payloadHash.raw
        }
        try insert.run(
            key,
            Int(header.kind),
            Int(header.version),
            Int(header.flags),
            Int64(bitPattern: header.time),
            Int64(bitPattern: header.clock &- header.time),
            length,
            hash,
            number
        )
        if header.isErasable { try index(entry.id, at: key) }
    }

    /// Adds the body of an entry that is here without it.
    func add(_ payload: [UInt8], at key: EntryKey) throws {
        try insertBody.run(payload)
        try addBody.run(insertBody.insertedRow, key)
    }

    /// Takes the body of an entry away, for ever.
    func eraseBody(at key: EntryKey, _ header: EntryHeader) throws {
        try wipeBody.run(key)
        try dropBody.run(Int(header.length), header.payloadHash.raw, key)
    }

    func index(_ id: EntryID, at key: EntryKey) throws {
        try insertID.run(id.sortablePrefix, key)
    }

    func entry(at key: EntryKey) throws -> StoredEntry? {
        try one.first(key) { try StoredEntry($0) }
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
