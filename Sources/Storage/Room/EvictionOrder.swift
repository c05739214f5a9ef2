internal import GRDB

/// The eviction order, kept from one eviction run to the next.
///
/// Listing it takes a scan of all entries, in portions. Bodies that come meanwhile and afterwards are merged in before
/// the next eviction, so that nothing newer is evicted before something older that is there; once all candidates are
/// listed, no scan is needed again but where follows change, or where much was erased for another reason than the budget
/// (`FollowedShare`).
struct EvictionOrder {
    /// The first candidates, as far as they are known: during a scan others may come before them.
    private(set) var candidates: ArraySlice<EvictionCandidate> = []
    /// Bodies that may be evicted and are not among `candidates` come after this one; nil: there are none.
    private var end: EvictionCandidate?
    private var state = State.unknown
    private var ranking: EvictionRanking?
    /// Entries of the person that were there when `ranking` was read.
    private var ownEntries: Int64?
    /// What the bodies of identities followed take, and how much of that stays.
    private(set) var share: FollowedShare
    /// Number of the last body examined.
    private var lastBody: Int64 = 0
    /// Scans of all entries begun so far.
    private(set) var looks = 0

    private enum State {
        case unknown
        /// Entries from this key on are not scanned yet.
        case listing(EntryKey)
        case listed
    }

    /// An order in which the newest bodies of identities followed stay, up to `followedBytes` of them, or up to `slack`
    /// bytes more.
    init(followedBytes: Int = 0, slack: Int = 0) {
        share = FollowedShare(bytes: followedBytes, slack: slack)
    }

    var isListing: Bool {
        switch state {
        case .unknown, .listed: false
        case .listing: true
        }
    }

    /// Whether nothing (more) can be evicted: nothing is left, or what is left is the share of identities followed.
    var isExhausted: Bool {
        guard case .listed = state else { return false }
        return next.map { $0.rank == .followed && share.surplus == 0 } ?? true
    }

    /// The next candidate or, where that is not listed, the one after which it comes: of the same rank or a higher one.
    private var next: EvictionCandidate? { candidates.first ?? end }

    /// Whether the person follows others than when the order was listed; looks only if the person has written since.
    mutating func isOutdated(_ db: Database) throws -> Bool {
        let entries = try EvictionRanking.ownEntries(db)
        guard entries != ownEntries else { return false }
        ownEntries = entries
        return try EvictionRanking.read(db) != ranking
    }

    /// All are to be listed anew: what is evicted may not be what was.
    mutating func forget() { state = .unknown }

    /// Notes that so many bytes of bodies were erased for another reason than the budget.
    mutating func noteErased(bytes: Int) { share.noteErased(bytes: bytes) }

    /// Merges in the bodies that came since; all are to be listed anew if the person's follows changed, or if nothing
    /// but a new count can tell whether one of identities followed may go.
    ///
    /// Needs the index that `BodyIndex` makes.
    mutating func refresh(_ db: Database, now: UInt64, limit: Int = StorageLimits.budgetCandidates) throws {
        let ranking = try EvictionRanking.read(db)
        ownEntries = try EvictionRanking.ownEntries(db)
        if ranking != self.ranking {
            self.ranking = ranking
            state = .unknown
        }
        let unscanned: EntryKey?
        switch state {
        case .unknown: return
        case .listing(let key): unscanned = key
        case .listed: unscanned = nil
        }
        let came = try EvictionCandidate.list(.since(lastBody), ranking, now: now, limit: limit, db)
        // What the scan has not reached is counted with its portion.
        share.noteCounted(bytes: try FollowedShare.came(after: lastBody, before: unscanned, ranking, db))
        try noteBodies(db)
        merge(came, limit: limit)
        if unscanned == nil { listAnewIfDoubtful() }
    }

    private mutating func listAnewIfDoubtful() {
        if next?.rank == .followed, share.isDoubtful { state = .unknown }
    }

    /// Lists the next candidates, if none are left and there may be some: scans `portion` entries, and continues when
    /// called again.
    mutating func refill(
        _ db: Database,
        now: UInt64,
        limit: Int = StorageLimits.budgetCandidates,
        portion: Int = StorageLimits.budgetPortionEntries
    ) throws {
        let start: EntryKey
        switch state {
        case .listing(let key): start = key
        case .listed where !candidates.isEmpty || isExhausted: return
        case .listed, .unknown:
            start = EntryKey(.min)
            candidates = []
            end = nil
            share.reset()
            looks += 1
            try noteBodies(db)
        }
        let ranking = try self.ranking ?? EvictionRanking.read(db)
        let next = try Prepared(db, "SELECT key FROM entries WHERE key >= ? ORDER BY key LIMIT 1 OFFSET ?")
            .first(start, portion) { EntryKey($0.integer(0)) }
        let found = try EvictionCandidate.list(.keys(from: start, before: next), ranking, now: now, limit: limit, db)
        merge(found, limit: limit)
        share.noteCounted(bytes: try FollowedShare.held(from: start, before: next, ranking, db))
        state = next.map(State.listing) ?? .listed
    }

    /// Evicts the first candidates until `bytes` of payload are gone or the order is exhausted; nothing during a scan.
    ///
    /// - Returns: the numbers of the bodies, whose rows are zeros now.
    mutating func evict(_ db: Database, bytes: Int) throws -> [Int64] {
        if isListing { return [] }
        let evicted = try BodyEviction(db).evict(&candidates, bytes: bytes, ofFollowed: share.surplus)
        share.noteEvicted(bytes: evicted.followedBytes)
        listAnewIfDoubtful()
        return evicted.bodies
    }

    /// Skips the numbers up to the present last body: bodies that are moved get new numbers, but are not new.
    mutating func noteBodies(_ db: Database) throws {
        lastBody = try Prepared(db, "SELECT ifnull(max(number), 0) FROM bodies").first { $0.integer(0) } ?? 0
    }

    /// Merges `found` into the order; `limit` of them are taken for the first of more.
    private mutating func merge(_ found: [EvictionCandidate], limit: Int) {
        guard !found.isEmpty else { return }
        if found.count >= limit, let last = found.last { end = min(end ?? last, last) }
        var merged: [EvictionCandidate] = []
        // A body that came during the scan may have been listed by it too.
        for candidate in (candidates + found).sorted() where candidate != merged.last { merged.append(candidate) }
        if merged.count > limit { end = min(end ?? merged[limit - 1], merged[limit - 1]) }
        if let end { merged.removeLast(merged.count - merged.prefix { $0 <= end }.count) }
        candidates = merged[...]
    }
}
