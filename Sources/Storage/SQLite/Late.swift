internal import GRDB

/// A table whose statements are prepared lazily, when the first of them is needed.
///
/// Looking up a cached statement costs a hash of its SQL, and a live post needs few of the seventy that a transaction
/// may need.
final class Late<Table> {
    private let db: Database
    private let make: (Database) throws -> Table
    // Boxed: to release an optional of a generic type, its metadata is looked up, which takes longer than the rest, and
    // most of a transaction's tables are never made.
    private var made: Made?

    private final class Made {
        let table: Table

        init(_ table: Table) {
            self.table = table
        }
    }

    init(_ db: Database, _ make: @escaping (Database) throws -> Table) {
        self.db = db
        self.make = make
    }

    func get() throws -> Table {
        if let made { return made.table }
        let table = try make(db)
        made = Made(table)
        return table
    }
}
