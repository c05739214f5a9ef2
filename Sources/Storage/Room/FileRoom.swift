internal import GRDB

/// The pages of the database's file, as SQLite counts them.
struct FileRoom: Hashable {
    let pageBytes: Int
    let pages: Int
    /// Free pages: zeroed, and reused before the file grows.
    let freePages: Int

    init(_ db: Database) throws {
        pageBytes = Int(try Schema.pragma(db, "page_size"))
        pages = Int(try Schema.pragma(db, "page_count"))
        freePages = Int(try Schema.pragma(db, "freelist_count"))
    }

    var fileBytes: Int { pages * pageBytes }
    var usedBytes: Int { (pages - freePages) * pageBytes }
    var freeBytes: Int { freePages * pageBytes }

    /// Whether free pages at the file's end can be cut off.
    static func isShrinkable(_ db: Database) throws -> Bool {
        try Schema.pragma(db, "auto_vacuum") == 2
    }

    /// Gives free pages back to the file system, as many as are above `limit`: whole pages move into free places, so
    /// that none keeps what was in it.
    static func shrink(_ db: Database, toBytes limit: Int) throws {
        let room = try FileRoom(db)
        let surplus = min(room.freePages, (room.fileBytes - limit + room.pageBytes - 1) / room.pageBytes)
        guard surplus > 0, try isShrinkable(db) else { return }
        // The pragma frees one page in each step.
        try Prepared(db, "PRAGMA incremental_vacuum(\(surplus))").rows { _ in .more }
    }
}
