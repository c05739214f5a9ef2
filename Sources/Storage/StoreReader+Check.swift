internal import GRDB

extension StoreReader {
    /// The version of the database that this program reads and writes.
    package static var version: Int { Schema.current.version }

    /// Decodes the entries with the greatest keys, at most `StorageLimits.examinedEntries`: a database whose structure
    /// is sound may still hold rows that no program wrote.
    ///
    /// - Throws: `damaged`.
    package func examineEntries() throws(StorageError) {
        try reading { db in
            let sql = """
                SELECT \(StoredEntry.columns) FROM \(StoredEntry.tables)
                ORDER BY key DESC LIMIT \(StorageLimits.examinedEntries)
                """
            try Prepared(db, sql).rows { columns in
                _ = try StoredEntry(columns)
                return .more
            }
        }
    }

    /// Faults that SQLite finds in the whole file (`PRAGMA quick_check`), in its words; reads the file once.
    package func faults() throws(StorageError) -> [String] {
        try reading { db in
            let lines = try Prepared(db, "PRAGMA quick_check(\(StorageLimits.toldFaults))").all { $0.string(0) }
            return lines == ["ok"] ? [] : lines
        }
    }
}
