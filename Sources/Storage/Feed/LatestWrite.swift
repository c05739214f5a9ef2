internal import Entries
internal import GRDB
internal import Sodium

/// Finds the greatest write to a register of which all writes are kept: by clock, log id and sequence
/// (`protocol/fold.md` §3).
///
/// The log id is no part of the key. Sorting by it would read all writes of the greatest clock, and a writer may give
/// all the same: here one row of each log is read.
struct LatestWrite {
    private let two: Prepared
    private let next: Prepared
    private let log: Prepared

    /// `register` names the two columns of the table's key that say which register a row belongs to.
    init(_ db: Database, table: String, register: (String, String)) throws {
        let rows = "FROM \(table) WHERE \(register.0) = ? AND \(register.1) = ?"
        two = try Prepared(db, "SELECT clock, entry \(rows) ORDER BY clock DESC, entry DESC LIMIT 2")
        next = try Prepared(db, "SELECT entry \(rows) AND clock = ? AND entry < ? ORDER BY entry DESC LIMIT 1")
        log = try Prepared(db, "SELECT log FROM logs WHERE number = ?")
    }

    /// The entry of the greatest write; nil if there is none.
    func entry(_ one: some Bindable, _ other: some Bindable) throws -> EntryKey? {
        let newest = try two.all(one, other) { (clock: $0.integer(0), entry: EntryKey($0.integer(1))) }
        guard let (clock, last) = newest.first else { return nil }
        // One statement is enough for nearly all: a page of names reads thousands.
        guard newest.count > 1, newest[1].clock == clock else { return last }
        var greatest = last
        var id: Bytes32?
        var key = last
        // The last entry of each log before it, in the order of the logs' numbers.
        while let before = try next.first(
            one,
            other,
            clock,
            EntryKey(log: key.log, sequence: 0),
            read: { EntryKey($0.integer(0)) }
        ) {
            let known = try id ?? self.id(of: greatest)
            let candidate = try self.id(of: before)
            if known < candidate { greatest = before }
            id = max(known, candidate)
            key = before
        }
        return greatest
    }

    private func id(of key: EntryKey) throws -> Bytes32 {
        guard let id = try log.first(key.log, read: { try $0.bytes32(0) }) else {
            throw StorageError.damaged("a log is missing")
        }
        return id
    }
}
