internal import GRDB

/// Gives the room of bodies that are zeros back to the file, from the oldest on.
///
/// Bodies lie in the order in which they came and are never moved by SQLite, or a page could keep words that are erased
/// later (`Tables.signed`). So what is still needed is written again at the end, the place that it leaves is filled with
/// zeros, and then the front of the table is cut off: rows of zeros alone, with rows of zeros behind them, so that the
/// pages that SQLite joins with the last one of the cut hold no words.
struct BodyMoving {
    /// How far one walk through the table has come.
    struct Walk {
        /// The last row when it began: what was moved since lies behind.
        let end: Int64
        /// The last row that is zeros.
        var front: Int64 = 0
        /// Rows of zeros that were not cut off, the oldest first, and what each takes in a page at least.
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
    /// Pages of zeros that stay behind a cut: SQLite joins the page of the cut with two others, and of the last row only
    /// the beginning may lie in its page.
    private static let marginPages = 6
    /// What a row takes in its page at least where it has pages of its own besides (page size 4,096).
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

    /// From the oldest body to the newest of now.
    func begin() throws -> Walk {
        Walk(end: try Prepared(db, "SELECT ifnull(max(number), 0) FROM bodies").first { $0.integer(0) } ?? 0)
    }

    /// Moves what is needed of the next rows, some `limit` bytes, and cuts off what lies before.
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

/// Which entry a body belongs to: only a store that has to make room asks, and only it pays for the index.
enum BodyIndex {
    static func make(_ db: Database) throws {
        try Prepared(db, "CREATE INDEX IF NOT EXISTS entries_by_body ON entries (body) WHERE body IS NOT NULL").run()
    }

    static func remove(_ db: Database) throws {
        try Prepared(db, "DROP INDEX IF EXISTS entries_by_body").run()
    }
}
