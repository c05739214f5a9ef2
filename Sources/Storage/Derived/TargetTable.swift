internal import Entries
internal import GRDB

/// The number of an identity in this database.
typealias IdentityNumber = Int64

/// The number of a target: an id that entries point to.
typealias TargetNumber = Int64

/// Targets: ids that entries point to, stored here or not, with their tallies of votes and replies.
final class TargetTable {
    private let statements: Late<Statements>
    private var numbers: [EntryID: TargetNumber] = [:]
    private var tallies: [TargetNumber: Tally] = [:]

    private struct Tally {
        var up: Int64 = 0
        var down: Int64 = 0
        var replies: Int64 = 0
    }

    private struct Statements {
        let find: Prepared
        let insert: Prepared
        let add: Prepared

        init(_ db: Database) throws {
            find = try Prepared(db, "SELECT number FROM targets WHERE id = ?")
            insert = try Prepared(db, "INSERT INTO targets (id) VALUES (?)")
            add = try Prepared(
                db,
                "UPDATE targets SET up = up + ?, down = down + ?, replies = replies + ? WHERE number = ?"
            )
        }
    }

    init(_ db: Database) {
        statements = Late(db, Statements.init)
    }

    /// The number of an id; nil if no entry points to it.
    func number(ofKnown id: EntryID) throws -> TargetNumber? {
        if let number = numbers[id] { return number }
        let number = try statements.get().find.first(id.raw) { $0.integer(0) }
        // Only ids found are cached: a missing one is asked for once.
        if let number { numbers[id] = number }
        return number
    }

    /// The number of an id, assigned now if it has none.
    func number(of id: EntryID) throws -> TargetNumber {
        if let number = try number(ofKnown: id) { return number }
        let insert = try statements.get().insert
        try insert.run(id.raw)
        let number = insert.insertedRow
        numbers[id] = number
        return number
    }

    func count(replies: Int64, on target: TargetNumber) {
        tallies[target, default: Tally()].replies += replies
    }

    func count(vote: Vote.Value, by step: Int64, on target: TargetNumber) {
        switch vote {
        case .withdrawn: break
        case .up: tallies[target, default: Tally()].up += step
        case .down: tallies[target, default: Tally()].down += step
        }
    }

    /// Number of items held in memory.
    var gathered: Int { max(numbers.count, tallies.count) }

    func finish() throws {
        for (target, tally) in tallies where tally.up != 0 || tally.down != 0 || tally.replies != 0 {
            try statements.get().add.run(tally.up, tally.down, tally.replies, target)
        }
        tallies = [:]
        if numbers.count > StorageLimits.gatheredItems { numbers = [:] }
    }
}
