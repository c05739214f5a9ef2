package import Entries
internal import GRDB
internal import Synchronization

extension EntryStore {
    /// What a transaction did to the file.
    enum Aftermath {
        case growth
        /// A delete covers entries that are here without their bodies: a copy of an older file may have those.
        case deletion
        /// The bodies of entries were erased.
        case erasure
    }

    /// Stores verified chunks, words, bodies, cursors and wants, in one transaction and in order.
    ///
    /// A chunk that does not begin at the stored end of its log changes nothing and is no error, but then no cursor is
    /// stored; a body that is held or not wanted is ignored. Entries are folded, numbered and visible once the last
    /// entry that their head covers is stored; until then they are pending. A log of an identity with 16 logs before
    /// it is refused or forgotten (`Carriage`). `stored` gets the report first, before what the transaction used is
    /// taken apart.
    @discardableResult
    package func take(
        _ batch: TakeBatch,
        _ retry: Retry = .once,
        stored: (TakeReport) -> Void = { _ in }
    ) throws(StorageError) -> TakeReport {
        try storing {
            let ((report, aftermath, mayHaveStrayEdits), intake) = try keptIntake(
                Self.durability(of: batch),
                by: retry
            ) { intake, db in
                let own = try OwnGrowth(intake)
                for log in batch.restarts { try intake.restart(log) }
                for log in batch.droppedWindows { try intake.dropWindow(log) }
                for settlement in batch.settlements { try intake.take(settlement) }
                for evidence in batch.evidence { try intake.take(evidence) }
                for sourced in batch.chunks {
                    switch sourced.position {
                    case .next: try intake.take(sourced.chunk, from: sourced.source)
                    case .inPlace: try intake.replaceWindow(with: sourced.chunk, from: sourced.source)
                    }
                }
                for finding in batch.findings { try intake.take(finding) }
                try own.note(batch, intake, released: released.withLock { $0 }, db)
                for body in batch.bodies { try intake.take(body) }
                let changes = try intake.finish()
                let skipped = try intake.skipped
                try Self.writeSides(of: batch, intake, db)
                try Self.forget(batch.forgottenCursors, db)
                if skipped.isEmpty { try Self.write(batch.cursors, db) }
                let wanted = try Self.stillWanted(intake.wantedBodies, intake, db)
                let report = TakeReport(
                    changes: changes,
                    stored: intake.stored,
                    wantedBodies: wanted,
                    refusedBodies: intake.refusedBodies,
                    forgotten: intake.forgotten,
                    standings: try StandingReading.standings(of: intake),
                    skipped: skipped,
                    covered: intake.covered(among: batch.chunks),
                    unwantedBodies: Self.unwanted(intake.unwantedBodies, but: wanted),
                    gaps: try intake.gaps,
                    emptied: intake.emptied,
                    recounted: intake.recounted
                )
                dropCopies(before: intake.aftermath)
                return (report, intake.aftermath, try intake.mayHaveStrayEdits())
            }
            if mayHaveStrayEdits { self.mayHaveStrayEdits.store(true, ordering: .relaxed) }
            scrubbed(after: aftermath)
            withExtendedLifetime(intake) { stored(report) }
            return report
        }
    }

    /// Durable for a person's own actions, which are on disk before anything follows from them.
    private static func durability(of batch: TakeBatch) -> Durability {
        batch.isAboutSigning || batch.settlements.contains { $0.source == nil } ? .durable : .replicated
    }

    private static func forget(_ peers: [NodeID], _ db: Database) throws {
        guard !peers.isEmpty else { return }
        let delete = try Prepared(db, "DELETE FROM cursors WHERE peer = ?")
        for peer in peers { try delete.run(peer.raw) }
    }

    private static func write(_ cursors: [TakeBatch.PeerCursor], _ db: Database) throws {
        guard !cursors.isEmpty else { return }
        let write = try Prepared(db, "INSERT OR REPLACE INTO cursors (peer, store, number, scope) VALUES (?, ?, ?, ?)")
        for entry in cursors {
            let cursor = entry.cursor
            try write.run(entry.peer.raw, cursor.store.bytes, Int64(bitPattern: cursor.number), cursor.scope)
        }
    }

