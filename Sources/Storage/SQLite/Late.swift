internal import GRDB

/// A table's statements, looked up when the first of them is needed.
///
/// To look one up costs a hash of its words, and of the seventy that a transaction may need a live post needs few.
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
