internal import GRDB

/// Entries whose body gave way to others: it is not wanted, until a person gives the store more room.
///
/// Without a budget there are none, and nobody looks for one.
struct DroppedBodies {
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

    /// The body came all the same.
    func remove(_ key: EntryKey) throws {
        if !isEmpty { try delete.run(key) }
    }
}
