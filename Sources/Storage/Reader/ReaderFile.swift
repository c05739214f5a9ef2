#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
package import Entries
internal import GRDB

/// The file `reader.sqlite`: the command line's own, apart from the store so that reading never waits for a writer.
///
/// Each change is one transaction on what is in the file now: two commands at once lose nothing of each other. Nothing
/// here is needed for sync, and a lost or damaged file costs marks and joined channels only.
package struct ReaderFile: Hashable, Sendable {
    package let path: String

    /// As many ids as a person may have on screens that they can still scroll back to; a guess.
    package static let shownAtMost = 500

    package init(path: String) {
        self.path = path
    }

    /// What the file says; an empty state if there is no file.
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
            state.shown = try Prepared(database, "SELECT id FROM shown ORDER BY place").all { try $0.id(0) }
            return state
        }
    }

    /// Names the channel that is read and posted in; nil: all.
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

    /// How much of what was unread in a view a page brought to its end.
    package enum Reach: Hashable, Sendable {
        /// All of it: the view is read up to the arrival.
        case all
        /// More stands on later pages: the view is as unread as it was, and what it was read up to is noted.
        case part
        /// A later page has shown the last of it: the view is read up to what was noted.
        case rest
    }

    /// Records what was shown and, for a view, how far it was read; nil: for none.
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
            try Prepared(database, sql).run(Self.shownAtMost)
            guard let view else { return }
            try Self.mark(database, view, upTo: Int64(bitPattern: arrival), reach)
        }
    }

    private static func mark(_ database: Database, _ view: String, upTo arrival: Int64, _ reach: Reach) throws {
        let noted = "reading " + view
        var read: Int64 = 0
        switch reach {
        case .part:
            let sql = "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)"
            try Prepared(database, sql).run(noted, String(arrival))
        case .all, .rest:
            read = arrival
            if reach == .rest {
                let find = try Prepared(database, "SELECT value FROM settings WHERE name = ?")
                guard let value = try find.first(noted, read: { Int64($0.string(0)) }) ?? nil else { return }
                read = value
            }
            try Prepared(database, "DELETE FROM settings WHERE name = ?").run(noted)
        }
        // A view that is read for the first time was unread from the beginning.
        let upsert = """
            INSERT INTO marks (view, arrival, before) VALUES (?, ?, 0)
            ON CONFLICT (view) DO UPDATE SET before = marks.arrival, arrival = max(marks.arrival, excluded.arrival)
            """
        try Prepared(database, upsert).run(view, read)
    }

    /// The names that were kept; nil if they are of another version of the store, or there are none.
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

    /// Keeps everybody's name, as of a version of the store.
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
                // What a crash of the machine takes is shown as unread once more, no worse.
                try database.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
        return try storing {
            if creation == .never { return try Self.reading(path, configuration) { try $0.read(body) } }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.write { database in
                try Self.prepare(database)
                return try body(database)
            }
        }
    }

    /// Opens the file to read in it. What a process that was killed had begun to change is taken back first: whoever only reads
    /// may not do that, and would be refused until somebody writes.
    static func reading<Value>(
        _ path: String,
        _ configuration: Configuration,
        _ body: (DatabaseQueue) throws -> Value
    ) throws -> Value {
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

    /// 0 for a file that nothing was written to.
    private static func version(_ database: Database) throws -> Int {
        try Prepared(database, "PRAGMA user_version").first { $0.count(0) } ?? 0
    }

    private static func prepare(_ database: Database) throws {
        guard try version(database) == 0 else { return }
        try database.execute(
            sql: """
                CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
                CREATE TABLE joined (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
                CREATE TABLE marks (view TEXT PRIMARY KEY, arrival INTEGER NOT NULL, before INTEGER NOT NULL) STRICT;
                CREATE TABLE shown (place INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE CHECK (length(id) = 32)) STRICT;
                CREATE TABLE names (
                    identity BLOB PRIMARY KEY CHECK (length(identity) = 32), name TEXT, folded TEXT NOT NULL
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = 1;
                """
        )
    }
}
