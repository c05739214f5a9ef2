internal import Entries
internal import GRDB
package import Sodium

/// Withdraws own entries that never left this home while a peer has another branch of the log: they are taken off it,
/// kept, and signed again once a person has decided where (`protocol/identity.md` §7).
///
/// Only published entries are left in the log, so that nothing here contradicts what others hold.
struct Withdrawal {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    private struct Row {
        let id: EntryID
        let log: LogID
        let sequence: UInt64
        let kind: UInt16
        let time: UInt64
        let payload: [UInt8]?
    }

    /// Truncates the own log to its published size; true if there was anything to withdraw.
    ///
    /// The shorter log needs a head of its own size. Without the device key there is none: then the whole log is taken
    /// off, and its published part comes back from peers.
    func perform(_ intake: Intake, with device: SigningKey?) throws -> Bool {
        let home = intake.home
        guard let number = home.ownLog, let log = try intake.logs.log(number: number), log.carriage == .carried,
            !log.isJudged,
            let end = log.head?.size, end > home.published
        else { return false }
        if let device {
            let certificate = try intake.logs.certificate(of: number)?.certificate
            guard certificate?.device.raw == device.publicKey else { return false }
        }
        try keep(log.key(home.published), log.key(end), of: log)
        try Prepared(db, "DELETE FROM set_aside WHERE log = ?").run(log.log.raw)
        guard let device else {
            try intake.takeBack(log.log, to: 0) { _ in nil }
            return true
        }
        try intake.takeBack(log.log, to: home.published) { root in
            Head(signing: log.log, size: home.published, root: root, network: home.network, with: device)
        }
        return true
    }

    private func keep(_ from: EntryKey, _ end: EntryKey, of log: LogState) throws {
        let insert = try Prepared(
            db,
            "INSERT OR IGNORE INTO withdrawn (id, log, sequence, kind, time, payload) VALUES (?, ?, ?, ?, ?, ?)"
        )
        for entry in try Prepared(db, StoredEntry.span).all(from, end, read: { try StoredEntry($0) }) {
            try insert.run(
                entry.header(in: log.log).id.raw,
                log.log.raw,
                Int64(bitPattern: entry.key.sequence),
                Int(entry.kind),
                Int64(bitPattern: entry.time),
                entry.payload
            )
        }
    }

    /// Signs withdrawn entries again at the end of the log that this home writes now, rewriting references among them.
    ///
    /// An entry that came back unchanged is not signed again; one that was erased meanwhile is left out, and with it
    /// an entry that refers to nothing else.
    ///
    /// - Returns: how many entries were signed.
    func appendAgain(_ intake: Intake, with device: SigningKey, at now: UInt64) throws -> Int {
        let rows = try Prepared(db, "SELECT id, log, sequence, kind, time, payload FROM withdrawn ORDER BY place").all {
            Row(
                id: try $0.id(0),
                log: try $0.id(1),
                sequence: $0.bits(2),
                kind: UInt16(clamping: $0.integer(3)),
                time: $0.bits(4),
                payload: $0.optionalBytes(5)
            )
        }
        var own = try OwnWriting(intake, device: device, lastWritten: nil, db)
        var names = Renaming()
        var count = 0
        for row in rows {
            if try isHere(row, intake) { continue }
            guard let payload = row.payload.flatMap({ try? Payload.decode(kind: row.kind, bytes: $0) }),
                let renamed = names.applied(to: payload)
            else {
                names.leftOut(row.id)
                continue
            }
            names.add(row.id, try own.add(renamed, at: row.time))
            count += 1
        }
        if count > 0 {
            try intake.take(own.sign(with: device), from: nil)
            _ = try intake.finish()
        }
        try wipe()
        return count
    }

    /// Erases the withdrawn entries; true if there were any.
    @discardableResult
    func wipe() throws -> Bool {
        let isAny = try Prepared(db, "SELECT 1 FROM withdrawn LIMIT 1").first { _ in true } ?? false
        guard isAny else { return false }
        // Overwritten in place: what a page loses may stay in the file otherwise.
        try Prepared(db, "UPDATE withdrawn SET payload = zeroblob(length(payload)) WHERE payload IS NOT NULL").run()
        try Prepared(db, "DELETE FROM withdrawn").run()
        return true
    }

    private func isHere(_ row: Row, _ intake: Intake) throws -> Bool {
        guard let log = try intake.state(of: row.log), row.sequence < log.storedEnd else { return false }
        return try intake.folding.entries.entry(at: log.key(row.sequence))?.header(in: log.log).id == row.id
    }
}

/// Maps the ids of entries that were signed again to their new ids.
private struct Renaming {
    private var names: [EntryID: EntryID] = [:]
    private var gone: Set<EntryID> = []

    mutating func add(_ old: EntryID, _ new: EntryID) { names[old] = new }

    mutating func leftOut(_ old: EntryID) { gone.insert(old) }

    /// The payload with rewritten references; nil if everything that it refers to was left out.
    func applied(to payload: Payload) -> Payload? {
        switch payload {
        case .post(let post):
            guard let reply = post.reply else { return payload }
            return
                (try? Post(
                    salt: post.salt,
                    text: post.text,
                    title: post.title,
                    channels: post.channels,
                    reply: Post.Reply(parent: name(reply.parent), root: name(reply.root))
                )).map { .post($0) }
        case .edit(let edit):
            if gone.contains(edit.post) { return nil }
            return (try? Edit(salt: edit.salt, post: name(edit.post), text: edit.text, title: edit.title)).map {
                .edit($0)
            }
        case .vote(let vote):
            let choices = vote.choices.filter { !gone.contains($0.post) }
            return (try? Vote(choices: choices.map { .init(post: name($0.post), value: $0.value) })).map { .vote($0) }
        case .delete(let delete):
            let entries = delete.entries.filter { !gone.contains($0) }
            return (try? Delete(entries: entries.map { name($0) })).map { .delete($0) }
        case .follow, .profile: return payload
        }
    }

    private func name(_ id: EntryID) -> EntryID { names[id] ?? id }
}

extension EntryStore {
    /// Withdraws unpublished entries if a peer has another branch of the own log; otherwise does nothing.
    ///
    /// - Returns: whether anything was withdrawn.
    @discardableResult
    package func withdraw(with device: SigningKey) throws(StorageError) -> Bool {
        try takeOff(with: device)
    }

    /// Withdraws without the device key (locked or lost): the whole log is taken off, and comes back from peers.
    @discardableResult
    package func withdrawWithoutKey() throws(StorageError) -> Bool {
        try takeOff(with: nil)
    }

    private func takeOff(with device: SigningKey?) throws(StorageError) -> Bool {
        try storing {
            guard try writer.read({ try FactsRow.read($0).stop }) == .diverged else { return false }
            let isDone = try transaction(.durable) { db in
                let intake = try Intake(db, now: clock())
                guard try Withdrawal(db).perform(intake, with: device) else { return false }
                _ = try intake.finish()
                return true
            }
            if isDone { scrubbed(after: .erasure) }
            return isDone
        }
    }
}

extension StoreReader {
    /// Own entries that wait to be signed again.
    package func withdrawnEntries() throws(StorageError) -> Int {
        try reading { try Prepared($0, "SELECT count(*) FROM withdrawn").first { $0.count(0) } ?? 0 }
    }
}
