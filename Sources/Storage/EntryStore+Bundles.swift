package import Entries
internal import GRDB
internal import Synchronization

/// Support for exporting and importing files of entries (`protocol/bundle.md`).
extension EntryStore {
    /// Records, durably, that the whole own log counts as published: an export may be copied anywhere.
    ///
    /// A home that has stopped signing records nothing. Returns the size and published size; nil for a hub.
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

    /// Size and published size of the own log; nil for a hub.
    package func ownRelease() throws(StorageError) -> OwnRelease? {
        try reader.ownRelease()
    }

    /// The logs among these that are known here and of which nothing counts, whatever comes: their account ended, or 16
    /// logs of their identity come before them.
    package func uncarried(among logs: [LogID]) throws(StorageError) -> Set<LogID> {
        try storing {
            try writer.read { db in
                let (table, ends) = (LogTable(db), try EndTable(db))
                return try Set(logs).filter { id in
                    guard let log = try table.log(id) else { return false }
                    if log.carriage == .forgotten { return true }
                    return try ends.hasEnded(log.identity)
                }
            }
        }
    }

    /// Whether a settlement or evidence of a log would be in force over what is known of the log here
    /// (`protocol/sync.md` §9).
    package func isNews(
        _ settlement: SignedSettlement?,
        _ evidence: ForkEvidence?,
        of log: LogID
    ) throws(StorageError) -> Bool {
        try storing {
            try writer.read { db in
                guard let known = try LogTable(db).log(log) else { return true }
                let held = try WordTable(db).words(of: known.number).settlement
                let overrules = settlement.map { new in
                    held.map { new.settlement.overrules($0.settlement) } ?? true
                }
                let isLower = evidence.map { new in known.cut.map { new.cut < $0 } ?? true }
                return overrules == true || isLower == true
            }
        }
    }

    /// The first sequence number, from `start` on, at which the stored log, hidden entries included, differs from
    /// `leaves`; nil if they agree as far as both reach, or up to a gap.
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
                    // A gap: the first difference may lie in it.
                    guard entry.key.sequence == place else { return nil }
                    if entry.header(in: log.log).id != leaf { return place }
                }
                return nil
            }
        }
    }

    /// Sequence numbers within `range` of a log whose body is wanted, ascending.
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
