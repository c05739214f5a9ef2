internal import Entries
internal import GRDB
internal import Sodium

/// Folds entries into the derived tables, within one transaction (`protocol/fold.md`).
///
/// After each step the tables are the same for any order in which the entries came, except for the numbers given to
/// arrivals and targets. Tallies and counts are buffered, and written by `finish`.
final class Folding {
    let entries: EntryTable
    let targets: TargetTable
    let logs: LogTable
    /// The last arrival number assigned; current after `finish`.
    var arrival: Int64 { posts.arrival }
    var aftermath: EntryStore.Aftermath { !erased.isEmpty ? .erasure : hasCovered ? .deletion : .growth }
    /// True once a delete has covered an entry that is here, with its body or without.
    private var hasCovered = false
    /// Identities of whom an edit or a delete was folded.
    private(set) var editors: Set<IdentityNumber> = []
    /// Entries whose stored body a delete has erased.
    private(set) var erased: [BodyPlace] = []
    /// Bytes of these bodies (`DiskBudget.countedBytes`).
    private(set) var erasedBytes = 0
    /// Entries whose body is no longer wanted.
    private(set) var unwantedBodies: [BodyPlace] = []

    private let posts: PostTable
    private let lateRegisters: Late<RegisterTable>
    private let lateOwnWrites: Late<OwnWriteTable>
    private let bodies: Late<ErasedBodies>
    private let raiseClock: Prepared
    private var clocks: [Int64: UInt64] = [:]
    private var registers: RegisterTable { get throws { try lateRegisters.get() } }
    private var ownWrites: OwnWriteTable { get throws { try lateOwnWrites.get() } }
    /// Whether any delete is known: until then no entry is looked up.
    private var hasDeletes: Bool

    private struct ErasedBodies {
        let dropWant: Prepared
        let forgetEvicted: Prepared
    }

    init(_ db: Database, logs: LogTable, arrival: Int64) throws {
        self.logs = logs
        entries = EntryTable(db)
        targets = TargetTable(db)
        posts = PostTable(db, arrival: arrival)
        lateRegisters = Late(db, RegisterTable.init)
        lateOwnWrites = Late(db, OwnWriteTable.init)
        bodies = Late(db) { db in
            ErasedBodies(
                dropWant: try Prepared(db, "DELETE FROM body_wants WHERE entry = ?"),
                forgetEvicted: try Prepared(db, "DELETE FROM dropped_bodies WHERE entry = ?")
            )
        }
        hasDeletes = try Prepared(db, "SELECT 1 FROM deletes LIMIT 1").first { _ in true } ?? false
        raiseClock = try Prepared(db, "UPDATE identities SET clock = max(clock, ?) WHERE number = ?")
    }

    /// Whether a delete of the writer's own identity covers an entry.
    func isCovered(_ id: EntryID, of identity: IdentityNumber) throws -> Bool {
        guard hasDeletes, let target = try targets.number(ofKnown: id) else { return false }
        return try ownWrites.isDeleted(target, by: identity)
    }

    /// The log and the identity that wrote an entry.
    struct Author {
        let log: LogID
        let identity: IdentityNumber
    }

    /// Whether a counted delete covers the entry, as looked up by the caller of `fold`.
    enum Coverage {
        case covered
        case free
    }

    /// Folds one counted entry; `payload` nil: its body is not here.
    ///
    /// A post keeps `arrival`, the number that it had before, or takes the next.
    func fold(
        _ header: EntryHeader,
        id: EntryID,
        payload: [UInt8]?,
        at key: EntryKey,
        by author: Author,
        coverage: Coverage,
        arrival number: Int64? = nil
    ) throws {
        let clock = header.foldedClock
        if clock > clocks[author.identity, default: 0] { clocks[author.identity] = clock }
        guard coverage == .free, let kind = header.foldedKind else { return }
        guard let payload else {
            if kind == .post { try add(.wanted, PostPlace(header, id: id, key: key, by: author), arrival: number) }
            return
        }
        if kind == .post {
            guard let post = try? PostOutline(payload) else { return }
            return try add(.readable(post), PostPlace(header, id: id, key: key, by: author), arrival: number)
        }
        guard let said = try? Payload.decode(kind: kind.rawValue, bytes: payload) else { return }
        switch said {
        case .post: break
        case .edit(let edit):
            editors.insert(author.identity)
            try ownWrites.add(edit, target: targets.number(of: edit.post), at: key, clock: clock, by: author.identity)
        case .profile(let profile): try ownWrites.add(profile, at: key, clock: clock, by: author.identity)
        case .vote(let vote):
            for (place, choice) in vote.choices.enumerated() {
                let write = RegisterWrite(clock: clock, key: key, place: place, log: author.log)
                try add(choice, write, by: author.identity)
            }
        case .follow(let follow):
            for (place, choice) in follow.choices.enumerated() {
                let write = RegisterWrite(clock: clock, key: key, place: place, log: author.log)
                let followed = try logs.number(of: choice.identity)
                try registers.follow(followed, choice.value, write, by: author.identity, logs: logs)
            }
        case .delete(let delete):
            editors.insert(author.identity)
            // In the payload's order, which decides the targets' numbers.
            var named: Set<EntryID> = []
            for id in delete.entries where named.insert(id).inserted { try cover(id, by: author.identity) }
        }
    }

