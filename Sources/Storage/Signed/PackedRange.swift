internal import Entries
internal import GRDB
internal import Sodium

/// Builds chunks straight from the rows: nothing is hashed that the receiver hashes anyway.
struct PackedRange {
    private let logs: LogTable
    private let nodes: TreeNodes
    private let rows: Prepared

    init(_ db: Database) throws {
        logs = try LogTable(db)
        nodes = try TreeNodes(db)
        rows = try Prepared(db, StoredEntry.span)
    }

    /// Bytes of a chunk besides entries, certificate and nodes, as the wire has it, rounded up.
    private static let frameBytes = 160

    func answers(to wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        var answers: [RangeAnswer] = []
        var used = 0
        for want in wants {
            guard let log = try logs.log(want.log), let head = log.head, want.from < head.size else {
                answers.append(.lacking(want.log))
                continue
            }
            guard let chunk = try chunk(want, of: log, under: head, free: byteLimit - used, isFirst: used == 0) else {
                break
            }
            used +=
                chunk.entries.count + chunk.right.count * Bytes32.count + (chunk.certificate?.count ?? 0)
                + Self.frameBytes
            answers.append(.chunk(chunk))
        }
        return answers
    }

    /// The chunk; nil if not even one entry has room, unless it is the first of all.
    private func chunk(
        _ want: RangeWant,
        of log: LogState,
        under head: Head,
        free: Int,
        isFirst: Bool
    ) throws -> UnverifiedChunk? {
        let certificate = want.certificate == .send ? try logs.certificate(of: log.number)?.bytes : nil
        let proofBytes = 64 * Bytes32.count
        let room = free - Self.frameBytes - (certificate?.count ?? 0) - proofBytes
        var writer = ByteWriter(capacity: max(0, min(room, 65_536)))
        var previousTime: UInt64 = 0
        var end = want.from
        var isFull = false
        try rows.rows(log.key(want.from), log.key(head.size)) { columns in
            let entry = try StoredEntry(columns)
            let mayBeAlone = isFirst && end == want.from
            let bytes = Self.entryBytes(entry)
            guard entry.key.sequence == end else { throw StorageError.damaged("an entry is missing") }
            guard writer.bytes.count + bytes <= room || mayBeAlone else {
                isFull = true
                return .enough
            }
            let (header, body) = entry.packable()
            EntryCoding.append(header, body, after: &previousTime, to: &writer)
            end += 1
            return .more
        }
        if end == want.from {
            guard isFull else { throw StorageError.damaged("an entry is missing") }
            return nil
        }
        return UnverifiedChunk(
            log: log.log,
            certificate: certificate,
            start: want.from,
            count: end - want.from,
            size: head.size,
            signature: head.signature,
            entries: writer.bytes,
            right: try nodes.covering(end..<head.size, of: log)
        )
    }

    /// What an entry takes at most.
    private static func entryBytes(_ entry: StoredEntry) -> Int {
        32 + (entry.payload?.count ?? Bytes32.count)
    }
}
