internal import Entries
internal import GRDB
internal import Sodium

/// Sides: the settled histories that are being fetched beside other stored ones (`protocol/log.md` §8).
struct SideTable {
    private let one: Prepared
    private let writeSide: Prepared
    private let writeEntry: Prepared
    private let entries: Prepared
    private let drop: Prepared
    private let dropEntries: Prepared

    struct Side {
        /// The first entry of the side; all before it are those of the stored history.
        let first: UInt64
        /// Compact range of [0, next).
        var tip: LogRange

        var next: UInt64 { tip.bounds.upperBound }
    }

    init(_ db: Database) throws {
        one = try Prepared(db, "SELECT first, next, tip FROM sides WHERE log = ?")
        writeSide = try Prepared(db, "INSERT OR REPLACE INTO sides (log, first, next, tip) VALUES (?, ?, ?, ?)")
        writeEntry = try Prepared(db, "INSERT INTO side_entries (log, seq, entry) VALUES (?, ?, ?)")
        entries = try Prepared(
            db,
            "SELECT seq, entry FROM side_entries WHERE log = ? AND seq >= ? AND seq < ? ORDER BY seq"
        )
        drop = try Prepared(db, "DELETE FROM sides WHERE log = ?")
        dropEntries = try Prepared(db, "DELETE FROM side_entries WHERE log = ?")
    }

    /// - Throws: `StorageError.damaged`.
    func side(of log: Int64) throws -> Side? {
        try one.first(log) { columns in
            guard let tip = LogRange(bounds: 0..<columns.bits(1), nodes: columns.nodes(2)) else {
                throw StorageError.damaged("a log's tree does not fit its size")
            }
            return Side(first: columns.bits(0), tip: tip)
        }
    }

    func write(_ side: Side, of log: Int64) throws {
        try writeSide.run(
            log,
            Int64(bitPattern: side.first),
            Int64(bitPattern: side.next),
            side.tip.nodes.flatMap(\.bytes)
        )
    }

    /// Stores an entry without an erasable body: whether that is wanted is known once the entry counts.
    func add(_ entry: Entry, of log: Int64) throws {
        let kept = entry.header.isErasable ? Entry(withheld: entry.header) : entry
        try writeEntry.run(log, Int64(bitPattern: entry.header.sequence), EntryCoding.encode([kept]))
    }

    func entries(_ range: Range<UInt64>, of log: LogState) throws -> [Entry] {
        try entries.all(log.number, Int64(bitPattern: range.lowerBound), Int64(bitPattern: range.upperBound)) {
            columns in
            let packed = columns.bytes(1)
            guard
                let entry = try? EntryCoding.decode(packed[...], count: 1, log: log.log, start: columns.bits(0)).first
            else { throw StorageError.damaged("an entry cannot be read") }
            return entry
        }
    }

    /// Removes a side that begins beyond `size`.
    func remove(of log: Int64, after size: UInt64) throws {
        if let side = try side(of: log), side.first > size { try remove(of: log) }
    }

    func remove(of log: Int64) throws {
        try drop.run(log)
        try dropEntries.run(log)
    }
}
