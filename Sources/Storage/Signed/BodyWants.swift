internal import GRDB

/// The bodies that are wanted: of entries that count, and none that was evicted.
struct BodyWants {
    private let insert: Prepared
    private let delete: Prepared
    private let evicted: EvictedBodies

    init(_ db: Database) throws {
        insert = try Prepared(db, "INSERT OR IGNORE INTO body_wants (entry) VALUES (?)")
        delete = try Prepared(db, "DELETE FROM body_wants WHERE entry = ?")
        evicted = try EvictedBodies(db)
    }

    /// Wants the body of an entry; false, and nothing changes, if it was wanted already or is evicted.
    func add(_ key: EntryKey) throws -> Bool {
        guard try !evicted.contains(key) else { return false }
        try insert.run(key)
        return insert.changes > 0
    }

    /// Ends the want of a body.
    func remove(_ key: EntryKey) throws { try delete.run(key) }

    /// The body came, be it that it is wanted or that it was evicted.
    func noteArrival(of key: EntryKey) throws {
        try delete.run(key)
        try evicted.remove(key)
    }
}
