internal import Entries
internal import GRDB

extension EntryStore {
    /// What came of comparing a home's facts with those that were recorded.
    package enum FactsCheck: Hashable, Sendable {
        case same
        /// Nothing was recorded, or something new is known; it is recorded now.
        case recorded
        /// The home is not where it was: it signs nothing more, from this call on.
        case moved
    }

    /// Compares where the home is with where it was, and records what was not known; called before anything is signed.
    ///
    /// A hub has nothing to sign: what is new of it is recorded.
    package func check(_ facts: HomeFacts) throws(StorageError) -> FactsCheck {
        try storing {
            let known = try writer.read { try FactsRow.read($0).facts }
            if !facts.differ(from: known), known == known.completed(by: facts) { return .same }
            return try transaction(.durable) { db in
                var home = try HomeRow.read(db)
                var row = try FactsRow.read(db)
                if facts.differ(from: row.facts), home.ownLog != nil {
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
    }

    /// Signs nothing more in this home until a person has decided.
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
        /// There is no file.
        case absent
        case locked
    }

    /// Why nothing can be written: the home is a hub, was made from a backup, which has no key, signs nothing anyhow, or is
    /// locked.
    package func refusal(for key: MissingKey) -> AppendRefusal {
        guard (try? ownCertificate()) != nil else { return .noOwnLog }
        guard case .locked = key, (try? reader.signingStop()) == .some(nil) else { return .signingStopped }
        return .locked
    }
}

extension StoreReader {
    /// Why this home signs nothing; nil if it signs, and is where it was.
    package func signingStop(at facts: HomeFacts? = nil) throws(StorageError) -> SigningStop? {
        try reading { db in
            let home = try HomeRow.read(db)
            if let stop = try SigningStop.inForce(home, db) { return stop }
            guard home.ownLog != nil, let facts, try facts.differ(from: FactsRow.read(db).facts) else { return nil }
            // The next process that writes here will note it.
            return .copied
        }
    }
}
