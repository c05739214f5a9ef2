internal import Entries
internal import GRDB

/// Evicts bodies to keep within the disk budget, those missed least first (`protocol/node.md` §7, Budgets).
///
/// Only erasable bodies: the entry stays, and is proven, counted and passed on as before. Never own ones, and never
/// profiles, which say who somebody is.
struct BodyEviction {
    private let db: Database
    private let home: HomeRow
    private let folding: Folding
    private let note: Prepared
    private let find: Prepared
    private let ranking: EvictionRanking

    /// For one transaction.
    init(_ db: Database) throws {
        self.db = db
        home = try HomeRow.read(db)
        folding = try Folding(db, logs: LogTable(db), arrival: home.arrival)
        note = try Prepared(db, "INSERT OR IGNORE INTO dropped_bodies (entry) VALUES (?)")
        find = try Prepared(db, "SELECT body FROM entries WHERE key = ? AND body IS NOT NULL")
        ranking = try EvictionRanking.read(db)
    }

    /// What was evicted.
    struct Evicted {
        /// The numbers of the bodies, whose rows are zeros now.
        var bodies: [Int64] = []
        /// Bytes of all of them (`DiskBudget.countedBytes`).
        var bytes = 0
        /// Bytes of those of identities followed.
        var followedBytes = 0
    }

    /// Evicts candidates until `wanted` bytes of payload are gone or none is left, or until `surplus` bytes of those
    /// followed are gone and one of these is next; those examined are removed from `candidates`.
    ///
    /// The list may be outdated: a key may hold another entry by now, its log having the number of a forgotten one, or
    /// its writer may be followed since. Such a candidate is skipped; the next list has it where it belongs.
    func evict(
        _ candidates: inout ArraySlice<EvictionCandidate>,
        bytes wanted: Int,
        ofFollowed surplus: Int = .max
    ) throws -> Evicted {
        var evicted = Evicted()
        while evicted.bytes < wanted, let candidate = candidates.first {
            guard candidate.rank < .followed || evicted.followedBytes < surplus else { break }
            candidates.removeFirst()
            let key = candidate.key
            guard let entry = try entry(at: key), let payload = entry.payload,
                let log = try folding.entries.log(of: key), entry.time == candidate.time,
                ranking.rank(of: entry, by: log.identity) == candidate.rank
            else { continue }
            if let number = try find.first(key, read: { $0.integer(0) }) { evicted.bodies.append(number) }
            let author = Folding.Author(log: log.id, identity: log.identity)
            if key.sequence < log.size {
                try folding.withhold(entry, by: author)
            } else {
                try folding.entries.eraseBody(at: key, entry.header(in: log.id))
            }
            try note.run(key)
            let bytes = DiskBudget.countedBytes(of: payload.count)
            evicted.bytes += bytes
            if candidate.rank == .followed { evicted.followedBytes += bytes }
        }
        try folding.finish()
        // A post whose payload broke a rule was not listed; without the payload it is.
        var home = home
        home.arrival = folding.arrival
        try home.write(db)
        return evicted
    }

    /// An entry; nil if it is not here, or not what the store wrote: one such row does not keep others from giving way.
    private func entry(at key: EntryKey) throws -> StoredEntry? {
        do { return try folding.entries.entry(at: key) } catch StorageError.damaged { return nil }
    }
}
