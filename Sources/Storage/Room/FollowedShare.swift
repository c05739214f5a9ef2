internal import Entries
internal import GRDB

/// The share of a disk budget that is kept for the newest bodies of identities followed, and how much they take
/// (`protocol/node.md` §7, Budgets).
///
/// Counted while the eviction order is listed, and kept up with what comes and what is evicted. Of what is erased for
/// another reason, as by a delete, the length alone is known, and not whether it was counted here: so of what is held
/// the most and the least that it can be are known, and a body goes only if it may by the least. Where the two are so
/// far apart that more than `slack` above the share may be kept for want of knowing, all is listed and counted again.
struct FollowedShare: Hashable {
    /// Bytes that are kept.
    let bytes: Int
    /// Bytes above the share that may stay before all is counted again, which takes a scan.
    let slack: Int
    /// Bytes that bodies of identities followed take, at most (`DiskBudget.countedBytes`).
    private(set) var mostHeld = 0
    /// Bytes of bodies erased since, of whomever.
    private var erased = 0

    init(bytes: Int, slack: Int) {
        self.bytes = bytes
        self.slack = slack
    }

    private var leastHeld: Int { mostHeld - erased }

    /// Bytes that may give way: those above the share, at least.
    var surplus: Int { max(0, leastHeld - bytes) }

    /// Whether more may give way, which only counting can tell.
    var isDoubtful: Bool { surplus == 0 && mostHeld > bytes + slack }

    mutating func noteCounted(bytes: Int) { mostHeld += bytes }
    mutating func noteEvicted(bytes: Int) { mostHeld -= bytes }
    mutating func noteErased(bytes: Int) { erased += bytes }

    /// Begins to count anew.
    mutating func reset() { self = FollowedShare(bytes: bytes, slack: slack) }

    /// As `EvictionRanking.rank`: bodies of rank `followed`; ?1 is the person's own identity.
    private static let isFollowed = """
        logs.identity IN (SELECT followed FROM follows WHERE identity = ?1 AND value = 1) AND logs.identity <> ?1
            AND entries.kind IN (\(EntryKind.post.rawValue), \(EntryKind.edit.rawValue))
            AND entries.flags & \(EntryHeader.erasableFlag) <> 0
        """

    /// Bytes of the bodies of identities followed among the entries with these keys: reads no other logs.
    static func held(
        from start: EntryKey,
        before end: EntryKey?,
        _ ranking: EvictionRanking,
        _ db: Database
    ) throws -> Int {
        guard !ranking.followed.isEmpty else { return 0 }
        // CROSS JOIN: in this order.
        let sql = """
            SELECT \(DiskBudget.countedBytesOfPayloads) FROM logs CROSS JOIN entries NOT INDEXED CROSS JOIN bodies
            WHERE \(isFollowed) AND bodies.number = entries.body
                AND entries.key >= max(logs.number << 32, ?2)
                AND entries.key <= min(logs.number << 32 | 4294967295, ?3)
            """
        let last = end.map { $0.value - 1 } ?? .max
        return try Prepared(db, sql).first(ranking.own, start, last) { $0.count(0) } ?? 0
    }

    /// Bytes of the bodies of identities followed with a number above `body`, of entries before `end`.
    ///
    /// Needs the index that `BodyIndex` makes.
    static func came(
        after body: Int64,
        before end: EntryKey?,
        _ ranking: EvictionRanking,
        _ db: Database
    ) throws -> Int {
        guard !ranking.followed.isEmpty else { return 0 }
        let sql = """
            SELECT \(DiskBudget.countedBytesOfPayloads)
            FROM entries INDEXED BY entries_by_body CROSS JOIN logs CROSS JOIN bodies
            WHERE \(isFollowed) AND logs.number = entries.key >> 32 AND bodies.number = entries.body
                AND entries.body > ?2 AND entries.key <= ?3
            """
        let last = end.map { $0.value - 1 } ?? .max
        return try Prepared(db, sql).first(ranking.own, body, last) { $0.count(0) } ?? 0
    }
}
