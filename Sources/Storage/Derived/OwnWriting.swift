internal import Entries
internal import GRDB
internal import Sodium

/// Makes the author's next entries within the transaction that stores them, so that tip, size and clock cannot change.
struct OwnWriting {
    private let log: LogState
    private let certificate: SignedCertificate
    private let folding: Folding
    private let edits: Prepared
    private var lastClock: UInt64
    private var entries: [Entry] = []

    /// `lastWritten` is not read again if it is the own log's: a log's certificate never changes.
    ///
    /// - Throws: `Refused` if this home may not sign, or not with this key.
    init(_ intake: Intake, device: SigningKey, lastWritten: SignedCertificate?, _ db: Database) throws {
        guard let number = intake.home.ownLog, let log = try intake.logs.log(number: number),
            let certificate = lastWritten?.log == log.log ? lastWritten : try intake.logs.certificate(of: number)
        else { throw Refused(refusal: .noOwnLog) }
        guard device.publicKey == certificate.certificate.device.raw else { throw Refused(refusal: .wrongKey) }
        try Self.checkStanding(of: log, intake)
        // A log with entries beyond its own head was written elsewhere too.
        guard intake.home.signing == .allowed, log.storedEnd == log.head?.size ?? 0 else {
            throw Refused(refusal: .signingStopped)
        }
        self.log = log
        self.certificate = certificate
        folding = intake.folding
        edits = try Prepared(db, "SELECT entry FROM edits WHERE target = ? AND identity = ? ORDER BY clock, entry")
        lastClock =
            try Prepared(db, "SELECT clock FROM identities WHERE number = ?").first(log.identity) { $0.bits(0) } ?? 0
    }

    /// Refuses a log that cannot be signed for, whatever the home recorded.
    private static func checkStanding(of log: LogState, _ intake: Intake) throws {
        if try intake.ends.hasEnded(log.identity) { throw Refused(refusal: .accountEnded) }
        if log.settled != nil { throw Refused(refusal: .logSettled) }
        if log.cut != nil { throw Refused(refusal: .logForked) }
        if try !intake.admits(log) { throw Refused(refusal: .notCarried) }
    }

    /// Checks the rules for own payloads; others would fold a payload that breaks them to nothing.
    ///
    /// - Throws: `Refused`.
    func check(_ payload: Payload) throws {
        switch payload {
        case .edit(let edit):
            try checkOwnPost(edit.post)
            guard try !folding.isCovered(edit.post, of: log.identity) else {
                throw Refused(refusal: .deletedPost(edit.post))
            }
        case .delete(let delete):
            for id in delete.entries { _ = try own(id) }
        case .post, .vote, .follow, .profile: break
        }
    }

    /// Adds an entry; clock = min(2⁵³ − 1, max(highest folded of this identity + 1, `now`)) (`protocol/fold.md` §3).
    ///
    /// - Throws: `Refused`.
    @discardableResult
    mutating func add(_ payload: Payload, at now: UInt64) throws -> EntryID {
        let bytes = payload.encode()
        guard bytes.count <= EntryLimits.maximumPayloadBytes else {
            throw Refused(refusal: .payloadTooLong(bytes: bytes.count))
        }
        let sequence = log.storedEnd + UInt64(entries.count)
        guard sequence < EntryLimits.maximumLogEntries else { throw Refused(refusal: .logFull) }
        lastClock = min(EntryLimits.maximumClock, max(lastClock + 1, now))
        let entry = Entry(
            flags: payload.kind.isErasable ? EntryHeader.erasableFlag : 0,
            kind: payload.kind.rawValue,
            log: log.log,
            sequence: sequence,
            time: now,
            clock: lastClock,
            payload: bytes
        )
        entries.append(entry)
        return entry.id
    }

    /// The ids for a delete of a post to name: the post, unless it was deleted before, and each held edit of it.
    ///
    /// - Throws: `Refused`; `deletedPost` if nothing is left to name.
    func deletion(of post: EntryID) throws -> [EntryID] {
        try checkOwnPost(post)
        var ids = try folding.isCovered(post, of: log.identity) ? [] : [post]
        if let target = try folding.targets.number(ofKnown: post) {
            for key in try edits.all(target, log.identity, read: { EntryKey($0.integer(0)) }) {
                if let edit = try folding.entries.found(at: key) { ids.append(edit.id) }
            }
        }
        guard !ids.isEmpty else { throw Refused(refusal: .deletedPost(post)) }
        // Edits without room stay stray (`strayEdits`), and the next delete names them.
        return Array(ids.prefix(EntryLimits.maximumPayloadBytes / 34))
    }

    func sign(with device: SigningKey) -> VerifiedChunk {
        VerifiedChunk(authoring: entries, after: log.tip, certificate: certificate, with: device)
    }

    /// Own deleted posts with an edit that is not deleted; a scan of all edits, which are few.
    static func strayEdits(_ db: Database) throws -> [EntryID] {
        let sql = """
            SELECT DISTINCT targets.id FROM home JOIN logs ON logs.number = home.own_log
            JOIN edits ON edits.identity = logs.identity
            JOIN deletes ON deletes.target = edits.target AND deletes.identity = edits.identity
            JOIN targets ON targets.number = edits.target
            """
        return try Prepared(db, sql).all { try $0.id(0) }
    }

    private func checkOwnPost(_ id: EntryID) throws {
        guard try own(id).header.foldedKind == .post else { throw Refused(refusal: .unknownPost(id)) }
    }

    private func own(_ id: EntryID) throws -> EntryTable.Found {
        guard let found = try folding.entries.entry(with: id) else { throw Refused(refusal: .unknownPost(id)) }
        guard found.log.identity == log.identity else { throw Refused(refusal: .notOwnPost(id)) }
        return found
    }
}
