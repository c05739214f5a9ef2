import Foundation
import Transport

/// Inserts of posts into a store's own tables through SQLite's C functions, without the store's code.
///
/// The tables, indices and settings are the node's, and so is the order of the rows: one transaction for ten thousand
/// posts, each table and index in its own order. One row a statement, every value bound.
final class RawInserts {
    private let home: TemporaryHome
    private let database: SQLiteFile
    private let inserts: Inserts
    private let writers: Int
    private var generator = Generator(seed: 1)
    private var inserted = 0

    private static let rowsPerTransaction = 10_000

    private struct Inserts {
        let body: SQLiteFile.Statement
        let entry: SQLiteFile.Statement
        let post: SQLiteFile.Statement
        let channel: SQLiteFile.Statement
        let id: SQLiteFile.Statement

        init(_ database: SQLiteFile) throws {
            body = try database.prepare("INSERT INTO bodies (number, payload) VALUES (?, ?)")
            entry = try database.prepare(
                """
                INSERT INTO entries (key, kind, version, flags, time, clock_ahead, length, hash, body)
                VALUES (?, 1, 1, 1, ?, 0, NULL, NULL, ?)
                """
            )
            post = try database.prepare(
                "INSERT INTO posts (arrival, entry, time, tie, identity, parent, root) VALUES (?, ?, ?, ?, ?, NULL, NULL)"
            )
            channel = try database.prepare(
                "INSERT INTO post_channels (channel, time, tie, post) VALUES (1, ?, ?, ?)"
            )
            id = try database.prepare("INSERT INTO ids (prefix, entry) VALUES (?, ?)")
        }
    }

    private struct Row {
        let log: Int64
        let sequence: Int64
        let time: Int64
        let tie: Int64
        let prefix: Int64
        var key: Int64 { log << 32 | sequence }
    }

    /// Opens the store of an empty home.
    init(_ home: TemporaryHome, writers: Int) throws {
        self.home = home
        self.writers = max(1, writers)
        try home.fill { _ in }
        database = try home.database(.writable)
        try database.run("PRAGMA synchronous = NORMAL")
        try database.run("PRAGMA secure_delete = ON")
        try database.run("PRAGMA cache_size = -32768")
        inserts = try Inserts(database)
    }

    /// Inserts so many posts of so many bytes; returns wall and processor seconds.
    func insert(posts: Int, bytes: Int) throws -> (wall: Double, cpu: Double) {
        let rows = rows(posts)
        // A payload's fields and salt take some thirty bytes more than the text.
        let payload = generator.bytes(bytes + 30)
        let (wall, cpu) = (Stopwatch.now(), Stopwatch.cpu())
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerTransaction) {
            try database.run("BEGIN IMMEDIATE")
            try insert(rows[start..<min(rows.count, start + Self.rowsPerTransaction)], payload, from: start)
            try database.run("COMMIT")
        }
        inserted += rows.count
        return (Stopwatch.now() - wall, Stopwatch.cpu() - cpu)
    }

    /// Commits one post after another; returns the median in microseconds by the wall clock.
    func commitMicroseconds(posts: Int, bytes: Int, _ durability: Durability) throws -> Double {
        try keep(durability)
        let payload = generator.bytes(bytes + 30)
        let times = try (0..<posts).map { _ in
            let begun = Stopwatch.now()
            try commit(payload: payload)
            return (Stopwatch.now() - begun) * 1e6
        }
        return Quantile.of(times, 0.5)
    }

    /// Sets the durability of the following commits.
    func keep(_ durability: Durability) throws {
        try database.run("PRAGMA synchronous = \(durability.rawValue)")
    }

    /// Inserts one post in a transaction of its own, in a log behind all others.
    func commit(payload: [UInt8]) throws {
        let row = Row(
            log: (1 << 24) + Int64(inserted),
            sequence: 0,
            time: 1_700_000_000_000 + Int64(inserted) * 25_000,
            tie: Int64(Int32(truncatingIfNeeded: generator.next())),
            prefix: Int64(bitPattern: generator.next())
        )
        try database.run("BEGIN IMMEDIATE")
        try insert([row], payload, from: inserted)
        try database.run("COMMIT")
        inserted += 1
    }

    enum Durability: String {
        /// Synced to disk, as an own post is.
        case disk = "FULL"
        /// Kept if the process ends, as replicated posts are.
        case process = "NORMAL"
    }

    /// Reads the newest twenty posts with their payloads; returns the median in microseconds of many times.
    func pageMicroseconds() throws -> Double {
        let page = try database.prepare(
            """
            SELECT posts.time, posts.tie, entries.key, entries.time, bodies.payload, logs.log
            FROM (SELECT * FROM posts ORDER BY time DESC, tie DESC LIMIT 20) AS posts
            JOIN entries ON entries.key = posts.entry JOIN bodies ON bodies.number = entries.body
            LEFT JOIN logs ON logs.number = entries.key >> 32
            """
        )
        let times = try (0..<500).map { _ in
            let begun = Stopwatch.now()
            guard try page.rows() == 20 else { throw BenchError("a page has twenty posts") }
            return (Stopwatch.now() - begun) * 1e6
        }
        return Quantile.of(times, 0.5)
    }

    /// The rows of so many posts, one log after another; posts of all logs take turns in time.
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
        for (offset, row) in rows.enumerated() {
            let number = Int64(start + offset + 1)
            try inserts.body.run(number, payload: payload)
            try inserts.entry.run(row.key, row.time, number)
        }
        let inTime = rows.sorted { $0.time < $1.time }
        for (offset, row) in inTime.enumerated() {
            try inserts.post.run(Int64(start + offset + 1), row.key, row.time, row.tie, row.log)
        }
        for (offset, row) in inTime.enumerated() {
            try inserts.channel.run(row.time, row.tie, Int64(start + offset + 1))
        }
        for row in rows.sorted(by: { $0.prefix < $1.prefix }) { try inserts.id.run(row.prefix, row.key) }
    }
}
