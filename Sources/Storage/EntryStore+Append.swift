package import Entries
internal import GRDB
package import Sodium
internal import Synchronization

extension EntryStore {
    /// Whether own entries may leave this home at once (`protocol/own-log.md` §2).
    package enum Publication: Hashable, Sendable {
        /// This start has heard from a peer.
        case cleared
        /// This start has not heard from a peer.
        case held
    }

    /// Sets the log that this home writes; setting the same one again changes nothing. `replaceOwnLog` sets another.
    ///
    /// - Throws: `foreignNetwork`, `ownLogExists`.
    package func registerOwnLog(_ certificate: SignedCertificate) throws(StorageError) {
        try storing {
            try transaction(.durable) { db in
                var home = try HomeRow.read(db)
                guard certificate.certificate.network == home.network else { throw StorageError.foreignNetwork }
                let logs = LogTable(db)
                let number = try logs.log(certificate.log)?.number ?? logs.add(certificate).number
                guard home.ownLog ?? number == number else { throw StorageError.ownLogExists }
                home.ownLog = number
                try home.write(db)
            }
        }
    }

    /// The certificate of the own log; nil for a hub.
    package func ownCertificate() throws(StorageError) -> SignedCertificate? {
        try storing {
            try writer.read { db in
                try HomeRow.read(db).ownLog.flatMap { try LogTable(db).certificate(of: $0) }
            }
        }
    }

    /// Signs and stores one own entry; durable once this returns.
    ///
    /// `device` is the key named by the own log's certificate. `now` (Unix milliseconds) becomes the entry's time, and
    /// its clock is at least that, up to 2⁵³ − 1 (`protocol/fold.md` §3). `durable` is called once the entry is on
    /// disk, before housekeeping; the scrub that follows an erasure comes first.
    @discardableResult
    package func append(
        _ payload: Payload,
        with device: SigningKey,
        at now: UInt64,
        publication: Publication,
        durable: (OwnAppend) -> Void = { _ in }
    ) throws(AppendError) -> OwnAppend {
        try append(with: device, publication: publication, durable: durable) { own in
            try own.check(payload)
            try own.add(payload, at: now)
        }
    }

    /// Signs and stores many own entries under one head, in order; for imports.
    package func append(
        _ drafts: [Draft],
        with device: SigningKey,
        publication: Publication
    ) throws(AppendError) -> OwnAppend? {
        guard !drafts.isEmpty else { return nil }
        return try append(with: device, publication: publication) { own in
            for draft in drafts {
                try own.check(draft.payload)
                try own.add(draft.payload, at: draft.time)
            }
        }
    }

    /// A payload to append, with its time.
    package struct Draft: Sendable {
        package let payload: Payload
        /// Unix milliseconds.
        package let time: UInt64

        package init(payload: Payload, time: UInt64) {
            self.payload = payload
            self.time = time
        }
    }

    /// Deletes an own post and each held edit of it, in one entry; of a deleted post, the edits that came later.
    ///
    /// `durable` is called once the entry is on disk and the erased text is wiped, or left to `scrubIfOwed`.
    @discardableResult
    package func deleteOwn(
        post: EntryID,
        with device: SigningKey,
        at now: UInt64,
        publication: Publication,
        durable: (OwnAppend) -> Void = { _ in }
    ) throws(AppendError) -> OwnAppend {
        try append(with: device, publication: publication, durable: durable) { own in
            let delete = try Delete(entries: own.deletion(of: post))
            try own.add(.delete(delete), at: now)
        }
    }

    /// Whether `strayEdits` may have more than when it was last asked: true once for what came until now.
    package func claimStrayEdits() -> Bool { mayHaveStrayEdits.exchange(false, ordering: .relaxed) }

    /// Own deleted posts with a held edit that no delete names: `deleteOwn` is due again (`protocol/fold.md` §5).
    package func strayEdits() throws(StorageError) -> [EntryID] {
        try storing { try writer.read { try OwnWriting.strayEdits($0) } }
    }

    private func append(
        with device: SigningKey,
        publication: Publication,
        durable: (OwnAppend) -> Void = { _ in },
        _ body: (inout OwnWriting) throws -> Void
    ) throws(AppendError) -> OwnAppend {
        try signing {
            let ((append, aftermath), intake) = try keptIntake(.durable) { intake, db in
                var own = try OwnWriting(intake, device: device, lastWritten: written.withLock { $0 }, db)
                try body(&own)
                let chunk = own.sign(with: device)
                try intake.take(chunk, from: nil)
                switch publication {
                case .cleared: intake.home.published = chunk.end
                case .held: break
                }
                guard let row = try intake.finish().first(where: { $0.log == chunk.log }) else {
                    throw StorageError.other("the own log did not take its own entry")
                }
                let append = OwnAppend(
                    chunk: chunk,
                    row: row,
                    forgotten: intake.forgotten,
                    unwantedBodies: intake.unwantedBodies
                )
                dropCopies(before: intake.aftermath)
                return (append, intake.aftermath)
            }
            written.withLock { $0 = append.chunk.certificate }
            if aftermath == .erasure { wipe(after: aftermath) }
            withExtendedLifetime(intake) { durable(append) }
            // After the commit: a crash in between leaves the witness behind the log, never ahead of it.
            unnoted.withLock { $0 = LogSize(log: append.chunk.log, size: append.chunk.end) }
            if !notesOwnLogLater.load(ordering: .relaxed) { noteOwnLog() }
            if aftermath == .erasure { settleRoom() } else { scrubbed(after: aftermath) }
            return append
        }
    }
}
