internal import Entries
internal import GRDB
internal import Sodium

/// Builds chunks straight from the rows, without hashes that the receiver computes anyway.
struct PackedRange {
    private let logs: LogTable
    private let nodes: TreeNodes
    private let rows: Prepared

    init(_ db: Database) throws {
        logs = LogTable(db)
        nodes = try TreeNodes(db)
        rows = try Prepared(db, StoredEntry.span)
    }

    /// Wire bytes of a chunk besides entries, certificate and nodes, rounded up.
    private static let frameBytes = 160

    /// Answers Wants in order until the byte limit, or until nodes of the trees cost too much; a log that cannot be
    /// read is answered as `lacking` and reported to `damaged`.
    ///
    /// A window of one entry may cost the hashes of 510 large bodies, which the byte limit does not see: others whose
    /// questions wait for this thread have their turn between.
    func answers(
        to wants: [RangeWant],
        byteLimit: Int,
        damaged: (StorageError) -> Void
    ) throws -> [RangeAnswer] {
        var (answers, used) = ([RangeAnswer](), 0)
        for want in wants where nodes.hashedBytes < StorageLimits.hashedBytesPerRead {
            do {
                guard let answer = try answer(to: want, byteLimit: byteLimit, &used) else { return answers }
                answers.append(answer)
            } catch {
                let failure = StorageError(error)
                guard case .damaged = failure else { throw failure }
                damaged(failure)
                answers.append(.lacking(want.log))
            }
        }
        return answers
    }

    /// The answer to one want; nil if not even one entry has room.
    private func answer(to want: RangeWant, byteLimit: Int, _ used: inout Int) throws -> RangeAnswer? {
        guard let log = try logs.log(want.log), let part = try part(want, of: log) else { return .lacking(want.log) }
        guard let chunk = try chunk(want, part, of: log, free: byteLimit - used, isFirst: used == 0) else { return nil }
        used +=
            chunk.entries.count + (chunk.left.count + chunk.right.count) * Bytes32.count
            + (chunk.certificate?.count ?? 0) + Self.frameBytes
        return .chunk(chunk)
    }

    /// The part of a log that answers a want.
    private struct Part {
        let entries: Range<UInt64>
        let proof: Proof
        /// The range that is left out before the entries.
        var left: LogRange?

        enum Proof {
            case of(Basis)
            /// The asker knows the root at `size`.
            case root(size: UInt64)
        }
    }

    /// The part that answers a want; nil if the first entry wanted is not here, or does not count.
    private func part(_ want: RangeWant, of log: LogState) throws -> Part? {
        guard want.from < log.size, let item = log.item, want.branch == .held || log.isComplete else { return nil }
        // A gap from the counted size on belongs to a window whose head is not complete, and is not shown yet.
        let gap = log.gap.map(\.missing).flatMap { $0.start < log.size ? $0 : nil }
        let basis = want.branch == .settled ? .known : Basis(of: item, head: log.head?.size ?? 0, cut: log.cut)
        let isUnproven = basis == .pending && log.pending == nil && log.cut != nil
        let isPresent = gap.map { !$0.bounds.contains(want.from) } ?? true
        // The answer ends at a gap that lies ahead.
        let end = gap.flatMap { want.from < $0.start ? $0.start : nil }
        switch want.extent {
        case .until(let until):
            guard isPresent, want.from < until, until <= log.size, log.knows(until) else { return nil }
            return Part(entries: want.from..<min(until, end ?? until), proof: .root(size: until))
        // Where the evidence alone proves what counts, a head of it would have to be shown (`protocol/log.md` §8).
        case .newest where isUnproven, .all where isUnproven: return nil
        case .newest(let count):
            let newest = log.size - min(count, log.size)
            let first = max(newest, gap.map { want.from < $0.end ? $0.end : 0 } ?? 0, want.from)
            guard first > want.from else { break }
            guard log.knows(want.from) else { return nil }
            let left = try nodes.range(want.from..<first, of: log)
            return Part(entries: first..<log.size, proof: .of(basis), left: left)
        case .all: break
        }
        return isPresent ? Part(entries: want.from..<(end ?? log.size), proof: .of(basis)) : nil
    }

    /// Builds the chunk; nil if not even one entry has room, unless it is the first of all.
    private func chunk(
        _ want: RangeWant,
        _ part: Part,
        of log: LogState,
        free: Int,
        isFirst: Bool
    ) throws -> UnverifiedChunk? {
        let certificate = want.certificate == .send ? try logs.certificate(of: log.number)?.bytes : nil
        let proofBytes = (64 + (part.left?.nodes.count ?? 0)) * Bytes32.count
        let room = free - Self.frameBytes - (certificate?.count ?? 0) - proofBytes
        var writer = ByteWriter(capacity: max(0, min(room, Self.usualBytes(part.entries))))
        var previousTime: UInt64 = 0
        let start = part.entries.lowerBound
        var end = start
        var isFull = false
        try rows.rows(log.key(start), log.key(part.entries.upperBound)) { columns in
            let entry = try StoredEntry(columns)
            let mayBeAlone = isFirst && end == start
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
        if end == start {
            guard isFull else { throw StorageError.damaged("an entry is missing") }
            return nil
        }
        let (proof, right) =
            switch part.proof {
            case .of(let basis): try proof(basis, of: log, from: end)
            case .root(let size): (.known, try nodes.range(end..<size, of: log))
            }
        var chunk = UnverifiedChunk(
            log: log.log,
            certificate: certificate,
            start: start,
            count: end - start,
            size: right.bounds.upperBound,
            proof: proof,
            entries: writer.bytes,
            right: right.nodes
        )
        chunk.left = part.left?.nodes ?? []
        return chunk
    }

    /// The proof of the entries before `end`, and the compact range to their right.
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

    /// The initial capacity for entries, as posts of a line or two, at most 128: most wants are for the newest entry
    /// of a log, and room for many would be fetched from the system each time.
    private static func usualBytes(_ entries: Range<UInt64>) -> Int { min(entries.count, 128) * 512 }

    /// The most that an entry takes when packed.
    private static func entryBytes(_ entry: StoredEntry) -> Int {
        32 + (entry.payload?.count ?? Bytes32.count)
    }
}
