package import Entries
internal import GRDB

extension StoreReader {
    /// The identity that writes in this home; nil for a hub.
    package func ownIdentity() throws(StorageError) -> IdentityID? {
        try reading { try PeopleReading($0).ownIdentity() }
    }

    /// The profile of a person; nil if the identity is unknown here.
    package func person(_ identity: IdentityID) throws(StorageError) -> Person? {
        try reading { db in
            guard let number = try LogTable(db).number(ofKnown: identity) else { return nil }
            return try ProfileReading(db).person(identity, number: number)
        }
    }

    /// People with a log, ascending by id, after `identity`.
    package func people(after identity: IdentityID?, limit: Int) throws(StorageError) -> [Person] {
        try reading { try PeopleReading($0).people(after: identity, limit: limit) }
    }

    /// All names, the present ones included, of people who changed theirs, latest first; at most
    /// `StorageLimits.renamed`.
    package func renamed() throws(StorageError) -> [(identity: IdentityID, name: String)] {
        try reading { try PeopleReading($0).renamed() }
    }

    /// Identities that write or are followed and have this id prefix; at most `StorageLimits.candidates`.
    package func identities(_ prefix: IDPrefix) throws(StorageError) -> [IdentityID] {
        try reading { try PeopleReading($0).identities(prefix) }
    }

    /// The identities that a person follows, ascending by id.
    package func following(_ identity: IdentityID) throws(StorageError) -> [IdentityID] {
        try reading { try PeopleReading($0).follows(.following, of: identity) }
    }

    /// The followers of a person that this node knows of, ascending by id.
    package func followers(_ identity: IdentityID) throws(StorageError) -> [IdentityID] {
        try reading { try PeopleReading($0).follows(.followers, of: identity) }
    }

    package func followCounts(_ identity: IdentityID) throws(StorageError) -> FollowCounts {
        try reading { try PeopleReading($0).counts(of: identity) }
    }

    /// Channels with a post that a feed shows, ascending by name: one that is due at `now` (Unix milliseconds), or the
    /// reader's own; `latest` considers posts that are due only.
    package func channels(now: UInt64, reader: IdentityID? = nil) throws(StorageError) -> [ChannelRow] {
        try reading { try PeopleReading($0).channels(now: now, reader: reader) }
    }
}

/// Reads people, follows and channels within one snapshot.
private struct PeopleReading {
    private let db: Database
    private let logs: LogTable

    init(_ db: Database) throws {
        self.db = db
        logs = LogTable(db)
    }

    enum Direction {
        case following
        case followers
    }

    func ownIdentity() throws -> IdentityID? {
        try HomeRow.read(db).ownLog.flatMap { try logs.log(number: $0)?.identityID }
    }

    func people(after identity: IdentityID?, limit: Int) throws -> [Person] {
        let profile = try ProfileReading(db)
        // An empty blob sorts before every id of 32 bytes.
        let sql = """
            SELECT number, identity FROM identities WHERE identity > ?
            AND EXISTS (SELECT 1 FROM logs WHERE logs.identity = identities.number) ORDER BY identity LIMIT ?
            """
        let found = try Prepared(db, sql).all(identity?.bytes ?? [], limit) { columns in
            (columns.integer(0), try columns.id(1, as: IdentityID.self))
        }
        return try found.map { try profile.person($0.1, number: $0.0) }
    }

    func renamed() throws -> [(identity: IdentityID, name: String)] {
        let entries = EntryTable(db)
        let sql = """
            SELECT identities.identity, profiles.entry FROM profiles
            JOIN identities ON identities.number = profiles.identity
            WHERE profiles.field = ?1 AND profiles.identity IN
            (SELECT identity FROM profiles WHERE field = ?1 GROUP BY identity HAVING count(*) > 1)
            ORDER BY profiles.clock DESC LIMIT ?2
            """
        let found = try Prepared(db, sql).all(ProfileField.name.rawValue, StorageLimits.renamed) { columns in
            (try columns.id(0, as: IdentityID.self), EntryKey(columns.integer(1)))
        }
        return try found.compactMap { identity, key in
            // Without its payload an entry's name is unknown.
            guard let entry = try entries.entry(at: key), let payload = entry.payload,
                case .profile(let profile)? = try? Payload.decode(kind: entry.kind, bytes: payload),
                let name = profile.name
            else { return nil }
            return (identity, name)
        }
    }

