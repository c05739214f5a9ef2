internal import Entries
internal import GRDB

/// A write to a register; the greatest (clock, log id, sequence, index in the payload) wins (`protocol/fold.md` §3).
struct RegisterWrite {
    let clock: UInt64
    let key: EntryKey
    let place: Int
    let log: LogID
}

/// The registers of votes and follows: one row for each identity and target, with the greatest write.
struct RegisterTable {
    private let findVote: Prepared
    private let writeVote: Prepared
    private let dropVote: Prepared
    private let findFollow: Prepared
    private let writeFollow: Prepared

    /// The write that holds a register.
    private struct Standing {
        let value: Int
        let clock: UInt64
        let key: EntryKey
        let place: Int

        init(_ columns: Columns) {
            value = columns.count(0)
            clock = columns.bits(1)
            key = EntryKey(columns.integer(2))
            place = columns.count(3)
        }
    }

    init(_ db: Database) throws {
        findVote = try Prepared(
            db,
            "SELECT value, clock, entry, place FROM votes WHERE target = ? AND identity = ?"
        )
        writeVote = try Prepared(
            db,
            "INSERT OR REPLACE INTO votes (target, identity, value, clock, entry, place) VALUES (?, ?, ?, ?, ?, ?)"
        )
        dropVote = try Prepared(db, "DELETE FROM votes WHERE target = ? AND identity = ?")
        findFollow = try Prepared(
            db,
            "SELECT value, clock, entry, place FROM follows WHERE identity = ? AND followed = ?"
        )
        writeFollow = try Prepared(
            db,
            "INSERT OR REPLACE INTO follows (identity, followed, value, clock, entry, place) VALUES (?, ?, ?, ?, ?, ?)"
        )
    }

    /// Writes a vote; returns the value before, or nil if the stored write wins.
    func vote(
        _ target: TargetNumber,
        _ value: Vote.Value,
        _ write: RegisterWrite,
        by identity: IdentityNumber,
        logs: LogTable
    ) throws -> Vote.Value? {
        let standing = try findVote.first(target, identity) { Standing($0) }
        if let standing, try !Self.wins(write, over: standing, logs: logs) { return nil }
        try writeVote.run(target, identity, Int(value.rawValue), Int64(write.clock), write.key, write.place)
        return standing.flatMap { Vote.Value(rawValue: UInt8(clamping: $0.value)) } ?? .withdrawn
    }

    /// Removes a vote, whichever write holds it; returns its value, or nil if there was none.
    func removeVote(_ target: TargetNumber, by identity: IdentityNumber) throws -> Vote.Value? {
        guard let standing = try findVote.first(target, identity, read: { Standing($0) }) else { return nil }
        try dropVote.run(target, identity)
        return Vote.Value(rawValue: UInt8(clamping: standing.value))
    }

    func follow(
        _ followed: IdentityNumber,
        _ value: Follow.Value,
        _ write: RegisterWrite,
        by identity: IdentityNumber,
        logs: LogTable
    ) throws {
        let standing = try findFollow.first(identity, followed) { Standing($0) }
        if let standing, try !Self.wins(write, over: standing, logs: logs) { return }
        try writeFollow.run(identity, followed, Int(value.rawValue), Int64(write.clock), write.key, write.place)
    }

    private static func wins(_ write: RegisterWrite, over standing: Standing, logs: LogTable) throws -> Bool {
        if write.clock != standing.clock { return write.clock > standing.clock }
        guard write.key.log != standing.key.log else {
            return write.key != standing.key ? write.key > standing.key : write.place > standing.place
        }
        // Log numbers are local to this database, so the ids decide.
        guard let other = try logs.log(number: standing.key.log) else {
            throw StorageError.damaged("a register names a log that is not there")
        }
        return write.log > other.log
    }
}