    /// Writes wants, and logs that are set aside.
    private static func writeSides(of batch: TakeBatch, _ intake: Intake, _ db: Database) throws {
        // First, since this batch may add the same want again: a superfluous want costs one more request, no more.
        for log in batch.forgottenWants {
            try Prepared(db, "DELETE FROM wants WHERE log = ?").run(log.raw)
        }
        let want = try Prepared(
            db,
            "INSERT INTO wants (log, size) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET size = max(size, ?2)"
        )
        let forgotten = Set(intake.forgotten)
        for wanted in batch.wants where !forgotten.contains(wanted.log) {
            guard try intake.state(of: wanted.log)?.lacks(wanted.size) ?? true else { continue }
            try want.run(wanted.log.raw, Int64(bitPattern: wanted.size))
        }
        // Mostly there are none: one statement says so, in place of one for each log.
        let isAnyWanted = try Prepared(db, "SELECT 1 FROM wants LIMIT 1").first { _ in true } ?? false
        if isAnyWanted {
            let drop = try Prepared(db, "DELETE FROM wants WHERE log = ? AND size <= ?")
            for stored in intake.stored {
                guard let log = try intake.state(of: stored.log) else { continue }
                try drop.run(stored.log.raw, Int64(bitPattern: log.heldSize))
            }
        }
        for log in batch.setAside {
            try Prepared(db, "INSERT OR IGNORE INTO set_aside (log) VALUES (?)").run(log.raw)
            try Prepared(db, "DELETE FROM wants WHERE log = ?").run(log.raw)
        }
    }

    /// Drops the bodies that a delete later in the same batch covered.
    private static func stillWanted(_ places: [BodyPlace], _ intake: Intake, _ db: Database) throws -> [BodyPlace] {
        guard !places.isEmpty else { return [] }
        let find = try Prepared(db, "SELECT 1 FROM body_wants WHERE entry = ?")
        return try places.filter { place in
            guard let log = try intake.state(of: place.log) else { return false }
            return try find.first(log.key(place.sequence)) { _ in true } ?? false
        }
    }

    private static func unwanted(_ places: [BodyPlace], but wanted: [BodyPlace]) -> [BodyPlace] {
        guard !places.isEmpty, !wanted.isEmpty else { return places }
        let wanted = Set(wanted)
        return places.filter { !wanted.contains($0) }
    }

    /// Removes migration copies while a transaction is not committed yet that erases what they may hold: a process that
    /// is killed behind the commit would not remember that it owes that. If the commit fails they are gone all the
    /// same, and the store is as it was.
    func dropCopies(before aftermath: Aftermath) {
        switch aftermath {
        case .deletion, .erasure: dropMigrationCopies()
        case .growth: break
        }
    }

    /// Truncates the WAL after an erasure, and then evicts as the budget requires, which may take long.
    func scrubbed(after aftermath: Aftermath) {
        wipe(after: aftermath)
        settleRoom()
    }

    /// Truncates the WAL after an erasure; if a reader blocks that, the next transaction or `scrubIfOwed` retries.
    func wipe(after aftermath: Aftermath) {
        switch aftermath {
        case .erasure:
            owesScrub.withLock { $0 = true }
            dropMigrationCopies()
        case .deletion: dropMigrationCopies()
        case .growth: break
        }
        scrubIfOwed()
    }

    /// Why the last transaction with entries failed, if none has succeeded since. Nil: it succeeded, there was none in
    /// this run, or its failure was told to whoever asked for it, ten minutes ago.
    package var writeFailure: StorageError? { writes.withLock { $0.failure() } }

    /// Whether something that a peer brought is not stored although it has come, since the disk did not take it.
    package var isBehind: Bool { writes.withLock { $0.isBehind } }
}
