internal import Entries
internal import GRDB

/// Takes bodies off the disk to make room, in the order in which they are missed least (`protocol/sync.md` §8, Budgets).
///
/// Only bodies that may be erased: the entry stays, and is proven, counted and passed on as before. Never own ones, and
/// never profiles, which say who somebody is.
struct BodyDropping {
    private let db: Database
    private let home: HomeRow
    private let folding: Folding
    private let note: Prepared
    private let ranking: DropRanking

    /// For one transaction.
    init(_ db: Database) throws {
        self.db = db
        home = try HomeRow.read(db)
        folding = try Folding(db, logs: try LogTable(db), arrival: home.arrival)
        note = try Prepared(db, "INSERT OR IGNORE INTO dropped_bodies (entry) VALUES (?)")
        ranking = try DropRanking.read(db)
    }

    /// Drops bodies until so many bytes went, or there are no more; those that were looked at are taken out of `candidates`.
    ///
    /// They may have been listed a while ago: another entry may stand in that place by now, its log with the number of one that was
    /// forgotten, or its writer be nearer to the person. Such a one stays; the next list has it where it belongs.
    ///
    /// - Returns: bytes of payload.
    func drop(_ candidates: inout ArraySlice<DropCandidate>, bytes wanted: Int) throws -> Int {
        var bytes = 0
        while bytes < wanted, let candidate = candidates.popFirst() {
            let key = candidate.key
            guard let entry = try folding.entries.entry(at: key), let payload = entry.payload,
                let log = try folding.entries.log(of: key), entry.time == candidate.time,
                ranking.rank(of: entry, by: log.identity) == candidate.rank
            else { continue }
            let author = Folding.Author(log: log.id, identity: log.identity)
            if key.sequence < log.size {
                try folding.withhold(entry, by: author)
            } else {
                try folding.entries.eraseBody(at: key, entry.header(in: log.id))
            }
            try note.run(key)
            bytes += payload.count
        }
        try folding.finish()
        // A post that broke a rule was not listed; without its payload it is.
        var home = home
        home.arrival = folding.arrival
        try home.write(db)
        return bytes
    }
}
