package import Entries
internal import GRDB
package import Sodium
internal import Synchronization

/// The result of continuing the own log.
package struct Continuation: Hashable, Sendable {
    /// The log that this home writes.
    package let log: LogID
    /// Entries that never left this home and were signed again.
    package let rewritten: Int
    package let carriage: Carriage

    package enum Carriage: Hashable, Sendable {
        case carried
        /// The person has 16 logs before it: nothing is signed before one of them is settled.
        case notCarried
    }
}

extension EntryStore {
    /// Makes this home write another log of the same person; the old one stays as an ordinary log.
    ///
    /// Own entries withdrawn from the old log (`withdraw`) are the first of the new one. `facts` are recorded, and
    /// signing is allowed.
    ///
    /// - Throws: `foreignNetwork`, `ownLogExists` if the own log is another person's, `ownLogEnded` if the account has
    ///   ended.
    package func replaceOwnLog(
        _ certificate: SignedCertificate,
        with device: SigningKey,
        facts: HomeFacts,
        at now: UInt64
    ) throws(StorageError) -> Continuation {
        try going(at: facts) { db in
            var home = try HomeRow.read(db)
            guard certificate.certificate.network == home.network else { throw StorageError.foreignNetwork }
            let logs = LogTable(db)
            if let own = try home.ownLog.flatMap({ try logs.log(number: $0) }) {
                guard own.identityID == certificate.certificate.identity else { throw StorageError.ownLogExists }
                guard try !EndTable(db).hasEnded(own.identity) else { throw StorageError.ownLogEnded }
            }
            home.ownLog = try logs.log(certificate.log)?.number ?? logs.add(certificate).number
            home.published = 0
            try Self.allowSigning(&home, facts, db)
            return try Self.goOn(with: device, at: now, db)
        }
    }

    /// Continues the own log, on the person's statement that no other home writes it.
    ///
    /// Withdrawn entries are signed again at its end, except those that have come back unchanged.
    ///
    /// `shown` is the greatest size that a peer said to hold: entries missing here must not be signed a second time.
    ///
    /// - Throws: `ownLogIncomplete` if the log is not held up to a head, a peer has more, or more has left this home;
    ///   `ownLogEnded` if no statement can continue it (`SigningStop.canBeKept`).
    package func resumeOwnLog(
        with device: SigningKey,
        facts: HomeFacts,
        shown: UInt64 = 0,
        at now: UInt64
    ) throws(StorageError) -> Continuation {
        try going(at: facts) { db in
            var home = try HomeRow.read(db)
            if let stop = try SigningStop.inForce(home, db), !stop.canBeKept { throw StorageError.ownLogEnded }
            try Self.allowSigning(&home, facts, db)
            return try Self.goOn(with: device, shown: shown, at: now, db)
        }
    }

    private func going(
        at facts: HomeFacts,
        _ body: (Database) throws -> Continuation
    ) throws(StorageError) -> Continuation {
        let witness = witness.withLock { $0?.placed(at: facts) }
        unnoted.withLock { $0 = nil }
        // Before the change: after a crash the old record would make the home look old again.
        if witness?.forget() == false { throw .other("what is kept outside the home cannot be written") }
        return try storing {
            let continuation = try transaction(.durable, body)
            try writer.read { try witness?.note($0, .lasting) }
            self.witness.withLock { $0 = witness }
            // The payloads of withdrawn entries are in the WAL once more.
            scrubbed(after: .erasure)
            return continuation
        }
    }

    private static func allowSigning(_ home: inout HomeRow, _ facts: HomeFacts, _ db: Database) throws {
        home.signing = .allowed
        try home.write(db)
        try FactsRow(facts: facts, stop: nil).write(db)
    }

    private static func goOn(
        with device: SigningKey,
        shown: UInt64 = 0,
        at now: UInt64,
        _ db: Database
    ) throws -> Continuation {
        let intake = try Intake(db, now: now)
        guard let number = intake.home.ownLog, let log = try intake.logs.log(number: number) else {
            throw StorageError.other("this home has no log of its own")
        }
        // Published entries must not be signed a second time, whether a peer shows them or only this home knows of
        // them: they may have been withdrawn without the key.
        guard log.storedEnd == log.head?.size ?? 0, log.storedEnd >= max(shown, intake.home.published) else {
            throw StorageError.ownLogIncomplete
        }
        guard try intake.admits(log) else { return Continuation(log: log.log, rewritten: 0, carriage: .notCarried) }
        let rewritten = try Withdrawal(db).appendAgain(intake, with: device, at: now)
        return Continuation(log: log.log, rewritten: rewritten, carriage: .carried)
    }
}
