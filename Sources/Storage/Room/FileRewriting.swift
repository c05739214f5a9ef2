internal import GRDB
internal import Synchronization

/// Writes the whole file anew, once: from then on free pages at its end can be cut off.
///
/// SQLite copies what is in use into a temporary database, and that back through the write-ahead log: a small copy is held
/// in memory, a large one in a file that has no name from the moment it is made, in the directory of the database.
enum FileRewriting {
    /// Where temporary files lie is one variable for the whole process.
    private static let directory = Mutex(())

    /// What the disk has to have free for it, for so many bytes in use.
    static func neededBytes(used: Int) -> UInt64 {
        // The log has 24 bytes more for each page.
        let log = UInt64(used) + UInt64(used) / 128 + UInt64(StorageLimits.budgetLotBytes)
        return isInMemory(used: used) ? log : log + UInt64(used)
    }

    /// - Throws: as SQLite does: the file is as it was then.
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

/// What came of a budget when it was set.
package enum BudgetOutcome: Hashable, Sendable {
    case kept
    /// The file is not made smaller: what is free in it is used again, and not given back to the disk.
    case fileStays(bytes: Int, Obstacle)

    package enum Obstacle: Hashable, Sendable {
        /// To write it anew takes so many bytes more than are free.
        case noRoom(bytes: UInt64, free: UInt64)
        case failed(StorageError)
    }
}

extension BudgetOutcome.Obstacle: CustomStringConvertible {
    /// One line for a person, without a full stop.
    package var description: String {
        switch self {
        case .noRoom(let bytes, let free):
            "to make it smaller takes \((bytes >> 20) + 1) MiB once, and \(free >> 20) MiB are free"
        case .failed(let error): "\(error)"
        }
    }
}