    /// The arrival number of a post.
    struct Arrival {
        let post: EntryID
        let number: Int64
    }

    /// Folds one counted entry from its row; a body that a delete covers is erased. `arrival` gives the number that a
    /// post keeps.
    @discardableResult
    func fold(
        _ stored: StoredEntry,
        by author: Author,
        arrival: (EntryID) throws -> Int64? = { _ in nil }
    ) throws -> Coverage {
        let header = stored.header(in: author.log)
        let id = header.id
        let coverage: Coverage = try stored.isErasable && isCovered(id, of: author.identity) ? .covered : .free
        if coverage == .covered { try erase(stored, header) }
        let payload = coverage == .free ? stored.payload : nil
        try fold(
            header,
            id: id,
            payload: payload,
            at: stored.key,
            by: author,
            coverage: coverage,
            arrival: arrival(id)
        )
        return coverage
    }

    /// Folds the body of a counted entry that was folded without it.
    func foldBody(_ header: EntryHeader, id: EntryID, payload: [UInt8], at key: EntryKey, by author: Author) throws {
        if header.foldedKind == .post { try posts.remove(PostPlace(header, id: id, key: key, by: author)) }
        try fold(header, id: id, payload: payload, at: key, by: author, coverage: .free)
    }

    /// Drops the buffered highest clock of an identity whose entries will be folded again.
    func forgetClock(of identity: IdentityNumber) { clocks[identity] = nil }

    /// Passes the stored entries of a range of a log, without those in its gap, to `visit`, which may fold and unfold
    /// them; between batches the buffers are written if they are large.
    ///
    /// - Throws: `StorageError.damaged` if one is missing.
    func walk(_ range: Range<UInt64>, of log: LogState, visit: (StoredEntry) throws -> Void) throws {
        try entries.walk(range, of: log) { batch in
            for entry in batch { try visit(entry) }
            try relieve()
        }
    }

    /// Writes the buffers if they are large: a rebuild covers every identity, and a log may have millions of entries.
    private func relieve() throws {
        if targets.gathered + clocks.count + posts.gathered + entries.gathered > StorageLimits.gatheredItems {
            try finish()
        }
    }

    /// Writes the buffers.
    func finish() throws {
        try entries.writeAll()
        try targets.finish()
        try posts.finish()
        for (identity, clock) in clocks { try raiseClock.run(Int64(clock), identity) }
        clocks = [:]
    }

    private enum PostBody {
        case wanted
        case readable(PostOutline)
    }

    private func add(_ body: PostBody, _ place: PostPlace, arrival number: Int64?) throws {
        switch body {
        case .wanted: try posts.add(place, reply: nil, channels: [], arrival: number)
        case .readable(let post):
            var reply: PostTable.Reply?
            if let pointer = post.reply {
                let parent = try targets.number(of: pointer.parent)
                reply = .init(parent: parent, root: try targets.number(of: pointer.root))
                targets.count(replies: 1, on: parent)
            }
            try posts.add(place, reply: reply, channels: post.channels, arrival: number)
        }
    }

    private func add(_ choice: Vote.Choice, _ write: RegisterWrite, by identity: IdentityNumber) throws {
        let target = try targets.number(of: choice.post)
        guard let before = try registers.vote(target, choice.value, write, by: identity, logs: logs) else { return }
        targets.count(vote: before, by: -1, on: target)
        targets.count(vote: choice.value, by: 1, on: target)
    }

