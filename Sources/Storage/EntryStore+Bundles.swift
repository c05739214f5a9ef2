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

    /// The first place, from `start` on, where a log as it is stored has another entry than `leaves`, hidden ones too; nil
    /// if there is none as far as both go, or up to where something is left out of it.
    package func firstDifference(of log: LogID, from start: UInt64, to leaves: [EntryID]) throws(StorageError)
        -> UInt64?
    {
        try storing {
            try writer.read { db in
                guard let log = try LogTable(db).log(log) else { return nil }
                let end = min(start + UInt64(leaves.count), log.storedEnd)
                guard start < end else { return nil }
                let stored = try Prepared(db, StoredEntry.span).all(log.key(start), log.key(end)) {
                    try StoredEntry($0)
                }
                for (entry, (place, leaf)) in zip(stored, zip(start..., leaves)) {
                    // The first difference may be among what is missing.
                    guard entry.key.sequence == place else { return nil }
                    if entry.header(in: log.log).id != leaf { return place }
                }
                return nil
            }
        }
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
