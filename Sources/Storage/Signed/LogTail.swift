internal import Entries
internal import GRDB
internal import Sodium

/// Removes the end of a log from the file: entries, their ids and bodies, and the nodes of the tree above them.
struct LogTail {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    enum Outcome {
        case nothingStored
        /// Bodies of so many bytes (`DiskBudget.countedBytes`) were overwritten: the WAL still holds their text.
        case wiped(bytes: Int)
    }

    /// Removes everything from `first` on; the log then ends there.
    ///
    /// None of the entries counts, or they were unfolded before.
    func drop(from first: UInt64, of log: inout LogState) throws -> Outcome {
        guard log.storedEnd > first else { return .nothingStored }
        guard log.knows(first) else { throw StorageError.damaged("a log's gap does not fit its place") }
        let tip = try TreeNodes(db).range(0..<first, of: log)
        let (from, end) = (log.key(first), log.key(log.storedEnd))
        try dropIDs(first, of: log)
        // Overwritten in place, never deleted: a row that moves when a page empties would leave its text behind.
        let dropped = "number IN (SELECT body FROM entries WHERE key >= ? AND key < ? AND body IS NOT NULL)"
        let size = "SELECT \(DiskBudget.countedBytesOfPayloads) FROM bodies WHERE \(dropped)"
        let bytes = try Prepared(db, size).first(from, end) { $0.count(0) } ?? 0
        try Prepared(db, "UPDATE bodies SET payload = zeroblob(length(payload)) WHERE \(dropped)").run(from, end)
        try Prepared(db, "DELETE FROM body_wants WHERE entry >= ? AND entry < ?").run(from, end)
        try Prepared(db, "DELETE FROM dropped_bodies WHERE entry >= ? AND entry < ?").run(from, end)
        try Prepared(db, "DELETE FROM entries WHERE key >= ? AND key < ?").run(from, end)
        try Prepared(db, "DELETE FROM nodes WHERE log = ? AND ((place + 1) << level) > ?")
            .run(log.number, Int64(bitPattern: first))
        log.tip = tip
        log.pending = nil
        if let head = log.head, head.size > first { log.head = nil }
        if let gap = log.gap, gap.missing.end > first {
            if let head = gap.head, head.size <= first { log.head = head }
            log.gap = nil
        }
        // A side continues the entries stored before it, and is removed with them.
        if log.settled != nil { try SideTable(db).remove(of: log.number, after: first) }
        return bytes == 0 ? .nothingStored : .wiped(bytes: bytes)
    }

    /// Erases the erasable bodies of a log, and leaves the entries.
    func wipeBodies(of log: LogState, _ table: EntryTable) throws -> Outcome {
        try table.write()
        let rows = try Prepared(db, StoredEntry.span)
        var bytes = 0
        for part in log.present(of: 0..<log.storedEnd) {
            var next = log.key(part.lowerBound)
            while next < log.key(part.upperBound) {
                let portion = min(log.key(part.upperBound), EntryKey(next.value + Int64(StorageLimits.walkedRows)))
                for entry in try rows.all(next, portion, read: { try StoredEntry($0) })
                where entry.isErasable && entry.payload != nil {
                    let header = entry.header(in: log.log)
                    try table.eraseBody(at: entry.key, header)
                    bytes += DiskBudget.countedBytes(of: Int(header.length))
                }
                next = portion
            }
        }
        return bytes == 0 ? .nothingStored : .wiped(bytes: bytes)
    }

    /// Removes the ids of stored entries, skipping a gap: that costs its writer nothing, and may span four thousand
    /// million entries.
    private func dropIDs(_ first: UInt64, of log: LogState) throws {
        let rows = try Prepared(db, StoredEntry.span)
        let drop = try Prepared(db, "DELETE FROM ids WHERE prefix = ? AND entry = ?")
        for part in log.present(of: first..<log.storedEnd) {
            let end = log.key(part.upperBound)
            var next = log.key(part.lowerBound)
            while next < end {
                let portion = min(end, EntryKey(next.value + Int64(StorageLimits.walkedRows)))
                for entry in try rows.all(next, portion, read: { try StoredEntry($0) }) where entry.isErasable {
                    try drop.run(entry.header(in: log.log).id.sortablePrefix, entry.key)
                }
                next = portion
            }
        }
    }
}
