internal import Entries
internal import GRDB
internal import Sodium

/// Assembles posts from entries and derived tables, within one snapshot.
final class PostReading {
    let entries: EntryTable
    let reader: IdentityNumber?

    private let target: Prepared
    private let deletion: Prepared
    private let edit: LatestWrite
    private let versions: Prepared
    private let vote: Prepared
    private let arrival: Prepared
    private let profile: ProfileReading
    private let identity: Prepared
    /// Few posts lack a text.
    private let eviction: Late<Prepared>
    private var names: [IdentityNumber: String?] = [:]
    private var identities: [IdentityNumber: IdentityID] = [:]

    /// Prepares the statements; `reader` is the identity whose vote each post shows.
    init(_ db: Database, reader: IdentityID?) throws {
        entries = EntryTable(db)
        profile = try ProfileReading(db)
        target = try Prepared(db, "SELECT number, up, down, replies FROM targets WHERE id = ?")
        deletion = try Prepared(db, "SELECT 1 FROM deletes WHERE target = ? AND identity = ?")
        edit = try LatestWrite(db, table: "edits", register: ("target", "identity"))
        // Sorts all edits of the greatest clock: for one post that a person asks for.
        versions = try Prepared(
            db,
            """
            SELECT edits.entry FROM edits JOIN logs ON logs.number = edits.entry >> 32
            WHERE edits.target = ? AND edits.identity = ?
            ORDER BY edits.clock DESC, logs.log DESC, edits.entry DESC LIMIT ?
            """
        )
        vote = try Prepared(db, "SELECT value FROM votes WHERE target = ? AND identity = ?")
        arrival = try Prepared(db, "SELECT arrival FROM posts WHERE time = ? AND tie = ? AND entry = ?")
        identity = try Prepared(db, "SELECT identity FROM identities WHERE number = ?")
        eviction = Late(db) { try Prepared($0, "SELECT 1 FROM dropped_bodies WHERE entry = ?") }
        self.reader = try reader.flatMap { try LogTable(db).number(ofKnown: $0) }
    }

    /// The post with this id; nil if the id is unknown, pending, no post's, or its payload breaks a rule.
    func post(_ id: EntryID) throws -> PostRow? {
        try entries.entry(with: id).flatMap { try row($0, arrival: nil) }
    }

    /// The post at a key that the table `posts` lists.
    func post(at key: EntryKey, arrival: Int64) throws -> PostRow? {
        guard let found = try entries.found(at: key) else { throw StorageError.damaged("a post's entry is missing") }
        return try row(found, arrival: arrival)
    }

    struct Target {
        let number: TargetNumber
        let up: Int
        let down: Int
        let replies: Int
    }

    /// The tallies of an id; nil if no entry points to it.
    func target(_ id: EntryID) throws -> Target? {
        try target.first(id.raw) { columns in
            Target(number: columns.integer(0), up: columns.count(1), down: columns.count(2), replies: columns.count(3))
        }
    }

    func isDeleted(_ target: Target?, by identity: IdentityNumber) throws -> Bool {
        guard let target else { return false }
        return try deletion.first(target.number, identity) { _ in true } ?? false
    }

    /// Edits of a post by its own author that no delete covers, the one in force first.
    func edits(of target: Target?, by identity: IdentityNumber, limit: Int) throws -> [EntryTable.Found] {
        guard let target else { return [] }
        let keys = try versions.all(target.number, identity, limit) { EntryKey($0.integer(0)) }
        return try keys.compactMap { try entries.found(at: $0) }
    }

    /// The first of `edits`; nil if there is none.
    private func editInForce(of target: Target?, by identity: IdentityNumber) throws -> EntryTable.Found? {
        guard let target, let key = try edit.entry(target.number, identity) else { return nil }
        return try entries.found(at: key)
    }

    /// Whether the body of an entry gave way to the disk budget.
    func isEvicted(_ found: EntryTable.Found) throws -> Bool {
        try eviction.get().first(found.entry.key) { _ in true } ?? false
    }

    func identity(_ number: IdentityNumber) throws -> IdentityID {
        if let known = identities[number] { return known }
        guard let id: IdentityID = try identity.first(number, read: { try $0.id(0) }) else {
            throw StorageError.damaged("an identity is missing")
        }
        identities[number] = id
        return id
    }

    private func row(_ found: EntryTable.Found, arrival known: Int64?) throws -> PostRow? {
        let header = found.header
        guard header.foldedKind == .post, header.sequence < found.log.size else { return nil }
        let identity = found.log.identity
        let target = try target(found.id)
        var content = PostRow.Content.wanted
        var isEvicted = false
        var channels: [Channel] = []
        var reply: Post.Reply?
        if try isDeleted(target, by: identity) {
            content = .deleted
        } else {
            if let payload = found.entry.payload {
                guard case .post(let post)? = try? Payload.decode(kind: header.kind, bytes: payload) else { return nil }
                content = .shown(.init(text: post.text, title: post.title, source: found.id))
                channels = post.channels
                reply = post.reply
            }
            if let edit = try editInForce(of: target, by: identity), let text = Self.text(of: edit) {
                content = .shown(text)
            }
            if content == .wanted { isEvicted = try self.isEvicted(found) }
        }
        return PostRow(
            id: found.id,
            log: found.log.id,
            sequence: header.sequence,
            identity: try self.identity(identity),
            author: try name(of: identity),
            time: header.foldedTime,
            clock: header.foldedClock,
            content: content,
            isEvicted: isEvicted,
            channels: channels,
            reply: reply,
            up: target?.up ?? 0,
            down: target?.down ?? 0,
            vote: try ownVote(on: target),
            replies: target?.replies ?? 0,
            arrival: UInt64(clamping: try known ?? arrival(of: found))
        )
    }

    /// The text of an edit; nil if its body is not here.
    static func text(of edit: EntryTable.Found) -> PostRow.Text? {
        guard let payload = edit.entry.payload,
            case .edit(let said)? = try? Payload.decode(kind: edit.header.kind, bytes: payload)
        else { return nil }
        return .init(text: said.text, title: said.title, source: edit.id)
    }

    private func arrival(of found: EntryTable.Found) throws -> Int64 {
        try arrival.first(Int64(found.header.foldedTime), found.id.tie, found.entry.key) { $0.integer(0) } ?? 0
    }

    private func ownVote(on target: Target?) throws -> Vote.Value {
        guard let target, let reader else { return .withdrawn }
        let value = try vote.first(target.number, reader) { $0.count(0) } ?? 0
        return Vote.Value(rawValue: UInt8(clamping: value)) ?? .withdrawn
    }

    private func name(of identity: IdentityNumber) throws -> String? {
        if let known = names[identity] { return known }
        let name = try profile.winner(.name, of: identity)?.name
        names[identity] = .some(name)
        return name
    }
}
