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
            guard let log = try logs.log(want.log), want.from < log.size, let item = log.item,
                want.branch == .held || log.isComplete
            else {
                answers.append(.lacking(want.log))
                continue
            }
            let basis = want.branch == .settled ? .known : Basis(of: item, head: log.head?.size ?? 0, cut: log.cut)
            guard let chunk = try chunk(want, of: log, under: basis, free: byteLimit - used, isFirst: used == 0) else {
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
        under basis: Basis,
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
        try rows.rows(log.key(want.from), log.key(log.size)) { columns in
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
        let (proof, right) = try proof(basis, of: log, from: end)
        return UnverifiedChunk(
            log: log.log,
            certificate: certificate,
            start: want.from,
            count: end - want.from,
            size: right.bounds.upperBound,
            proof: proof,
            entries: writer.bytes,
            right: right.nodes
        )
    }

    /// What proves the entries before `end`, and what stands to their right.
    private func proof(_ basis: Basis, of log: LogState, from end: UInt64) throws -> (ChunkProof, LogRange) {
        switch basis {
        case .known: return (.known, try nodes.range(end..<log.size, of: log))
        case .head:
            if let head = log.head { return (.head(head.signature), try nodes.range(end..<head.size, of: log)) }
        case .pending:
            let stored = try nodes.range(end..<log.storedEnd, of: log)
            if let pending = log.pending, let right = pending.right(after: stored) {
                return (.head(pending.head.signature), right)
            }
        }
        throw StorageError.damaged("a log counts more than it proves")
    }

    /// What an entry takes at most.
    private static func entryBytes(_ entry: StoredEntry) -> Int {
        32 + (entry.payload?.count ?? Bytes32.count)
    }
}
