internal import GRDB

/// Entries whose body was evicted: it is not wanted until the store is opened without a budget.
///
/// Without a budget there are none, and none is looked up.
struct EvictedBodies {
    private let find: Prepared
    private let delete: Prepared
    private let isEmpty: Bool

    init(_ db: Database) throws {
        find = try Prepared(db, "SELECT 1 FROM dropped_bodies WHERE entry = ?")
        delete = try Prepared(db, "DELETE FROM dropped_bodies WHERE entry = ?")
        isEmpty = try Prepared(db, "SELECT 1 FROM dropped_bodies LIMIT 1").first { _ in false } ?? true
    }

    func contains(_ key: EntryKey) throws -> Bool {
        guard !isEmpty else { return false }
        return try find.first(key) { _ in true } ?? false
    }

    /// Removes an entry whose body came all the same.
    func remove(_ key: EntryKey) throws {
        if !isEmpty { try delete.run(key) }
    }
}
