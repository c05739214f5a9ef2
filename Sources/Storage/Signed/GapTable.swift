internal import Entries
internal import GRDB
internal import Sodium

/// The gaps of logs (`protocol/log.md` §6).
struct GapTable {
    private let write: Prepared
    private let drop: Prepared

    /// A gap as it is stored.
    struct Gap: Hashable {
        var missing: LogGap
        /// The head held when the gap came.
        let head: Head?
    }

    static let columns = """
        gaps.start, gaps.end, gaps.tip, gaps.rest, gaps.head_size, gaps.head_root, gaps.head_signature
        """

    init(_ db: Database) throws {
        write = try Prepared(
            db,
            """
            INSERT OR REPLACE INTO gaps (log, start, end, tip, rest, head_size, head_root, head_signature)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        drop = try Prepared(db, "DELETE FROM gaps WHERE log = ?")
    }

    /// Reads a gap from `columns`, the first of which is at `first`; nil for a log without a gap.
    ///
    /// - Throws: `StorageError.damaged`.
    static func gap(of log: LogID, _ columns: Columns, at first: Int32) throws -> Gap? {
        guard !columns.isNull(first) else { return nil }
        let (start, end) = (columns.bits(first), columns.bits(first + 1))
        guard start < end, let before = LogRange(bounds: 0..<start, nodes: columns.nodes(first + 2)),
            let rest = LogRange(bounds: start..<end, nodes: columns.nodes(first + 3)),
            let missing = LogGap(before: before, rest: rest)
        else { throw StorageError.damaged("a log's gap does not fit its place") }
        guard !columns.isNull(first + 4) else { return Gap(missing: missing, head: nil) }
        guard let signature = Signature(columns.bytes(first + 6)) else {
            throw StorageError.damaged("a signature is not 64 bytes")
        }
        let head = Head(
            log: log,
            size: columns.bits(first + 4),
            root: try columns.bytes32(first + 5),
            signature: signature
        )
        return Gap(missing: missing, head: head)
    }

    func write(_ gap: Gap, of log: Int64) throws {
        try write.run(
            log,
            Int64(bitPattern: gap.missing.start),
            Int64(bitPattern: gap.missing.end),
            gap.missing.before.nodes.flatMap(\.bytes),
            gap.missing.rest.nodes.flatMap(\.bytes),
            gap.head.map { Int64(bitPattern: $0.size) },
            gap.head?.root,
            gap.head?.signature.bytes
        )
    }

    func remove(of log: Int64) throws { try drop.run(log) }
}
