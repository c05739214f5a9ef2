internal import GRDB

/// A row of the table `bodies`.
struct BodyRow: Hashable {
    let number: Int64
    /// Length of the payload, or of the zeros that took its place.
    let bytes: Int
    /// The entry whose body this is; nil: the row is dead, and holds nothing but zeros.
    let entry: EntryKey?

    var isDead: Bool { entry == nil }
}

/// Reads, moves, cuts and deletes rows of `bodies`, for one transaction.
///
/// Needs the index that `BodyIndex` makes.
struct BodyRows {
    let layout: BodyLayout
    private let span: Prepared
    private let following: Prepared
    private let preceding: Prepared
    private let copy: Prepared
    private let point: Prepared
    private let wipe: Prepared
    private let shorten: Prepared
    private let remove: Prepared

    init(_ db: Database) throws {
        layout = BodyLayout(pageBytes: Int(try Schema.pragma(db, "page_size")))
        let select = """
            SELECT number, length(payload), (SELECT key FROM entries WHERE entries.body = bodies.number) FROM bodies
            """
        span = try Prepared(db, "\(select) WHERE number BETWEEN ? AND ? ORDER BY number")
        following = try Prepared(db, "\(select) WHERE number > ? ORDER BY number")
        preceding = try Prepared(db, "\(select) WHERE number < ? ORDER BY number DESC")
        copy = try Prepared(db, "INSERT INTO bodies (payload) SELECT payload FROM bodies WHERE number = ?")
        point = try Prepared(db, "UPDATE entries SET body = ? WHERE key = ?")
        // As many bytes as before: SQLite then overwrites the row in place.
        wipe = try Prepared(db, "UPDATE bodies SET payload = zeroblob(length(payload)) WHERE number = ?")
        // The index proves once more that nothing needs the row: whatever went wrong before, no payload is lost.
        let isDead = "NOT EXISTS (SELECT 1 FROM entries WHERE entries.body = bodies.number)"
        shorten = try Prepared(db, "UPDATE bodies SET payload = zeroblob(?2) WHERE number = ?1 AND \(isDead)")
        remove = try Prepared(db, "DELETE FROM bodies WHERE number BETWEEN ? AND ? AND \(isDead)")
    }

    /// The rows with these numbers, in their order.
    func all(in numbers: ClosedRange<Int64>) throws -> [BodyRow] {
        try span.all(numbers.lowerBound, numbers.upperBound, read: Self.row)
    }

    /// Passes the rows after `number` to `read`, in ascending order, until that returns `.enough`; `read` must not use
    /// these rows itself.
    func after(_ number: Int64, read: (BodyRow) throws -> Prepared.Appetite) throws {
        try following.rows(number) { try read(Self.row($0)) }
    }

    /// As `after`, for the rows before `number`, in descending order.
    func before(_ number: Int64, read: (BodyRow) throws -> Prepared.Appetite) throws {
        try preceding.rows(number) { try read(Self.row($0)) }
    }

    /// Copies a body that is needed to the end of the table, and overwrites its old row, which is then dead.
    func move(_ row: BodyRow) throws {
        guard let entry = row.entry else { return }
        try copy.run(row.number)
        try point.run(copy.insertedRow, entry)
        try wipe.run(row.number)
    }

    /// Cuts a dead row to what lies in its leaf page, which frees its overflow pages at once.
    ///
    /// The row becomes shorter within its page, so that SQLite moves no other row to another page.
    func cut(_ row: BodyRow) throws {
        let kept = layout.keptBytes(of: row.bytes)
        if kept < row.bytes { try shorten.run(row.number, kept) }
    }

    /// Deletes the rows with these numbers, all of them dead.
    func delete(_ numbers: ClosedRange<Int64>) throws { try remove.run(numbers.lowerBound, numbers.upperBound) }

    private static func row(_ columns: Columns) -> BodyRow {
        BodyRow(
            number: columns.integer(0),
            bytes: columns.count(1),
            entry: columns.optionalInteger(2).map { EntryKey($0) }
        )
    }
}

/// The index from a body to its entry: only a store with a budget uses it, and only it pays for it.
enum BodyIndex {
    static func make(_ db: Database) throws {
        try Prepared(db, "CREATE INDEX IF NOT EXISTS entries_by_body ON entries (body) WHERE body IS NOT NULL").run()
    }

    static func remove(_ db: Database) throws {
        try Prepared(db, "DROP INDEX IF EXISTS entries_by_body").run()
    }
}
