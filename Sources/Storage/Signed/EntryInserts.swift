internal import Entries
internal import GRDB
internal import Sodium

/// Buffers the new entries of one transaction.
///
/// Entries and bodies are written when there are many, or before anything reads entries, since rows of many short
/// chunks then share a statement (`RowInsert`); ids at the end of the transaction: they fall on random pages of their
/// index, and thousands of them cost half if they come in its order.
final class EntryInserts {
    private let db: Database
    private let intoEntries: RowInsert
    private let intoBodies: RowInsert
    private let intoIDs: RowInsert
    private var rows: [Row] = []
    private var bodies: [Body] = []
    /// The payloads of `bodies`, one after the other.
    private var payloads: [UInt8] = []
    private var ids: [ID] = []
    /// The number of the last body; nil: not read from the file yet.
    private var lastBody: Int64?

    private struct Row {
        let key: EntryKey
        let header: EntryHeader
        let body: Int64?
    }

    private struct Body {
        let number: Int64
        let place: Range<Int>
    }

    private struct ID {
        let prefix: Int64
        let key: EntryKey
    }

    private static let entriesForm = RowInsert.Form(
        "INSERT INTO entries (key, kind, version, flags, time, clock_ahead, length, hash, body)",
        columns: 9
    )
    private static let bodiesForm = RowInsert.Form("INSERT INTO bodies (number, payload)", columns: 2)
    private static let idsForm = RowInsert.Form("INSERT INTO ids (prefix, entry)", columns: 2)

    init(_ db: Database) {
        self.db = db
        intoEntries = RowInsert(db, Self.entriesForm)
        intoBodies = RowInsert(db, Self.bodiesForm)
        intoIDs = RowInsert(db, Self.idsForm)
    }

    /// Number of buffered ids.
    var gathered: Int { ids.count }

    func add(_ header: EntryHeader, at key: EntryKey, body: EntryBody) throws {
        switch body {
        case .present(let payload):
            let start = payloads.count
            payloads.append(contentsOf: payload)
            let number = try nextBody()
            bodies.append(Body(number: number, place: start..<payloads.count))
            rows.append(Row(key: key, header: header, body: number))
        case .withheld:
            rows.append(Row(key: key, header: header, body: nil))
        }
        if rows.count >= StorageLimits.gatheredEntryRows || payloads.count >= StorageLimits.gatheredPayloadBytes {
            try write()
        }
    }

    func add(_ id: EntryID, at key: EntryKey) {
        ids.append(ID(prefix: id.sortablePrefix, key: key))
    }

    /// Assigns the number of the next body: bodies are numbered in the order in which they came.
    func nextBody() throws -> Int64 {
        let last = try lastBody ?? Prepared(db, "SELECT max(number) FROM bodies").first { $0.integer(0) } ?? 0
        guard last < .max else { throw StorageError.damaged("no number is left for a body") }
        lastBody = last + 1
        return last + 1
    }

    /// Writes the buffered entries and bodies: to be called before anything reads them.
    func write() throws {
        guard !rows.isEmpty else { return }
        try payloads.withUnsafeBytes { payloads in
            try intoBodies.run(bodies) { body, values in
                values.add(body.number)
                values.add(unmoved: UnsafeRawBufferPointer(rebasing: payloads[body.place]))
            }
        }
        try intoEntries.run(rows) { row, values in
            let header = row.header
            values.add(row.key.value)
            values.add(Int64(header.kind))
            values.add(Int64(header.version))
            values.add(Int64(header.flags))
            values.add(Int64(bitPattern: header.time))
            values.add(Int64(bitPattern: header.clock &- header.time))
            values.add(row.body == nil ? Int64(header.length) : nil)
            values.add(row.body == nil ? header.payloadHash.raw : nil)
            values.add(row.body)
        }
        rows.removeAll(keepingCapacity: true)
        bodies.removeAll(keepingCapacity: true)
        payloads.removeAll(keepingCapacity: true)
    }

    /// Writes all buffers, ids included.
    func writeAll() throws {
        try write()
        guard !ids.isEmpty else { return }
        ids.sort { ($0.prefix, $0.key) < ($1.prefix, $1.key) }
        try intoIDs.run(ids) { id, values in
            values.add(id.prefix)
            values.add(id.key.value)
        }
        ids.removeAll(keepingCapacity: true)
    }
}
