package import Entries
internal import GRDB
internal import Synchronization

extension EntryStore {
    /// Takes over verified chunks, bodies, cursors and wants, in one transaction and in order.
    ///
    /// A chunk that does not begin where its log is stored to changes nothing and is no error, nor is a body that is here
    /// or not wanted. Entries are folded, numbered and visible once the last entry that their head covers is here; until
    /// then they are pending. Of an identity with 16 logs before it, a log is refused or forgotten (`Carriage`).
    package func take(_ batch: TakeBatch) throws(StorageError) -> TakeReport {
        try storing {
            let (report, hasErased) = try transaction(.replicated) { db in
                let intake = try Intake(db)
                for log in batch.restarts { try intake.restart(log) }
                for sourced in batch.chunks { try intake.take(sourced.chunk, from: sourced.source) }
                for body in batch.bodies { try intake.take(body) }
                if let published = batch.published {
                    intake.home.published = max(intake.home.published, published)
                }
                let changes = try intake.finish()
                try Self.writeSides(of: batch, intake, db)
                let report = TakeReport(
                    changes: changes,
                    stored: intake.stored,
                    wantedBodies: try Self.stillWanted(intake.wantedBodies, intake, db),
                    refusedBodies: intake.refusedBodies,
                    forgotten: intake.forgotten
                )
                return (report, intake.hasErased)
            }
            scrubbed(after: hasErased ? .erasure : .growth)
            return report
        }
    }

    /// Cursors, wants, and logs that are set aside.
    private static func writeSides(of batch: TakeBatch, _ intake: Intake, _ db: Database) throws {
        if !batch.cursors.isEmpty {
            let write = try Prepared(db, "INSERT OR REPLACE INTO cursors (peer, store, number) VALUES (?, ?, ?)")
            for entry in batch.cursors {
                try write.run(entry.peer.raw, entry.cursor.store.bytes, Int64(bitPattern: entry.cursor.number))
            }
        }
        let want = try Prepared(
            db,
            "INSERT INTO wants (log, size) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET size = max(size, ?2)"
        )
        let forgotten = Set(intake.forgotten)
        for wanted in batch.wants where !forgotten.contains(wanted.log) {
            guard try (intake.state(of: wanted.log)?.size ?? 0) < wanted.size else { continue }
            try want.run(wanted.log.raw, Int64(bitPattern: wanted.size))
        }
        let drop = try Prepared(db, "DELETE FROM wants WHERE log = ? AND size <= ?")
        for stored in intake.stored {
            try drop.run(stored.log.raw, Int64(bitPattern: intake.state(of: stored.log)?.size ?? 0))
        }
        for log in batch.setAside {
            try Prepared(db, "INSERT OR IGNORE INTO set_aside (log) VALUES (?)").run(log.raw)
            try Prepared(db, "DELETE FROM wants WHERE log = ?").run(log.raw)
        }
    }

    /// Leaves out what a delete later in the same batch covered.
    private static func stillWanted(_ places: [BodyPlace], _ intake: Intake, _ db: Database) throws -> [BodyPlace] {
        guard !places.isEmpty else { return [] }
        let find = try Prepared(db, "SELECT 1 FROM body_wants WHERE entry = ?")
        return try places.filter { place in
            guard let log = try intake.state(of: place.log) else { return false }
            return try find.first(log.key(place.sequence)) { _ in true } ?? false
        }
    }

    /// What a transaction did to the file.
    enum Aftermath {
        case growth
        case erasure
    }

    /// After an erasure cuts the log; if a reader is in the way, the next transaction tries again.
    func scrubbed(after aftermath: Aftermath) {
        switch aftermath {
        case .erasure: owesScrub.withLock { $0 = true }
        case .growth: break
        }
        guard owesScrub.withLock({ $0 }) else { return }
        // The entries are durable whatever comes of this; words that could not be wiped now are wiped later.
        let isClean = (try? writer.writeWithoutTransaction { try Durability.scrub($0) }) ?? false
        if isClean { owesScrub.withLock { $0 = false } }
    }
}
