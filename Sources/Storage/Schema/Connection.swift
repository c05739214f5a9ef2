#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import Entries
internal import GRDB

/// Opens the database.
enum Connection {
    /// The writing connection, with the reading ones of the same process.
    ///
    /// - Throws: errors of SQLite, of `DatabaseFiles.check` and of `Schema.check`.
    static func writer(
        at place: EntryStore.Place,
        network: NetworkID,
        creation: EntryStore.Creation,
        schema: Schema
    ) throws -> any DatabaseWriter {
        let writer: any DatabaseWriter
        var found = 0
        switch place {
        case .memory:
            writer = try DatabaseQueue(configuration: configuration())
        case .file(let path):
            try DatabaseFiles.check(path)
            if FileManager.default.fileExists(atPath: path) {
                // Checked before anything is written: a newer or foreign file stays as it is.
                found = try reader(at: path).queue.read { try schema.check($0, network: network) }
                // An existing empty file has lost everything: taken for a new one, it would make the home a hub.
                guard found > 0 || creation == .ifAbsent else { throw StorageError.damaged("the file is empty") }
            } else if creation == .never {
                throw StorageError.absent
            }
            writer = try DatabasePool(path: path, configuration: configuration())
            if found > 0, found < schema.version {
                try copy(writer, to: MigrationCopies.path(of: path, before: schema.version))
            }
        }
        try writer.writeWithoutTransaction { db in
            try schema.migrate(db, from: found, network: network)
            try db.execute(sql: "PRAGMA journal_size_limit = \(StorageLimits.logBytes)")
        }
        return writer
    }

    /// One connection that cannot write, and whether it would not notice if others did.
    static func reader(at path: String) throws -> (queue: DatabaseQueue, isFrozen: Bool) {
        guard FileManager.default.fileExists(atPath: path) else { throw StorageError.absent }
        try DatabaseFiles.check(path)
        var configuration = configuration()
        configuration.readonly = true
        do {
            return (try DatabaseQueue(path: path, configuration: configuration), false)
        } catch let error as DatabaseError where ReadOnlyDisk.isReason(for: error, at: path) {
            let queue = try DatabaseQueue(path: ReadOnlyDisk.name(of: path), configuration: configuration)
            return (queue, !ReadOnlyDisk.holds(path))
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(StorageLimits.busyTimeoutMilliseconds) / 1_000)
        configuration.maximumReaderCount = StorageLimits.readers
        // The few references among tables hold by construction; checking them costs a look-up a row.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // A file's schema must not call unsafe functions: it may be a copy that somebody else made.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            // Intermediate results stay out of temporary files, which nobody wipes.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            // A pool's own readers are read-only as well.
            let cache =
                db.configuration.readonly ? StorageLimits.readerCacheKibibytes : StorageLimits.writerCacheKibibytes
            try db.execute(sql: "PRAGMA cache_size = -\(cache)")
        }
        return configuration
    }

    /// Copies the database before a migration; an older copy of the same name is replaced.
    private static func copy(_ writer: any DatabaseWriter, to path: String) throws {
        let partial = path + ".partial"
        for old in [partial, path] where FileManager.default.fileExists(atPath: old) {
            try FileManager.default.removeItem(atPath: old)
        }
        let size = try writer.writeWithoutTransaction { db in
            UInt64(clamping: try Schema.pragma(db, "page_count") * Schema.pragma(db, "page_size"))
        }
        if let free = ReadOnlyDisk.freeBytes(beside: path), free < size {
            throw StorageError.noRoomToCopy(bytes: size, free: free)
        }
        do {
            try writer.writeWithoutTransaction { try Prepared($0, "VACUUM INTO ?").run(partial) }
            try FileManager.default.moveItem(atPath: partial, toPath: path)
        } catch {
            // A partial copy would fill the disk until somebody looks.
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }
}
