internal import GRDB

/// What gives way next, in order, kept from one time to the next.
///
/// To list it takes a walk through all entries, a portion at once. What comes meanwhile and afterwards is put in its place when
/// room is to be made again, so that nothing newer gives way before something older that is there; and once all is listed nobody
/// walks through them again.
struct DropOrder {
    /// The first of what may give way, as far as it is known: while it is being listed others may come before them.
    private(set) var candidates: ArraySlice<DropCandidate> = []
    /// What may give way and is not among them comes behind this one; nil: there is nothing else.
    private var end: DropCandidate?
    private var state = State.unknown
    private var ranking: DropRanking?
    /// Number of the last body that was looked at.
    private var lastBody: Int64 = 0
    /// Walks through all entries.
    private(set) var looks = 0

    private enum State {
        case unknown
        /// From this key on entries were not looked at yet.
        case listing(EntryKey)
        case listed
    }

    var isListing: Bool {
        switch state {
        case .unknown, .listed: false
        case .listing: true
        }
    }

    /// Whether there is nothing (more) that may give way.
    var isExhausted: Bool {
        guard candidates.isEmpty, end == nil, case .listed = state else { return false }
        return true
    }

    /// Puts what came since in its place; where the person follows others by now, all is listed anew.
    ///
    /// Needs the index that `BodyIndex` makes.
    mutating func refresh(_ db: Database, now: UInt64, limit: Int = StorageLimits.budgetCandidates) throws {
        let ranking = try DropRanking.read(db)
        if ranking != self.ranking {
            self.ranking = ranking
            state = .unknown
        }
        if case .unknown = state { return }
        let came = try DropCandidate.list(.since(lastBody), ranking, now: now, limit: limit, db)
        try noteBodies(db)
        merge(came, limit: limit)
    }

    /// Lists the next, if none are left and there may be some: looks at so many entries, and goes on another time.
    mutating func refill(
        _ db: Database,
        now: UInt64,
        limit: Int = StorageLimits.budgetCandidates,
        portion: Int = StorageLimits.budgetPortionEntries
    ) throws {
        let start: EntryKey
        switch state {
        case .listing(let key): start = key
        case .listed where !candidates.isEmpty || end == nil: return
        case .listed, .unknown:
            start = EntryKey(.min)
            candidates = []
            end = nil
            looks += 1
            try noteBodies(db)
        }
        let ranking = try self.ranking ?? DropRanking.read(db)
        let next = try Prepared(db, "SELECT key FROM entries WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?")
            .first(start, portion) { EntryKey($0.integer(0)) }
        let found = try DropCandidate.list(.keys(from: start, before: next), ranking, now: now, limit: limit, db)
        merge(found, limit: limit)
        state = next.map(State.listing) ?? .listed
    }

    /// Drops the first ones until so many bytes went, or no more are listed.
    ///
    /// - Returns: bytes of payload.
    mutating func drop(_ db: Database, bytes: Int) throws -> Int {
        try isListing ? 0 : BodyDropping(db).drop(&candidates, bytes: bytes)
    }

    /// Bodies that are moved get other numbers: they are no news.
    mutating func noteBodies(_ db: Database) throws {
        lastBody = try Prepared(db, "SELECT ifnull(max(number), 0) FROM bodies").first { $0.integer(0) } ?? 0
    }

    /// As many as there may be are the first of more.
    private mutating func merge(_ found: [DropCandidate], limit: Int) {
        guard !found.isEmpty else { return }
        if found.count >= limit, let last = found.last { end = min(end ?? last, last) }
        var merged: [DropCandidate] = []
        // What came while it was listed may have been listed too.
        for candidate in (candidates + found).sorted() where candidate != merged.last { merged.append(candidate) }
        if merged.count > limit { end = min(end ?? merged[limit - 1], merged[limit - 1]) }
        if let end { merged.removeLast(merged.count - merged.prefix { $0 <= end }.count) }
        candidates = merged[...]
    }
}
