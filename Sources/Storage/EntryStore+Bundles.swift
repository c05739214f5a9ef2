package import Entries
internal import GRDB
internal import Synchronization

/// What a file of entries needs of the writer.
extension EntryStore {
    /// Notes, durably, that all of the own log leaves this home now: what comes after may be copied to anywhere.
    ///
    /// A home that signs nothing more notes nothing. Gives how the log stands then; nil for a hub.
    package func releaseOwnLog() throws(StorageError) -> OwnRelease? {
        let release: OwnRelease? = try storing {
            try transaction(.durable) { db in
                var home = try HomeRow.read(db)
                guard let own = try StateReading.ownLog(home, db) else { return nil }
                if home.signing == .allowed, home.published < own.size {
                    home.published = own.size
                    try home.write(db)
                }
                return OwnRelease(log: own.log, size: own.size, published: max(own.published, home.published))
            }
        }
        released.withLock { $0 = release }
        return release
    }

    /// How the own log stands; nil for a hub.
    package func ownRelease() throws(StorageError) -> OwnRelease? {
        try reader.ownRelease()
    }

    /// Places of a log within `range` whose body is wanted, ascending.
    package func wantedBodies(of log: LogID, in range: Range<UInt64>) throws(StorageError) -> [UInt64] {
        try storing {
            try writer.read { db in
                guard let log = try LogTable(db).log(log) else { return [] }
                let sql = "SELECT entry FROM body_wants WHERE entry >= ? AND entry < ? ORDER BY entry"
                return try Prepared(db, sql).all(log.key(range.lowerBound), log.key(range.upperBound)) {
                    EntryKey($0.integer(0)).sequence
                }
            }
        }
    }
}
