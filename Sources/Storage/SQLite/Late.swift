internal import GRDB

/// A table whose statements are prepared lazily, when the first of them is needed.
///
/// Looking up a cached statement costs a hash of its SQL, and a live post needs few of the seventy that a transaction
/// may need.
final class Late<Table> {
    private let db: Database
    private let make: (Database) throws -> Table
    private var table: Table?

    init(_ db: Database, _ make: @escaping (Database) throws -> Table) {
        self.db = db
        self.make = make
    }

    func get() throws -> Table {
        if let table { return table }
        let made = try make(db)
        table = made
        return made
    }
}
