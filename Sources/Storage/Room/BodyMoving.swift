/// Frees the pages of a stretch of the table `bodies`, wherever it lies.
///
/// Bodies are stored in order of arrival and never moved by SQLite, or a page could keep text that is erased later
/// (`Tables.signed`). So bodies still needed are copied to the end and their old rows overwritten with zeros; then the
/// stretch is deleted: only zeroed rows that have zeroed rows on both sides, so that the pages that SQLite merges with
/// those of deleted rows hold no text. At the table's end zeroed rows stay too: the last number is never given twice.
struct BodyMoving {
    /// A row of zeros, with the least that it takes in its leaf page.
    struct Zeros: Hashable {
        let number: Int64
        let bytes: Int
    }

    /// What became of a stretch.
    struct Cleared {
        /// Bytes of the bodies that were copied to the end.
        var movedBytes = 0
        /// Rows that were deleted, some of them beside the stretch.
        var deleted: ArraySlice<Zeros> = []
        /// What the zeroed rows take that are left in the stretch.
        var leftBytes = 0
    }

    private let rows: BodyRows

    /// Pages of zeros kept on each side of deleted rows: SQLite merges a page with two others.
    private static let marginPages = 6
    /// What stays of a stretch, at most: both margins, a row on each side that is in them in part, and pages that are
    /// filled in part.
    static func keptBytes(_ layout: BodyLayout) -> Int { (2 * marginPages + 4) * layout.pageBytes }

    init(_ rows: BodyRows) {
        self.rows = rows
    }

    /// Moves the first `count` bodies with these numbers that are needed.
    ///
    /// - Returns: the rows as they were.
    func move(_ count: Int, of numbers: ClosedRange<Int64>) throws -> [BodyRow] {
        let moved = try rows.all(in: numbers).filter { !$0.isDead }.prefix(count)
        for row in moved {
            try rows.move(row)
            try rows.cut(row)
        }
        return Array(moved)
    }

    /// Moves the bodies with these numbers that are needed, and deletes what is dead among them and next to them,
    /// except the margins.
    func clear(_ numbers: ClosedRange<Int64>) throws -> Cleared {
        var cleared = Cleared()
        let inside = try rows.all(in: numbers)
        for row in inside where !row.isDead {
            try rows.move(row)
            cleared.movedBytes += row.bytes
        }
        for row in inside { try rows.cut(row) }
        let before = try zeros { try rows.before(numbers.lowerBound, read: $0) }
        let after = try zeros { try rows.after(numbers.upperBound, read: $0) }
        let stretch = inside.map { Zeros(number: $0.number, bytes: rows.layout.deadBytes(of: $0)) }
        let run: [Zeros] = before.zeros.reversed() + stretch + after.zeros
        let first = before.isAll ? run.startIndex : withoutMargin(run).startIndex
        let end = run.count - withoutMargin(run.reversed()).startIndex
        if first < end, let lowest = run[first..<end].first, let highest = run[first..<end].last {
            try rows.delete(lowest.number...highest.number)
            cleared.deleted = run[first..<end]
        }
        cleared.leftBytes =
            stretch.reduce(0) { $0 + $1.bytes }
            - cleared.deleted.reduce(0) { numbers.contains($1.number) ? $0 + $1.bytes : $0 }
        return cleared
    }

    /// The zeroed rows next to a stretch, the nearest first, a few margins of them at most; `isAll`: the table has no
    /// others on this side.
    private func zeros(
        _ read: ((BodyRow) throws -> Prepared.Appetite) throws -> Void
    ) throws -> (zeros: [Zeros], isAll: Bool) {
        var (zeros, bytes, isAll) = ([Zeros](), 0, true)
        try read { row in
            guard row.isDead, bytes < 4 * marginBytes else {
                isAll = false
                return .enough
            }
            zeros.append(Zeros(number: row.number, bytes: rows.layout.deadBytes(of: row)))
            bytes += rows.layout.deadBytes(of: row)
            return .more
        }
        return (zeros, isAll)
    }

    private var marginBytes: Int { Self.marginPages * rows.layout.pageBytes }

    /// The rows after the first that make a margin.
    private func withoutMargin(_ run: [Zeros]) -> ArraySlice<Zeros> {
        var margin = marginBytes
        return run.drop { zeros in
            defer { margin -= zeros.bytes }
            return margin > 0
        }
    }
}
