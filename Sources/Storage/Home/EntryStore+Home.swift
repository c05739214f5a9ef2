package import Entries
internal import GRDB
internal import Synchronization

extension EntryStore {
    /// The result of comparing a home's facts with the recorded ones.
    package enum FactsCheck: Hashable, Sendable {
        case same
        /// No facts were recorded, or new ones are known; they are recorded now.
        case recorded
        /// The home is not where it was, or is older than its witness says: it signs nothing more, from this call on.
        case moved
    }

    /// Compares the home's facts with the recorded ones, and records new ones; called before anything is signed.
    ///
    /// A hub has nothing to sign: its new facts are recorded. `witness` detects a database older than the one that ran
    /// here, and is kept up to date from now on.
    package func check(_ facts: HomeFacts, witness: HomeWitness? = nil) throws(StorageError) -> FactsCheck {
        let here = witness?.placed(at: facts)
        let said = here?.said()
        self.witness.withLock { $0 = here }
        return try storing {
            let outcome = try compare(facts, said)
            if outcome != .moved { try writer.read { try here?.note($0) } }
            return outcome
        }
    }

    /// Leaves the record outside the home to `noteOwnLog` from now on: a file is then written for several posts at
    /// once, and for none while the post is on its way.
    package func noteOwnLogLater() { notesOwnLogLater.store(true, ordering: .relaxed) }

    /// Records outside the home how far the own log has come; `close` does, too.
    ///
    /// Never at the same time as a change of the own log: to be called on the thread that writes.
    package func noteOwnLog() {
        guard let item = unnoted.withLock({ $0.take() }) else { return }
        witness.withLock { _ = $0?.say(item.log, size: item.size) }
    }

    private func compare(_ facts: HomeFacts, _ said: WitnessedLog?) throws -> FactsCheck {
        let (known, isOlder) = try writer.read { db in
            let home = try HomeRow.read(db)
            let isOlder =
                try SigningStop.inForce(home, db) == nil && said?.isAhead(of: home, at: facts, db) == true
            return (try FactsRow.read(db).facts, isOlder)
        }
        if !facts.differ(from: known), known == known.completed(by: facts), !isOlder { return .same }
        return try transaction(.durable) { db in
            var home = try HomeRow.read(db)
            var row = try FactsRow.read(db)
            if isOlder || facts.differ(from: row.facts), home.ownLog != nil {
                if row.stop == nil { row.stop = .copied }
                home.signing = .stopped
                try row.write(db)
                try home.write(db)
                return .moved
            }
            row.facts = home.ownLog == nil ? facts : row.facts.completed(by: facts)
            try row.write(db)
            return .recorded
        }
    }

    /// Stops signing in this home until a person has decided.
    package func stopSigning(_ stop: SigningStop) throws(StorageError) {
        try storing {
            try transaction(.durable) { db in
                var home = try HomeRow.read(db)
                home.signing = .stopped
                try home.write(db)
                try SigningStop.note(stop, db)
            }
        }
    }

    /// Why there is no device key to sign with.
    package enum MissingKey: Hashable, Sendable {
        /// There is no key file.
        case absent
        case locked
    }

    /// The refusal for a missing key: the home is a hub, was made from a backup, which has no key, signs nothing
    /// anyhow, or is locked.
    package func refusal(for key: MissingKey) throws(StorageError) -> AppendRefusal {
        guard try ownCertificate() != nil else { return .noOwnLog }
        guard case .locked = key, try reader.signingStop() == nil else { return .signingStopped }
        return .locked
    }
}

extension StoreReader {
    /// The log that this home writes; nil for a hub.
    package func ownLog() throws(StorageError) -> LogID? {
        try reading { db in try HomeRow.read(db).ownLog.flatMap { try LogTable(db).log(number: $0)?.log } }
    }

    /// The reason that this home has recorded, whatever else is in force.
    package func notedStop() throws(StorageError) -> SigningStop? {
        try reading { db in try FactsRow.read(db).stop }
    }

    /// Why this home signs nothing; nil if it signs, is where it was, and is no older than its witness says.
    package func signingStop(
        at facts: HomeFacts? = nil,
        witness: HomeWitness? = nil
    ) throws(StorageError) -> SigningStop? {
        // Read before the database: a node that writes meanwhile only makes that newer.
        let said = witness?.said()
        return try reading { db in
            let home = try HomeRow.read(db)
            if let stop = try SigningStop.inForce(home, db) { return stop }
            guard home.ownLog != nil, let facts else { return nil }
            // The next process that writes here will record it.
            if try facts.differ(from: FactsRow.read(db).facts) { return .copied }
            return try said?.isAhead(of: home, at: facts, db) == true ? .copied : nil
        }
    }
}
