internal import Entries
internal import GRDB

/// How much the node's person would miss a body: the lowest rank is evicted first (`protocol/node.md` §7, Budgets).
enum EvictionRank: Int, Comparable {
    /// Of a kind that the fold does not read.
    case unread = 0
    case notFollowed = 1
    case followed = 2

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The identities that decide the ranks: the person's own, never evicted, and those followed, evicted last, and not all
/// of whose bodies are (`FollowedShare`).
struct EvictionRanking: Hashable {
    /// The person's identity; 0, which is no identity's number, without a person: then nobody is followed.
    let own: IdentityNumber
    let followed: Set<IdentityNumber>

    static func read(_ db: Database) throws -> EvictionRanking {
        let home = try Prepared(
            db,
            "SELECT logs.identity FROM home JOIN logs ON logs.number = home.own_log"
        ).first { $0.integer(0) }
        let own = home ?? 0
        let follows = try Prepared(db, "SELECT followed FROM follows WHERE identity = ? AND value = 1")
        return EvictionRanking(own: own, followed: Set(try follows.all(own) { $0.integer(0) }))
    }

    /// Entries that count of all the person's logs: while they are as many, the person follows the same identities.
    static func ownEntries(_ db: Database) throws -> Int64 {
        let sql = """
            SELECT ifnull(sum(size), 0) FROM logs
            WHERE identity = (SELECT logs.identity FROM home JOIN logs ON logs.number = home.own_log)
            """
        return try Prepared(db, sql).first { $0.integer(0) } ?? 0
    }

    /// The rank of an entry's body; nil: it is never evicted.
    func rank(of entry: StoredEntry, by identity: IdentityNumber) -> EvictionRank? {
        guard entry.isErasable, entry.kind != EntryKind.profile.rawValue, identity != own else { return nil }
        guard entry.kind == EntryKind.post.rawValue || entry.kind == EntryKind.edit.rawValue else { return .unread }
        return followed.contains(identity) ? .followed : .notFollowed
    }
}

/// A body that may be evicted, with its sort key.
struct EvictionCandidate: Hashable, Comparable {
    let key: EntryKey
    let rank: EvictionRank
    /// Time of the entry, Unix milliseconds.
    let time: UInt64
    /// `time`, or 0 for a time in the future.
    let age: Int64

    static func < (left: Self, right: Self) -> Bool {
        (left.rank, left.age, left.key) < (right.rank, right.age, right.key)
    }

    /// The bodies to examine.
    enum Extent {
        static let all = keys(from: EntryKey(.min), before: nil)

        /// Bodies of the entries with these keys.
        case keys(from: EntryKey, before: EntryKey?)
        /// Bodies with a number above this one, found by the index that `BodyIndex` makes.
        case since(Int64)
    }

    /// The first candidates in order, at most `limit`; times after `now` (Unix milliseconds) are in the future.
    static func list(
        _ extent: Extent,
        _ ranking: EvictionRanking,
        now: UInt64,
        limit: Int,
        _ db: Database
    ) throws -> [EvictionCandidate] {
        let (source, from, end): (String, Int64, Int64) =
            switch extent {
            case .keys(let from, let end):
                ("NOT INDEXED", from.value, end?.value ?? .max)
            case .since(let body): ("INDEXED BY entries_by_body", body, .max)
            }
        let bounds =
            switch extent {
            case .keys: "key >= ?4 AND key < ?5 AND body IS NOT NULL"
            case .since: "body > ?4 AND body <= ?5"
            }
        let (post, edit) = (EntryKind.post.rawValue, EntryKind.edit.rawValue)
        let (profile, erasable) = (EntryKind.profile.rawValue, EntryHeader.erasableFlag)
        let followed = "SELECT followed FROM follows WHERE identity = ?1 AND value = 1"
        // As `EvictionRanking.rank`.
        let sql = """
            SELECT
                entries.key,
                CASE
                    WHEN entries.kind NOT IN (\(post), \(edit)) THEN \(EvictionRank.unread.rawValue)
                    WHEN logs.identity IN (\(followed)) THEN \(EvictionRank.followed.rawValue)
                    ELSE \(EvictionRank.notFollowed.rawValue)
                END AS rank,
                entries.time,
                CASE WHEN entries.time BETWEEN 0 AND ?2 THEN entries.time ELSE 0 END AS age
            FROM entries \(source) JOIN logs ON logs.number = entries.key >> 32
            WHERE \(bounds) AND entries.flags & \(erasable) <> 0 AND entries.kind <> \(profile)
                AND logs.identity <> ?1
            ORDER BY rank, age, entries.key
            LIMIT ?3
            """
        return try Prepared(db, sql).all(ranking.own, Int64(clamping: now), limit, from, end) { columns in
            guard let rank = EvictionRank(rawValue: columns.count(1)) else {
                throw StorageError.damaged("a body's rank is impossible")
            }
            return EvictionCandidate(
                key: EntryKey(columns.integer(0)),
                rank: rank,
                time: columns.bits(2),
                age: columns.integer(3)
            )
        }
    }
}
