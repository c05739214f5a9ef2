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

    /// The write that a register holds.
    private struct HeldWrite {
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
        let held = try findVote.first(target, identity) { HeldWrite($0) }
        if let held, try !Self.wins(write, over: held, logs: logs) { return nil }
        try writeVote.run(target, identity, Int(value.rawValue), Int64(write.clock), write.key, write.place)
        return held.flatMap { Vote.Value(rawValue: UInt8(clamping: $0.value)) } ?? .withdrawn
    }

    /// Removes a vote, whichever write holds it; returns its value, or nil if there was none.
    func removeVote(_ target: TargetNumber, by identity: IdentityNumber) throws -> Vote.Value? {
        guard let held = try findVote.first(target, identity, read: { HeldWrite($0) }) else { return nil }
        try dropVote.run(target, identity)
        return Vote.Value(rawValue: UInt8(clamping: held.value))
    }

    func follow(
        _ followed: IdentityNumber,
        _ value: Follow.Value,
        _ write: RegisterWrite,
        by identity: IdentityNumber,
        logs: LogTable
    ) throws {
        let held = try findFollow.first(identity, followed) { HeldWrite($0) }
        if let held, try !Self.wins(write, over: held, logs: logs) { return }
        try writeFollow.run(identity, followed, Int(value.rawValue), Int64(write.clock), write.key, write.place)
    }

    private static func wins(_ write: RegisterWrite, over held: HeldWrite, logs: LogTable) throws -> Bool {
        if write.clock != held.clock { return write.clock > held.clock }
        guard write.key.log != held.key.log else {
            return write.key != held.key ? write.key > held.key : write.place > held.place
        }
        // Log numbers are local to this database, so the ids decide.
        guard let other = try logs.log(number: held.key.log) else {
            throw StorageError.damaged("a register names a log that is not there")
        }
        return write.log > other.log
    }
}
