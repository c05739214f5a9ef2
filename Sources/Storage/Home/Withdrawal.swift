internal import Entries
internal import GRDB
package import Sodium

/// Own entries that never left this home, while a peer has another branch of the log: they are taken off it, kept, and
/// signed again once a person has decided where.
///
/// What is left of the log is what left this home, so that nothing here contradicts what others hold.
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

    /// Takes the own log back to what was published; true if there was anything to take off.
    ///
    /// What is left needs a head of its own size. Without the device key there is none: then nothing is left, and what was
    /// published comes back from those who have it.
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

    /// Signs what was taken off again, behind the log that this home writes now; references among those entries follow.
    ///
    /// What came back as it was stays as it is; what was erased meanwhile is left out, and with it what says nothing else.
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
        var own = try OwnWriting(intake, device: device, db)
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

    /// Forgets what was taken off; true if there was anything.
    @discardableResult
    func wipe() throws -> Bool {
        let isAny = try Prepared(db, "SELECT 1 FROM withdrawn LIMIT 1").first { _ in true } ?? false
        guard isAny else { return false }
        // Wiped where they lie: what a page loses may stay in the file otherwise.
        try Prepared(db, "UPDATE withdrawn SET payload = zeroblob(length(payload)) WHERE payload IS NOT NULL").run()
        try Prepared(db, "DELETE FROM withdrawn").run()
        return true
    }

    private func isHere(_ row: Row, _ intake: Intake) throws -> Bool {
        guard let log = try intake.state(of: row.log), row.sequence < log.storedEnd else { return false }
        return try intake.folding.entries.entry(at: log.key(row.sequence))?.header(in: log.log).id == row.id
    }
}

/// The new names of entries that were signed again.
private struct Renaming {
    private var names: [EntryID: EntryID] = [:]
    private var gone: Set<EntryID> = []

    mutating func add(_ old: EntryID, _ new: EntryID) { names[old] = new }

    mutating func leftOut(_ old: EntryID) { gone.insert(old) }

    /// The payload with its references followed; nil if all that it points to was left out.
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
    /// Takes off the own log what never left this home, where a peer has another branch of it; otherwise nothing.
    ///
    /// - Returns: whether anything was taken off.
    @discardableResult
    package func withdraw(with device: SigningKey) throws(StorageError) -> Bool {
        try takeOff(with: device)
    }

    /// The same where the device key is locked or gone: the whole log is taken off, and comes back from peers.
    @discardableResult
    package func withdrawWithoutKey() throws(StorageError) -> Bool {
        try takeOff(with: nil)
    }

    private func takeOff(with device: SigningKey?) throws(StorageError) -> Bool {
        try storing {
            guard try writer.read({ try FactsRow.read($0).stop }) == .diverged else { return false }
            let isDone = try transaction(.durable) { db in
                let intake = try Intake(db)
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
