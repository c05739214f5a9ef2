internal import GRDB

extension StoreReader {
    /// The version of the database that this program reads and writes.
    package static var version: Int { Schema.current.version }

    /// What SQLite finds broken in the whole file (`PRAGMA quick_check`), in its words; reads everything once.
    package func faults() throws(StorageError) -> [String] {
        try reading { db in
            let lines = try Prepared(db, "PRAGMA quick_check(\(StorageLimits.toldFaults))").all { $0.string(0) }
            return lines == ["ok"] ? [] : lines
        }
    }
}