    func identities(_ prefix: IDPrefix) throws -> [IdentityID] {
        let first = prefix.bounds.lowerBound.bigEndianBytes
        let last = prefix.bounds.upperBound.bigEndianBytes + [UInt8](repeating: 0xFF, count: 24)
        var ids: [IdentityID] = []
        let sql = "SELECT identity FROM identities WHERE identity BETWEEN ? AND ? ORDER BY identity"
        try Prepared(db, sql).rows(first, last) { columns in
            let id: IdentityID = try columns.id(0)
            if prefix.matches(id) { ids.append(id) }
            return ids.count < StorageLimits.candidates ? .more : .enough
        }
        return ids
    }

    func follows(_ direction: Direction, of identity: IdentityID) throws -> [IdentityID] {
        guard let number = try logs.number(ofKnown: identity) else { return [] }
        let (other, own) =
            switch direction {
            case .following: ("followed", "follows.identity")
            case .followers: ("identity", "follows.followed")
            }
        let sql = """
            SELECT identities.identity FROM follows JOIN identities ON identities.number = follows.\(other)
            WHERE \(own) = ? AND value = 1 ORDER BY identities.identity
            """
        return try Prepared(db, sql).all(number) { try $0.id(0) }
    }

    func counts(of identity: IdentityID) throws -> FollowCounts {
        guard let number = try logs.number(ofKnown: identity) else { return FollowCounts(followers: 0, following: 0) }
        let count = { (column: String) in
            try Prepared(db, "SELECT count(*) FROM follows WHERE \(column) = ? AND value = 1").first(number) {
                $0.count(0)
            } ?? 0
        }
        return FollowCounts(followers: try count("followed"), following: try count("identity"))
    }

    func channels(now: UInt64, reader: IdentityID?) throws -> [ChannelRow] {
        let latest = try Prepared(
            db,
            "SELECT time FROM post_channels WHERE channel = ? AND time <= ? ORDER BY time DESC LIMIT 1"
        )
        // The channel's count has them all. Anybody may write very many: the key alone counts them, and no post is
        // looked up.
        let ahead = try Prepared(db, "SELECT count(*) FROM post_channels WHERE channel = ? AND time > ?")
        // The reader's own are shown; few are.
        let ownAhead = try Prepared(
            db,
            """
            SELECT count(*) FROM posts p CROSS JOIN post_channels c
            ON c.channel = ? AND c.time = p.time AND c.tie = p.tie AND c.post = p.arrival
            WHERE p.identity = ? AND p.time > ?
            """
        )
        let own = try reader.flatMap { try logs.number(ofKnown: $0) }
        let found = try Prepared(db, "SELECT number, name, posts FROM channels WHERE posts > 0 ORDER BY name").all {
            ($0.integer(0), $0.string(1), $0.count(2))
        }
        return try found.compactMap { number, name, posts in
            guard let channel = Channel(name) else { throw StorageError.damaged("a channel's name is impossible") }
            var hidden = try ahead.first(number, Int64(clamping: now)) { $0.count(0) } ?? 0
            if hidden > 0, let own {
                hidden -= try ownAhead.first(number, own, Int64(clamping: now)) { $0.count(0) } ?? 0
            }
            guard posts > hidden else { return nil }
            let time = try latest.first(number, Int64(clamping: now)) { $0.bits(0) }
            return ChannelRow(channel: channel, posts: posts - hidden, latest: time)
        }
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { Array($0) } }
}
