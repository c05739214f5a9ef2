import Foundation
import GRDBSQLite
import Transport

/// Posts put into a store's own tables through SQLite's C functions, with nothing else around them.
///
/// The tables, their indices and the settings are the node's, and so is the order of the rows: one transaction for ten
/// thousand posts, each table and index in its own order. One row a statement, every value bound.
final class RawInserts {
    private let database: OpaquePointer
    private let writers: Int
    private var generator = Generator(seed: 1)

    private static let rowsPerTransaction = 10_000

    private struct Row {
        let log: Int64
        let sequence: Int64
        let time: Int64
        let tie: Int64
        let prefix: Int64
        var key: Int64 { log << 32 | sequence }
    }

    /// Opens the store of a home that holds nothing yet.
    init(_ home: TemporaryHome, writers: Int) throws {
        self.writers = max(1, writers)
        try home.fill { _ in }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(home.layout.store, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw BenchError("the store cannot be opened")
        }
        database = handle
        try run("PRAGMA synchronous = NORMAL")
        try run("PRAGMA secure_delete = ON")
        try run("PRAGMA cache_size = -32768")
    }

    deinit {
        sqlite3_close_v2(database)
    }

    /// Puts so many posts of so many bytes in, and gives wall and processor seconds.
    func insert(posts: Int, bytes: Int) throws -> (wall: Double, cpu: Double) {
        let rows = rows(posts)
        // A payload's fields and salt take some thirty bytes more than the text.
        let payload = generator.bytes(bytes + 30)
        let (wall, cpu) = (Stopwatch.now(), Stopwatch.cpu())
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerTransaction) {
            try run("BEGIN IMMEDIATE")
            try insert(rows[start..<min(rows.count, start + Self.rowsPerTransaction)], payload, from: start)
            try run("COMMIT")
        }
        return (Stopwatch.now() - wall, Stopwatch.cpu() - cpu)
    }

    /// Log by log, each a post at a time in turn with all the others.
    private func rows(_ posts: Int) -> [Row] {
        let each = max(1, posts / writers)
        return (0..<posts).map { post in
            let (log, sequence) = (post / each, post % each)
            return Row(
                log: Int64(log + 1),
                sequence: Int64(sequence),
                time: 1_700_000_000_000 + Int64(sequence * writers + log) * 25_000,
                tie: Int64(Int32(truncatingIfNeeded: generator.next())),
                prefix: Int64(bitPattern: generator.next())
            )
        }
    }

    private func insert(_ rows: ArraySlice<Row>, _ payload: [UInt8], from start: Int) throws {
        let bodies = try Statement(database, "INSERT INTO bodies (number, payload) VALUES (?, ?)")
        let entries = try Statement(
            database,
            """
            INSERT INTO entries (key, kind, version, flags, time, clock_ahead, length, hash, body)
            VALUES (?, 1, 1, 1, ?, 0, NULL, NULL, ?)
            """
        )
        let posts = try Statement(
            database,
            "INSERT INTO posts (arrival, entry, time, tie, identity, parent, root) VALUES (?, ?, ?, ?, ?, NULL, NULL)"
        )
        let channels = try Statement(
            database,
            "INSERT INTO post_channels (channel, time, tie, post) VALUES (1, ?, ?, ?)"
        )
        let ids = try Statement(database, "INSERT INTO ids (prefix, entry) VALUES (?, ?)")
        for (offset, row) in rows.enumerated() {
            let number = Int64(start + offset + 1)
            try bodies.run(number, payload: payload)
            try entries.run(row.key, row.time, number)
        }
        let inTime = rows.sorted { $0.time < $1.time }
        for (offset, row) in inTime.enumerated() {
            try posts.run(Int64(start + offset + 1), row.key, row.time, row.tie, row.log)
        }
        for (offset, row) in inTime.enumerated() { try channels.run(row.time, row.tie, Int64(start + offset + 1)) }
        for row in rows.sorted(by: { $0.prefix < $1.prefix }) { try ids.run(row.prefix, row.key) }
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchError(String(cString: sqlite3_errmsg(database)))
        }
    }
}

/// A prepared insert.
private final class Statement {
    private let handle: OpaquePointer

    init(_ database: OpaquePointer, _ sql: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &handle, nil) == SQLITE_OK, let handle else {
            throw BenchError(String(cString: sqlite3_errmsg(database)))
        }
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func run(_ values: Int64...) throws {
        for (index, value) in values.enumerated() { sqlite3_bind_int64(handle, Int32(index + 1), value) }
        try step()
    }

    func run(_ number: Int64, payload: [UInt8]) throws {
        sqlite3_bind_int64(handle, 1, number)
        try payload.withUnsafeBytes { bytes in
            // A null destructor is SQLITE_STATIC: the bytes stay where they are until the row is in.
            sqlite3_bind_blob64(handle, 2, bytes.baseAddress, UInt64(bytes.count), nil)
            try step()
        }
    }

    private func step() throws {
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_DONE else { throw BenchError("a row was refused") }
    }
}
