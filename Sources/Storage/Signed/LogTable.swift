internal import Entries
internal import GRDB
internal import Sodium

/// The logs, by id and by number.
struct LogTable {
    /// The rows in memory; nil on a connection that does not write, or whose rows others write too.
    private let memory: LogMemory?
    private let byID: Late<Prepared>
    private let update: Late<Prepared>
    private let identities: Late<Identities>
    private let others: Late<Others>
    private let gaps: Late<GapTable>

    private static let select = "SELECT \(LogState.columns) FROM \(LogState.tables)"
    private static let selectByID = "\(select) WHERE logs.log = ?"
    private static let selectByNumber = "\(select) WHERE logs.number = ?"

    private struct Identities {
        let number: Prepared
        let insert: Prepared
    }

    private struct Others {
        let byNumber: Prepared
        let insert: Prepared
        let certificate: Prepared
        let ofIdentity: Prepared
        let delete: Prepared
    }

    init(_ db: Database, memory: LogMemory? = nil) {
        self.memory = memory
        byID = Late(db) { db in try Prepared(db, Self.selectByID) }
        update = Late(db) { db in
            try Prepared(
                db,
                """
                UPDATE logs SET size = ?, root = ?, carried = ?, head_size = ?, head_root = ?, head_signature = ?, \
                stored_end = ?, tip = ?, pending_size = ?, pending_root = ?, pending_signature = ?, time = ?, \
                change = ?, source = ?, cut = ?, cut_root = ?, settled_size = ?, settled_root = ?, complete = ?, \
                pending_right = ? WHERE number = ?
                """
            )
        }
        identities = Late(db) { db in
            Identities(
                number: try Prepared(db, "SELECT number FROM identities WHERE identity = ?"),
                insert: try Prepared(db, "INSERT INTO identities (identity) VALUES (?)")
            )
        }
        others = Late(db) { db in
            Others(
                byNumber: try Prepared(db, Self.selectByNumber),
                insert: try Prepared(db, "INSERT INTO logs (log, identity, certificate) VALUES (?, ?, ?)"),
                certificate: try Prepared(db, "SELECT certificate FROM logs WHERE number = ?"),
                ofIdentity: try Prepared(db, "SELECT number FROM logs WHERE identity = ? ORDER BY number"),
                delete: try Prepared(db, "DELETE FROM logs WHERE number = ?")
            )
        }
        gaps = Late(db, GapTable.init)
    }

    func log(_ id: LogID) throws -> LogState? {
        if let known = memory?[id] { return known }
        let log = try byID.get().first(id.raw) { try LogState($0) }
        if let log { memory?.keep(log) }
        return log
    }

    func log(number: Int64) throws -> LogState? {
        if let known = memory?[number: number] { return known }
        let log = try others.get().byNumber.first(number) { try LogState($0) }
        if let log { memory?.keep(log) }
        return log
    }

    /// Adds a log of which nothing is stored yet.
    func add(_ signed: SignedCertificate) throws -> LogState {
        let number = try number(of: signed.certificate.identity)
        let insert = try others.get().insert
        try insert.run(signed.log.raw, number, signed.bytes)
        return LogState(number: insert.insertedRow, identity: number, signed)
    }

    func write(_ log: LogState) throws {
        try update.get().run { row in
            row.add(Int64(bitPattern: log.size))
            row.add(log.size > 0 ? log.root : nil)
            row.add(Int64(log.carriage.rawValue))
            row.add(Int64(bitPattern: log.head?.size ?? 0))
            row.add(log.head?.root)
            row.add(log.head?.signature)
            row.add(Int64(bitPattern: log.storedEnd))
            row.add(nodes: log.tip.nodes)
            row.add(log.pending.map { Int64(bitPattern: $0.size) })
            row.add(log.pending?.head.root)
            row.add(log.pending?.head.signature)
            row.add(Int64(bitPattern: log.time))
            row.add(Int64(bitPattern: log.change))
            row.add(log.source?.raw)
            row.add(log.cut.map { Int64(bitPattern: $0.size) })
            row.add(log.cut?.root)
            row.add(log.settled.map { Int64(bitPattern: $0.size) })
            row.add(log.settled?.root)
            row.add(log.isComplete ? 1 : 0)
            if let right = log.pending?.right { row.add(nodes: right.nodes) } else { row.addNull() }
            row.add(log.number)
        }
        let isStored = try update.get().changes == 1
        if log.gap != log.storedGap {
            if let gap = log.gap {
                try gaps.get().write(gap, of: log.number)
            } else {
                try gaps.get().remove(of: log.number)
            }
        }
        var written = log
        written.noteStored()
        isStored ? memory?.keep(written) : memory?.forget(log)
    }

    /// Numbers of an identity's logs.
    func numbers(of identity: Int64) throws -> [Int64] {
        try others.get().ofIdentity.all(identity) { $0.integer(0) }
    }

    /// Removes a log of which nothing is stored any more.
    func remove(_ log: LogState) throws {
        memory?.forget(log)
        try gaps.get().remove(of: log.number)
        try others.get().delete.run(log.number)
    }

    /// - Throws: `StorageError.damaged`.
    func certificate(of number: Int64) throws -> SignedCertificate? {
        try others.get().certificate.first(number) { columns in
            do {
                return try SignedCertificate(trusting: columns.bytes(0))
            } catch {
                throw StorageError.damaged("a certificate cannot be read")
            }
        }
    }

    /// The number of an identity, assigned now if it has none.
    func number(of identity: IdentityID) throws -> Int64 {
        if let number = try number(ofKnown: identity) { return number }
        let insert = try identities.get().insert
        try insert.run(identity.raw)
        return insert.insertedRow
    }

    func number(ofKnown identity: IdentityID) throws -> Int64? {
        try identities.get().number.first(identity.raw) { $0.integer(0) }
    }
}
