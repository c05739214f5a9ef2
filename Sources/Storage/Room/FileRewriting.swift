internal import GRDB
internal import Synchronization

/// Rewrites the whole file once: from then on free pages at its end can be cut off.
///
/// SQLite copies the pages in use into a temporary database, and that back through the WAL: a small copy is held in
/// memory, a large one in a file in the database's directory, unlinked as soon as it is made.
enum FileRewriting {
    /// Guards the directory of temporary files, one variable for the whole process.
    private static let directory = Mutex(())

    /// Free disk space in bytes that a rewrite needs, with `used` bytes in use.
    static func neededBytes(used: Int) -> UInt64 {
        // The WAL has 24 bytes more for each page.
        let log = UInt64(used) + UInt64(used) / 128 + UInt64(StorageLimits.budgetLotBytes)
        return isInMemory(used: used) ? log : log + UInt64(used)
    }

    /// - Throws: as SQLite does: the file is then as it was.
    static func perform(_ db: Database, at place: EntryStore.Place) throws {
        try Prepared(db, "PRAGMA auto_vacuum = INCREMENTAL").run()
        let used = try FileRoom(db).usedBytes
        switch place {
        case .file(let path) where !isInMemory(used: used):
            try directory.withLock { _ in
                let name = ReadOnlyDisk.directory(of: path).replacing("'", with: "''")
                try Prepared(db, "PRAGMA temp_store_directory = '\(name)'").run()
                try Prepared(db, "PRAGMA temp_store = FILE").run()
                defer {
                    _ = try? Prepared(db, "PRAGMA temp_store = MEMORY").run()
                    _ = try? Prepared(db, "PRAGMA temp_store_directory = ''").run()
                }
                try Prepared(db, "VACUUM").run()
            }
        case .file, .memory: try Prepared(db, "VACUUM").run()
        }
    }

    private static func isInMemory(used: Int) -> Bool { used <= StorageLimits.memoryCopyBytes }
}

/// The result of setting a budget.
package enum BudgetOutcome: Hashable, Sendable {
    case kept
    /// The file is not made smaller: its free pages are reused, and not given back to the disk.
    case fileStays(bytes: Int, Obstacle)

    package enum Obstacle: Hashable, Sendable {
        /// A rewrite needs `bytes`, and only `free` are free.
        case noRoom(bytes: UInt64, free: UInt64)
        case failed(StorageError)
    }
}

extension BudgetOutcome.Obstacle: CustomStringConvertible {
    /// One line for a person, without a full stop.
    package var description: String {
        switch self {
        case .noRoom(let bytes, let free):
            "to make it smaller takes \(Megabytes.needed(bytes)) once, and \(Megabytes.free(free)) are free"
        case .failed(let error): "\(error)"
        }
    }
}
