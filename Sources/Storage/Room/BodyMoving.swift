internal import GRDB

/// Compacts the table `bodies`: frees the pages of zeroed bodies, from the oldest on.
///
/// Bodies are stored in order of arrival and never moved by SQLite, or a page could keep text that is erased later
/// (`Tables.signed`). So bodies still needed are copied to the end and their old rows overwritten with zeros; then the
/// front of the table is deleted: only zeroed rows that zeroed rows follow, so that the pages that SQLite merges with
/// the last deleted one hold no text.
struct BodyMoving {
    /// The progress of one scan of the table.
    struct Walk {
        /// The last row when the scan began: rows moved since come after it.
        let end: Int64
        /// The last row scanned: all up to it are zeros.
        var front: Int64 = 0
        /// Zeroed rows that are not deleted yet, oldest first, with the least that each takes in a page.
        var zeros: [(number: Int64, bytes: Int)] = []

        var isOver: Bool { front >= end }
    }

    private let db: Database
    private let rows: Prepared
    private let copy: Prepared
    private let point: Prepared
    private let wipe: Prepared
    private let cut: Prepared

    /// Rows of one step, at most.
    private static let stepRows = 1_024
    /// Pages of zeros kept after the last deleted row: SQLite merges its page with two others, and of the last row
    /// only the beginning may lie in its page.
    private static let marginPages = 6
    /// Least size in its page of a row with overflow pages (page size 4,096).
    private static let overflowingBytes = 489

    /// Needs the index that `BodyIndex` makes.
    init(_ db: Database) throws {
        self.db = db
        rows = try Prepared(
            db,
            """
            SELECT number, length(payload), (SELECT key FROM entries WHERE entries.body = bodies.number)
            FROM bodies WHERE number > ? ORDER BY number LIMIT \(Self.stepRows)
            """
        )
        copy = try Prepared(db, "INSERT INTO bodies (payload) SELECT payload FROM bodies WHERE number = ?")
        point = try Prepared(db, "UPDATE entries SET body = ? WHERE key = ?")
        wipe = try Prepared(db, "UPDATE bodies SET payload = zeroblob(length(payload)) WHERE number = ?")
        cut = try Prepared(db, "DELETE FROM bodies WHERE number <= ?")
    }

    /// Begins a scan from the oldest body to the newest one now.
    func begin() throws -> Walk {
        Walk(end: try Prepared(db, "SELECT ifnull(max(number), 0) FROM bodies").first { $0.integer(0) } ?? 0)
    }

    /// Moves the bodies still needed of the next rows, about `limit` bytes, and deletes zeroed rows before them.
    func step(_ walk: inout Walk, bytes limit: Int) throws {
        struct Row {
            let number: Int64
            let bytes: Int
            let entry: Int64?
        }
        let found = try rows.all(walk.front) { columns in
            Row(number: columns.integer(0), bytes: columns.count(1), entry: columns.optionalInteger(2))
        }
        var moved = 0
        if found.isEmpty { walk.front = walk.end }
        for row in found where moved < limit && row.number <= walk.end {
            if let entry = row.entry {
                try copy.run(row.number)
                try point.run(copy.insertedRow, entry)
                try wipe.run(row.number)
                moved += row.bytes
            }
            walk.front = row.number
            walk.zeros.append((row.number, row.bytes > 4_000 ? Self.overflowingBytes : row.bytes + 4))
        }
        try cutFront(&walk)
    }

    private func cutFront(_ walk: inout Walk) throws {
        var margin = Self.marginPages * Int(try Schema.pragma(db, "page_size"))
        let first = walk.zeros.lastIndex { zero in
            margin -= zero.bytes
            return margin <= 0
        }
        guard let first, first > 0 else { return }
        try cut.run(walk.zeros[first - 1].number)
        walk.zeros.removeFirst(first)
    }
}

/// The index from a body to its entry: only a store that evicts uses it, and only it pays for it.
enum BodyIndex {
    static func make(_ db: Database) throws {
        try Prepared(db, "CREATE INDEX IF NOT EXISTS entries_by_body ON entries (body) WHERE body IS NOT NULL").run()
    }

    static func remove(_ db: Database) throws {
        try Prepared(db, "DROP INDEX IF EXISTS entries_by_body").run()
    }
}
