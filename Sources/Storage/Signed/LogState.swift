internal import Entries
internal import GRDB
internal import Sodium

/// A row of `logs`, while it is read or changed.
struct LogState {
    let number: Int64
    let log: LogID
    /// Number of the writer's identity.
    let identity: Int64
    let identityID: IdentityID
    /// Nil while nothing of it counts.
    var head: Head?
    /// Compact range of [0, stored end).
    var tip: LogRange
    /// The head that proves what is stored beyond `head`.
    var pending: Head?
    /// Time of the last entry that counts.
    var time: UInt64
    var change: UInt64
    var source: NodeID?

    var size: UInt64 { head?.size ?? 0 }
    var storedEnd: UInt64 { tip.bounds.upperBound }

    /// The row of the frontier; nil while nothing counts.
    var frontierRow: FrontierRow? {
        head.map { head in
            FrontierRow(
                identity: identityID,
                item: FrontierItem(log: log, size: head.size, root: head.root),
                time: time,
                number: change,
                source: source
            )
        }
    }

    func key(_ sequence: UInt64) -> EntryKey { EntryKey(log: number, sequence: sequence) }
}

extension LogState {
    static let columns = """
        logs.number, logs.log, logs.identity, identities.identity, logs.size, logs.root, logs.signature, \
        logs.stored_end, logs.tip, logs.pending_size, logs.pending_root, logs.pending_signature, logs.time, \
        logs.change, logs.source
        """
    static let tables = "logs JOIN identities ON identities.number = logs.identity"

    /// - Throws: `StorageError.damaged`.
    init(_ columns: Columns) throws {
        number = columns.integer(0)
        let log: LogID = try columns.id(1)
        self.log = log
        identity = columns.integer(2)
        identityID = try columns.id(3)
        head = try Self.head(of: log, columns, at: 4, 5, 6)
        let bytes = columns.bytes(8)
        var reader = ByteReader(bytes)
        var nodes: [Bytes32] = []
        while let node = reader.bytes32() { nodes.append(node) }
        let end = columns.bits(7)
        guard end <= EntryLimits.maximumLogEntries, (head?.size ?? 0) <= end,
            let tip = LogRange(bounds: 0..<end, nodes: nodes)
        else {
            throw StorageError.damaged("a log's tree does not fit its size")
        }
        self.tip = tip
        pending = try Self.head(of: log, columns, at: 9, 10, 11)
        time = columns.bits(12)
        change = columns.bits(13)
        source = columns.isNull(14) ? nil : try columns.id(14)
    }

    private static func head(
        of log: LogID,
        _ columns: Columns,
        at size: Int32,
        _ root: Int32,
        _ signature: Int32
    ) throws -> Head? {
        guard !columns.isNull(root) else { return nil }
        guard let signature = Signature(columns.bytes(signature)) else {
            throw StorageError.damaged("a signature is not 64 bytes")
        }
        return Head(log: log, size: columns.bits(size), root: try columns.bytes32(root), signature: signature)
    }
}

/// Logs by id.
struct LogTable {
    private let byID: Prepared
    private let byNumber: Prepared
    private let insert: Prepared
    private let update: Prepared
    private let certificate: Prepared
    private let identityNumber: Prepared
    private let insertIdentity: Prepared

    init(_ db: Database) throws {
        let select = "SELECT \(LogState.columns) FROM \(LogState.tables)"
        byID = try Prepared(db, "\(select) WHERE logs.log = ?")
        byNumber = try Prepared(db, "\(select) WHERE logs.number = ?")
        insert = try Prepared(db, "INSERT INTO logs (log, identity, certificate) VALUES (?, ?, ?)")
        update = try Prepared(
            db,
            """
            UPDATE logs SET size = ?, root = ?, signature = ?, stored_end = ?, tip = ?, pending_size = ?, \
            pending_root = ?, pending_signature = ?, time = ?, change = ?, source = ? WHERE number = ?
            """
        )
        certificate = try Prepared(db, "SELECT certificate FROM logs WHERE number = ?")
        identityNumber = try Prepared(db, "SELECT number FROM identities WHERE identity = ?")
        insertIdentity = try Prepared(db, "INSERT INTO identities (identity) VALUES (?)")
    }

    func log(_ id: LogID) throws -> LogState? {
        try byID.first(id.raw) { try LogState($0) }
    }

    func log(number: Int64) throws -> LogState? {
        try byNumber.first(number) { try LogState($0) }
    }

    /// A log of which nothing is stored yet.
    func add(_ signed: SignedCertificate) throws -> LogState {
        let identity = signed.certificate.identity
        let number = try number(of: identity)
        try insert.run(signed.log.raw, number, signed.bytes)
        return LogState(
            number: insert.insertedRow,
            log: signed.log,
            identity: number,
            identityID: identity,
            head: nil,
            tip: LogRange(),
            pending: nil,
            time: 0,
            change: 0,
            source: nil
        )
    }

    func write(_ log: LogState) throws {
        var tip: [UInt8] = []
        tip.reserveCapacity(log.tip.nodes.count * Bytes32.count)
        for node in log.tip.nodes { node.withUnsafeBytes { tip.append(contentsOf: $0) } }
        try update.run(
            Int64(bitPattern: log.size),
            log.head?.root,
            log.head?.signature.bytes,
            Int64(bitPattern: log.storedEnd),
            tip,
            log.pending.map { Int64(bitPattern: $0.size) },
            log.pending?.root,
            log.pending?.signature.bytes,
            Int64(bitPattern: log.time),
            Int64(bitPattern: log.change),
            log.source?.raw,
            log.number
        )
    }

    /// - Throws: `StorageError.damaged`.
    func certificate(of number: Int64) throws -> SignedCertificate? {
        try certificate.first(number) { columns in
            do {
                return try SignedCertificate(trusting: columns.bytes(0))
            } catch {
                throw StorageError.damaged("a certificate cannot be read")
            }
        }
    }

    /// The number of an identity, given now if it has none.
    func number(of identity: IdentityID) throws -> Int64 {
        if let number = try number(ofKnown: identity) { return number }
        try insertIdentity.run(identity.raw)
        return insertIdentity.insertedRow
    }

    func number(ofKnown identity: IdentityID) throws -> Int64? {
        try identityNumber.first(identity.raw) { $0.integer(0) }
    }
}
