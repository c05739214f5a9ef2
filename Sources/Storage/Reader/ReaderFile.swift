#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
package import Entries
internal import GRDB

/// The command line's own file `reader.sqlite`, apart from the store so that reading never waits for a writer.
///
/// Each change is one transaction, so that concurrent commands lose none of each other's changes. Sync needs nothing
/// of it, and a lost or damaged file costs marks and joined channels only. One that a later version of the program made
/// is neither read nor written: `newerVersion`.
package struct ReaderFile: Hashable, Sendable {
    package let path: String

    /// The file's form that this program knows (`PRAGMA user_version`).
    static let knownVersion = 2

    package init(path: String) {
        self.path = path
    }

    /// The stored state; empty if there is no file.
    package func state() throws(StorageError) -> ReaderState {
        guard FileManager.default.fileExists(atPath: path) else { return ReaderState() }
        return try perform(.never) { database in
            var state = ReaderState()
            guard try Self.version(database) > 0 else { return state }
            let channel = try Prepared(database, "SELECT value FROM settings WHERE name = 'channel'")
            state.channelInUse = try channel.first { Channel($0.string(0)) } ?? nil
            state.joined = try Prepared(database, "SELECT name FROM joined ORDER BY place")
                .all { Channel($0.string(0)) }.compactMap(\.self)
            let marks = try Prepared(database, "SELECT view, arrival, before FROM marks").all {
                ($0.string(0), ReadMark(arrival: $0.bits(1), before: $0.bits(2)))
            }
            for (view, mark) in marks { state.marks[view] = mark }
            guard try Self.version(database) > 1 else {
                state.shown = try Self.shown(database)
                return state
            }
            for (view, pages) in try Self.pages(database) {
                state.marks[view, default: ReadMark(arrival: 0, before: 0)].pages.append(pages)
            }
            state.shown = try Self.shown(database)
            return state
        }
    }

    private static func shown(_ database: Database) throws -> [EntryID] {
        try Prepared(database, "SELECT id FROM shown ORDER BY place").all { try $0.id(0) }
    }

    private static func pages(_ database: Database) throws -> [(view: String, pages: ReadPages)] {
        try Prepared(database, "SELECT view, arrival, time, tie FROM pages ORDER BY view, arrival").all {
            ($0.string(0), ReadPages(arrival: $0.bits(1), last: ReadPlace(time: $0.bits(2), tie: $0.integer(3))))
        }
    }

    /// Sets the channel that is read and posted in; nil: all.
    package func use(_ channel: Channel?) throws(StorageError) {
        try perform(.ifAbsent) { database in
            try Prepared(database, "DELETE FROM settings WHERE name = 'channel'").run()
            guard let channel else { return }
            let sql = "INSERT INTO settings (name, value) VALUES ('channel', ?)"
            try Prepared(database, sql).run(channel.description)
        }
    }

    package func join(_ channel: Channel) throws(StorageError) {
        try perform(.ifAbsent) { database in
            try Prepared(database, "INSERT OR IGNORE INTO joined (name) VALUES (?)").run(channel.description)
        }
    }

    package func leave(_ channel: Channel) throws(StorageError) {
        try perform(.ifAbsent) { database in
            try Prepared(database, "DELETE FROM joined WHERE name = ?").run(channel.description)
        }
    }

    /// How much of a view a page showed.
    package enum Reach: Hashable, Sendable {
        /// All unread posts: the view is read up to the arrival.
        case all
        /// All unread posts, though not all were shown: the reader asked to skip the rest.
        case skipped
        /// Posts shown live as they came; later pages are unaffected.
        case live
        /// The newest posts, down to this one; unread ones follow.
        case newest(through: ReadPlace)
        /// A later page, of posts after `after`.
        case older(after: ReadPlace, through: ReadPlace)
        /// A later page, and the last of the unread posts.
        case oldest(after: ReadPlace)
    }

    /// Records the posts shown and how far `view` was read; nil: no view.
    package func saw(
        _ posts: [EntryID],
        view: String?,
        upTo arrival: UInt64,
        reaching reach: Reach = .all
    ) throws(StorageError) {
        try perform(.ifAbsent) { database in
            let insert = try Prepared(database, "INSERT OR REPLACE INTO shown (id) VALUES (?)")
            for post in posts { try insert.run(post.bytes) }
            let sql = "DELETE FROM shown WHERE place <= (SELECT max(place) FROM shown) - ?"
            try Prepared(database, sql).run(StorageLimits.shownPosts)
            guard let view else { return }
            try Self.mark(database, view, upTo: arrival, reach)
        }
    }

    private static func mark(_ database: Database, _ view: String, upTo arrival: UInt64, _ reach: Reach) throws {
        let pages = try pages(database).filter { $0.view == view }.map(\.pages)
        switch reach {
        case .all: try read(database, view, upTo: arrival, before: arrival)
        case .skipped: try read(database, view, upTo: arrival, before: nil)
        case .live: try read(database, view, upTo: arrival, before: 0)
        case .newest(let last): try write(database, view, pages + [ReadPages(arrival: arrival, last: last)])
        case .older(let start, let last):
            // A page extends only the runs that reach down to its start.
            let longer = pages.map { $0.last <= start ? ReadPages(arrival: $0.arrival, last: min($0.last, last)) : $0 }
            try write(database, view, longer)
        case .oldest(let start):
            guard let read = pages.filter({ $0.last <= start }).map(\.arrival).max() else { return }
            try self.read(database, view, upTo: read, before: read)
        }
    }

    /// Marks posts up to an arrival as read; on later pages up to `before`, nil: up to the arrival marked earlier.
    private static func read(
        _ database: Database,
        _ view: String,
        upTo arrival: UInt64,
        before: UInt64?
    ) throws {
        // A view that is read for the first time was unread from the beginning.
        let upsert = """
            INSERT INTO marks (view, arrival, before) VALUES (?1, ?2, ifnull(?3, 0))
            ON CONFLICT (view) DO UPDATE SET before = max(marks.before, ifnull(?3, marks.arrival)), \
            arrival = max(marks.arrival, ?2)
            """
        let bits = Int64(bitPattern: arrival)
        try Prepared(database, upsert).run(view, bits, before.map { Int64(bitPattern: $0) })
        try Prepared(database, "DELETE FROM pages WHERE view = ? AND arrival <= ?").run(view, bits)
    }

    /// Stores runs of pages, leaving out those that another run holds.
    private static func write(_ database: Database, _ view: String, _ pages: [ReadPages]) throws {
        var kept: [ReadPages] = []
        for pages in pages.sorted(by: { ($1.arrival, $0.last) < ($0.arrival, $1.last) })
        where !kept.contains(where: { $0.holds(pages) }) {
            kept.append(pages)
        }
        try Prepared(database, "DELETE FROM pages WHERE view = ?").run(view)
        let insert = try Prepared(database, "INSERT INTO pages (view, arrival, time, tie) VALUES (?, ?, ?, ?)")
        for pages in kept.prefix(StorageLimits.pageRunsPerView) {
            let arrival = Int64(bitPattern: pages.arrival)
            try insert.run(view, arrival, Int64(clamping: pages.last.time), pages.last.tie)
        }
    }

    /// The cached names; nil if there are none, or they are of another version of the store.
    package func names(version: String) throws(StorageError) -> [KnownName]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try perform(.never) { database in
            guard try Self.version(database) > 0 else { return nil }
            let kept = try Prepared(database, "SELECT value FROM settings WHERE name = 'names'").first { $0.string(0) }
            guard kept == version else { return nil }
            return try Prepared(database, "SELECT identity, name, folded FROM names").all { columns in
                KnownName(
                    identity: try columns.id(0),
                    name: columns.isNull(1) ? nil : columns.string(1),
                    folded: columns.string(2)
                )
            }
        }
    }

    /// Caches everybody's name, as of a version of the store.
    package func keep(_ names: [KnownName], version: String) throws(StorageError) {
        try perform(.ifAbsent) { database in
            try Prepared(database, "DELETE FROM names").run()
            let insert = try Prepared(database, "INSERT INTO names (identity, name, folded) VALUES (?, ?, ?)")
            for name in names { try insert.run(name.identity.bytes, name.name, name.folded) }
            try Prepared(database, "INSERT OR REPLACE INTO settings (name, value) VALUES ('names', ?)").run(version)
        }
    }

    private enum Creation { case ifAbsent, never }

    private func perform<Value>(
        _ creation: Creation,
        _ body: (Database) throws -> Value
    ) throws(StorageError) -> Value {
        var configuration = Configuration()
        configuration.readonly = creation == .never
        configuration.busyMode = .timeout(Double(StorageLimits.busyTimeoutMilliseconds) / 1_000)
        if creation == .ifAbsent {
            configuration.prepareDatabase { database in
                // Not worth an fsync: a crash of the machine may lose marks, so that posts show as unread once more,
                // or the file.
                try database.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
        return try storing {
            if creation == .never { return try Self.reading(path, configuration) { try $0.read(body) } }
            try DatabaseFiles.check(path)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.write { database in
                try Self.prepare(database)
                return try body(database)
            }
        }
    }

    /// Opens the file for reading. A transaction that a killed process left half done is rolled back first: a
    /// read-only connection may not do that, and would be refused until somebody writes.
    static func reading<Value>(
        _ path: String,
        _ configuration: Configuration,
        _ body: (DatabaseQueue) throws -> Value
    ) throws -> Value {
        try DatabaseFiles.check(path)
        func read() throws -> Value {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try body(queue)
        }
        do {
            return try read()
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            var writing = configuration
            writing.readonly = false
            let queue = try DatabaseQueue(path: path, configuration: writing)
            _ = try queue.read(version)
            try queue.close()
            return try read()
        }
    }

    /// The schema version; 0 for an empty file.
    ///
    /// - Throws: `newerVersion`.
    private static func version(_ database: Database) throws -> Int {
        let found = try Prepared(database, "PRAGMA user_version").first { $0.count(0) } ?? 0
        guard found <= knownVersion else { throw StorageError.newerVersion(found: found, known: knownVersion) }
        return found
    }

    private static func prepare(_ database: Database) throws {
        let version = try version(database)
        if version == 0 { try createFirst(database) }
        guard version < knownVersion else { return }
        try database.execute(
            sql: """
                CREATE TABLE pages (
                    view TEXT, arrival INTEGER, time INTEGER NOT NULL, tie INTEGER NOT NULL, PRIMARY KEY (view, arrival)
                ) STRICT, WITHOUT ROWID;
                DELETE FROM settings WHERE name LIKE 'reading %';
                PRAGMA user_version = 2;
                """
        )
    }

    private static func createFirst(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
                CREATE TABLE joined (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                CREATE TABLE marks (view TEXT PRIMARY KEY, arrival INTEGER NOT NULL, before INTEGER NOT NULL) STRICT;
                CREATE TABLE shown (place INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE CHECK (length(id) = 32)) STRICT;
                CREATE TABLE names (
                    identity BLOB PRIMARY KEY CHECK (length(identity) = 32), name TEXT, folded TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                """
        )
    }
}
