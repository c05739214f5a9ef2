internal import Entries
internal import GRDB

/// Refolds one identity: unfolds all its entries from the derived tables, and folds those that count anew.
///
/// Needed when entries stop counting: the fold only grows, and a register does not remember the writes that it
/// overruled. `uncount` reads the entries, which still have to be stored; their logs change before `count`. Posts keep
/// their arrival numbers.
struct Recounting {
    private let folding: Folding
    private let dropFollows: Prepared
    private let dropProfiles: Prepared
    private let resetClock: Prepared
    private let wants: BodyWants
    private let wantsOf: Prepared
    private let dropWants: Prepared
    private var arrivals: [EntryKey: Folding.Arrival] = [:]

    init(_ db: Database, _ folding: Folding, _ wants: BodyWants) throws {
        self.folding = folding
        self.wants = wants
        dropFollows = try Prepared(db, "DELETE FROM follows WHERE identity = ?")
        dropProfiles = try Prepared(db, "DELETE FROM profiles WHERE identity = ?")
        resetClock = try Prepared(db, "UPDATE identities SET clock = 0 WHERE number = ?")
        wantsOf = try Prepared(db, "SELECT entry FROM body_wants WHERE entry >= ? AND entry < ?")
        dropWants = try Prepared(db, "DELETE FROM body_wants WHERE entry >= ? AND entry < ?")
    }

    /// Unfolds the counted entries of all logs of an identity.
    ///
    /// - Returns: the number of these entries, and the payload bytes of those with many choices each: the cost of
    ///   folding them.
    mutating func uncount(
        _ logs: [LogState],
        of identity: IdentityNumber
    ) throws -> (entries: UInt64, choiceBytes: UInt64) {
        var (entries, choiceBytes): (UInt64, UInt64) = (0, 0)
        for log in logs {
            let author = Folding.Author(log: log.log, identity: identity)
            try folding.walk(0..<log.size, of: log) { entry in
                entries += 1
                choiceBytes += entry.choiceBytes
                if let arrival = try folding.uncount(entry, by: author) { arrivals[entry.key] = arrival }
            }
        }
        try dropFollows.run(identity)
        try dropProfiles.run(identity)
        try resetClock.run(identity)
        folding.forgetClock(of: identity)
        return (entries, choiceBytes)
    }

    /// Folds the counted entries of all logs of an identity, none of which is folded.
    ///
    /// - Returns: bodies newly wanted, and bodies no longer wanted.
    func count(
        _ logs: [LogState],
        of identity: IdentityNumber
    ) throws -> (wanted: [BodyPlace], unwanted: [BodyPlace]) {
        var (wanted, unwanted) = ([BodyPlace](), [BodyPlace]())
        for log in logs {
            let author = Folding.Author(log: log.log, identity: identity)
            try folding.walk(0..<log.size, of: log) { entry in
                let kept = arrivals[entry.key]
                // Another post may have its place by now.
                let coverage = try folding.fold(entry, by: author) { $0 == kept?.post ? kept?.number : nil }
                guard coverage == .free, entry.wantsBody, try wants.add(entry.key) else { return }
                wanted.append(BodyPlace(log: log.log, sequence: entry.key.sequence))
            }
            // The body of a hidden entry is not asked for: nobody serves it.
            let hidden = (log.key(log.size), log.key(max(log.size, log.storedEnd)))
            unwanted += try wantsOf.all(hidden.0, hidden.1) { columns in
                BodyPlace(log: log.log, sequence: EntryKey(columns.integer(0)).sequence)
            }
            try dropWants.run(hidden.0, hidden.1)
        }
        return (wanted, unwanted)
    }
}