    /// Marks an id as deleted by an identity; an erasable entry of that identity is unfolded, and its body erased.
    private func cover(_ id: EntryID, by identity: IdentityNumber) throws {
        let target = try targets.number(of: id)
        hasDeletes = true
        guard try ownWrites.delete(target, by: identity) == .new, let found = try entries.entry(with: id),
            found.log.identity == identity, found.entry.isErasable
        else { return }
        hasCovered = true
        try unfold(found, by: Author(log: found.log.id, identity: identity))
        try erase(found.entry, found.header)
    }

    /// Evicts the body of a counted entry, and folds the entry as if it had come without one.
    func withhold(_ stored: StoredEntry, by author: Author) throws {
        let header = stored.header(in: author.log)
        let id = header.id
        let arrival = try unfold(stored, header, id: id, by: author)
        try entries.eraseBody(at: stored.key, header)
        try fold(header, id: id, payload: nil, at: stored.key, by: author, coverage: .free, arrival: arrival)
    }

    private func erase(_ entry: StoredEntry, _ header: EntryHeader) throws {
        let bodies = try bodies.get()
        try bodies.dropWant.run(entry.key)
        // The connection's count of changes: the next statement overwrites it.
        let wasWanted = bodies.dropWant.changes > 0
        try bodies.forgetEvicted.run(entry.key)
        if wasWanted || bodies.forgetEvicted.changes > 0 { hasCovered = true }
        let place = BodyPlace(log: header.log, sequence: header.sequence)
        guard entry.payload != nil else {
            if wasWanted { unwantedBodies.append(place) }
            return
        }
        try entries.eraseBody(at: entry.key, header)
        erased.append(place)
        erasedBytes += DiskBudget.countedBytes(of: Int(header.length))
    }

    /// Unfolds an entry: removes what its payload added; an entry that was not folded yet added nothing.
    private func unfold(_ found: EntryTable.Found, by author: Author) throws {
        _ = try unfold(found.entry, found.header, id: found.id, by: author)
    }

    /// Unfolds an entry, and returns the arrival number of a post that was listed.
    private func unfold(
        _ entry: StoredEntry,
        _ header: EntryHeader,
        id: EntryID,
        by author: Author
    ) throws -> Int64? {
        guard let kind = header.foldedKind else { return nil }
        let place = PostPlace(header, id: id, key: entry.key, by: author)
        guard let payload = entry.payload else { return kind == .post ? try posts.remove(place)?.arrival : nil }
        if kind == .post {
            guard let post = try? PostOutline(payload) else { return nil }
            let removed = try posts.remove(place, channels: post.channels)
            if let parent = removed?.parent { targets.count(replies: -1, on: parent) }
            return removed?.arrival
        }
        switch try? Payload.decode(kind: kind.rawValue, bytes: payload) {
        case .edit(let edit):
            let target = try targets.number(of: edit.post)
            try ownWrites.removeEdit(of: target, at: place.key, clock: header.foldedClock, by: author.identity)
        case .profile:
            try ownWrites.removeProfile(at: place.key, clock: header.foldedClock, by: author.identity)
        case .post, .vote, .follow, .delete, nil: break
        }
        return nil
    }

    /// Unfolds an entry while all entries of its identity are unfolded: a register is removed, whichever write holds
    /// it. Follows and profiles are removed by identity in `Recounting`, not here.
    ///
    /// - Returns: that of a post that was listed.
    func uncount(_ stored: StoredEntry, by author: Author) throws -> Arrival? {
        let header = stored.header(in: author.log)
        switch header.foldedKind {
        case .post, .edit:
            let id = header.id
            return try unfold(stored, header, id: id, by: author).map { Arrival(post: id, number: $0) }
        case .vote:
            guard case .vote(let vote)? = payload(of: stored) else { return nil }
            for choice in vote.choices {
                let target = try targets.number(of: choice.post)
                guard let value = try registers.removeVote(target, by: author.identity) else { continue }
                targets.count(vote: value, by: -1, on: target)
            }
        case .delete:
            guard case .delete(let delete)? = payload(of: stored) else { return nil }
            for id in delete.entries { try ownWrites.removeDelete(targets.number(of: id), by: author.identity) }
        case .follow, .profile, .private, .label, .channel, .proof, nil: break
        }
        return nil
    }

    private func payload(of stored: StoredEntry) -> Payload? {
        stored.payload.flatMap { try? Payload.decode(kind: stored.kind, bytes: $0) }
    }
}
