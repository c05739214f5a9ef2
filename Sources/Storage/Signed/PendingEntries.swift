internal import Entries
internal import GRDB
internal import Sodium

/// Entries beyond the head in force: proven under a greater head whose rest has not come (`protocol/sync.md` §5).
struct PendingEntries {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    /// Takes them out of the file; the log ends at its head again, and another head may be fetched.
    ///
    /// They were never folded and nobody was told of them, so nothing else changes.
    func drop(of log: inout LogState) throws {
        guard log.storedEnd > log.size else { return }
        let nodes = try TreeNodes(db).covering(0..<log.size, of: log)
        guard let tip = LogRange(bounds: 0..<log.size, nodes: nodes) else {
            throw StorageError.damaged("a log's tree does not fit its size")
        }
        let (first, end) = (log.key(log.size), log.key(log.storedEnd))
        let entries = try Prepared(db, StoredEntry.span).all(first, end) { try StoredEntry($0) }
        let dropID = try Prepared(db, "DELETE FROM ids WHERE prefix = ? AND entry = ?")
        for entry in entries where entry.isErasable {
            try dropID.run(entry.header(in: log.log).id.sortablePrefix, entry.key)
        }
        let bodies = try Prepared(db, "SELECT body FROM entries WHERE key >= ? AND key < ? AND body IS NOT NULL")
            .all(first, end) { $0.integer(0) }
        try Prepared(db, "DELETE FROM body_wants WHERE entry >= ? AND entry < ?").run(first, end)
        try Prepared(db, "DELETE FROM entries WHERE key >= ? AND key < ?").run(first, end)
        let dropBody = try Prepared(db, "DELETE FROM bodies WHERE number = ?")
        for body in bodies { try dropBody.run(body) }
        try Prepared(db, "DELETE FROM nodes WHERE log = ? AND ((place + 1) << level) > ?")
            .run(log.number, Int64(bitPattern: log.size))
        log.tip = tip
        log.pending = nil
    }
}
