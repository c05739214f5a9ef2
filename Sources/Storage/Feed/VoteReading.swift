package import Entries
internal import GRDB

/// A vote in force, with its time.
package struct CastVote: Hashable, Sendable {
    /// The target, known here or not.
    package let post: EntryID
    package let value: Vote.Value
    /// Folded time of the entry, Unix milliseconds.
    package let time: UInt64
}

extension StoreReader {
    /// A person's votes in force, latest first; a withdrawn vote is left out.
    package func votes(of identity: IdentityID, limit: Int) throws(StorageError) -> [CastVote] {
        try reading { try VoteReading($0).votes(of: identity, limit: limit) }
    }
}

/// Finds a person's votes by scanning their logs: the table of votes is keyed by target, and has everybody's.
private struct VoteReading {
    private let logs: LogTable
    private let entries: EntryTable
    private let targets: TargetTable
    private let previous: Prepared
    private let held: Prepared

    init(_ db: Database) throws {
        logs = LogTable(db)
        entries = EntryTable(db)
        targets = TargetTable(db)
        previous = try Prepared(
            db,
            "SELECT key FROM entries WHERE key >= ? AND key < ? AND kind = ? ORDER BY key DESC LIMIT 256"
        )
        held = try Prepared(
            db,
            "SELECT value FROM votes WHERE target = ? AND identity = ? AND entry = ? AND place = ?"
        )
    }

    func votes(of identity: IdentityID, limit: Int) throws -> [CastVote] {
        guard let number = try logs.number(ofKnown: identity) else { return [] }
        var found: [(clock: UInt64, vote: CastVote)] = []
        for log in try logs.numbers(of: number).compactMap({ try logs.log(number: $0) }) {
            found += try votes(in: log, limit: limit)
        }
        return found.sorted { ($0.clock, $0.vote.post) > ($1.clock, $1.vote.post) }.prefix(limit).map(\.vote)
    }

    /// The latest votes of one log, from its end on: the clocks of an honest writer ascend.
    private func votes(in log: LogState, limit: Int) throws -> [(clock: UInt64, vote: CastVote)] {
        var found: [(clock: UInt64, vote: CastVote)] = []
        var end = log.key(log.size)
        while found.count < limit {
            let keys = try previous.all(log.key(0), end, Int(EntryKind.vote.rawValue)) { EntryKey($0.integer(0)) }
            guard let last = keys.last else { break }
            end = last
            for key in keys where found.count < limit { found += try votes(at: key, by: log.identity) }
        }
        return found
    }

    /// The votes of an entry that no later vote has replaced.
    private func votes(at key: EntryKey, by identity: IdentityNumber) throws -> [(clock: UInt64, vote: CastVote)] {
        guard let entry = try entries.found(at: key), let payload = entry.entry.payload,
            case .vote(let vote)? = try? Payload.decode(kind: entry.header.kind, bytes: payload)
        else { return [] }
        return try vote.choices.enumerated().compactMap { place, choice in
            guard choice.value != .withdrawn, let target = try targets.number(ofKnown: choice.post),
                try held.first(target, identity, key, place, read: { $0.count(0) }) != nil
            else { return nil }
            let cast = CastVote(post: choice.post, value: choice.value, time: entry.header.foldedTime)
            return (entry.header.foldedClock, cast)
        }
    }
}
