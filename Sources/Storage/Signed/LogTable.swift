internal import Entries
internal import GRDB
internal import Sodium

/// The logs, by id and by number.
struct LogTable {
    private let byID: Prepared
    private let update: Prepared
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

    init(_ db: Database) throws {
        byID = try Prepared(db, Self.selectByID)
        update = try Prepared(
            db,
            """
            UPDATE logs SET size = ?, root = ?, carried = ?, head_size = ?, head_root = ?, head_signature = ?, \
            stored_end = ?, tip = ?, pending_size = ?, pending_root = ?, pending_signature = ?, time = ?, change = ?, \
            source = ?, cut = ?, cut_root = ?, settled_size = ?, settled_root = ?, complete = ?, \
            pending_right = ? WHERE number = ?
            """
        )
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
        try byID.first(id.raw) { try LogState($0) }
    }

    func log(number: Int64) throws -> LogState? {
        try others.get().byNumber.first(number) { try LogState($0) }
    }

    /// Adds a log of which nothing is stored yet.
    func add(_ signed: SignedCertificate) throws -> LogState {
        let number = try number(of: signed.certificate.identity)
        let insert = try others.get().insert
        try insert.run(signed.log.raw, number, signed.bytes)
        return LogState(number: insert.insertedRow, identity: number, signed)
    }

    func write(_ log: LogState) throws {
        try update.run(
            Int64(bitPattern: log.size),
            log.size > 0 ? log.root : nil,
            log.carriage.rawValue,
            Int64(bitPattern: log.head?.size ?? 0),
            log.head?.root,
            log.head?.signature.bytes,
            Int64(bitPattern: log.storedEnd),
            Self.bytes(log.tip),
            log.pending.map { Int64(bitPattern: $0.size) },
            log.pending?.head.root,
            log.pending?.head.signature.bytes,
            Int64(bitPattern: log.time),
            Int64(bitPattern: log.change),
            log.source?.raw,
            log.cut.map { Int64(bitPattern: $0.size) },
            log.cut?.root,
            log.settled.map { Int64(bitPattern: $0.size) },
            log.settled?.root,
            log.isComplete ? 1 : 0,
            log.pending.map { Self.bytes($0.right) },
            log.number
        )
        guard log.gap != log.storedGap else { return }
        if let gap = log.gap {
            try gaps.get().write(gap, of: log.number)
        } else {
            try gaps.get().remove(of: log.number)
        }
    }

    private static func bytes(_ range: LogRange) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.nodes.count * Bytes32.count)
        for node in range.nodes { node.withUnsafeBytes { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// Numbers of an identity's logs.
    func numbers(of identity: Int64) throws -> [Int64] {
        try others.get().ofIdentity.all(identity) { $0.integer(0) }
    }

    /// Removes a log of which nothing is stored any more.
    func remove(_ log: LogState) throws {
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
