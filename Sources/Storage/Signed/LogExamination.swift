internal import Entries
internal import GRDB
internal import Sodium

/// Compares what is stored of a log with what its author signed.
///
/// SQLite has no checksums: a bit that the disk changed in a payload is read, shown and sent as if it were right, and
/// every peer refuses it.
struct LogExamination {
    private let network: NetworkID
    private let logs: LogTable
    private let words: WordTable
    private let rows: Prepared
    private let node: Prepared

    enum Outcome: Hashable {
        case sound(entries: UInt64)
        /// The entries before `first` are what was signed; of those from there on at least one is not, or what proves
        /// them is not.
        case damaged(first: UInt64)
        /// The time was over once so many entries had been found to be what was signed.
        case unfinished(entries: UInt64)
    }

    /// The tree over the entries read so far.
    private struct Walk {
        var range = LogRange()
        /// The entries that a stored node or root confirms.
        var confirmed: UInt64 = 0
        /// Entries read, which are fewer than those of the tree if there is a gap.
        var read: UInt64 = 0
        /// The roots of larger trees that are stored, ascending by size.
        var roots: ArraySlice<KnownRoot>
    }

    init(_ db: Database) throws {
        network = try HomeRow.read(db).network
        logs = LogTable(db)
        words = try WordTable(db)
        rows = try Prepared(db, StoredEntry.span)
        node = try Prepared(db, "SELECT hash FROM nodes WHERE log = ? AND level = ? AND place = ?")
    }

    /// Hashes all stored entries of a log, and verifies its certificate, heads and words.
    func outcome(of log: LogState, isOver: () -> Bool = { false }) throws -> Outcome {
        var walk = Walk(roots: roots(of: log))
        do {
            try checkHeads(of: log, by: certificate(of: log).certificate.device)
            guard try read(log, &walk, isOver) else { return .unfinished(entries: walk.read) }
            return .sound(entries: walk.read)
        } catch {
            guard case .damaged = StorageError(error) else { throw error }
            return .damaged(first: walk.confirmed)
        }
    }

    /// The certificate of a log, verified, as its words are.
    ///
    /// - Throws: `StorageError.damaged` if one of them is not what was signed.
    func certificate(of log: LogState) throws -> SignedCertificate {
        guard let stored = try logs.certificate(of: log.number)?.bytes,
            let signed = try? SignedCertificate(verifying: stored, network: network),
            signed.log == log.log, signed.certificate.identity == log.identityID
        else { throw StorageError.damaged("a certificate is not what was signed") }
        guard log.isJudged else { return signed }
        let said = try words.words(of: log.number)
        guard said.settlement?.settlement.known == log.settled, said.evidence?.cut == log.cut else {
            throw StorageError.damaged("a settlement or fork evidence is not what is stored of it")
        }
        if let settlement = said.settlement {
            guard settlement.settlement.log == log.log,
                (try? SignedSettlement(verifying: settlement.bytes, network: network)) != nil
            else { throw StorageError.damaged("a settlement is not what was signed") }
        }
        if let evidence = said.evidence {
            guard evidence.log == log.log, evidence.isProof(network: network, device: signed.certificate.device) else {
                throw StorageError.damaged("fork evidence is not what was signed")
            }
        }
        return signed
    }

    private func checkHeads(of log: LogState, by device: DeviceID) throws {
        let heads = [log.head, log.gap?.head, log.pending?.head].compactMap(\.self)
        guard heads.allSatisfy({ $0.isValid(network: network, device: device) }) else {
            throw StorageError.damaged("a head is not what was signed")
        }
        guard let pending = log.pending else { return }
        guard pending.right(after: log.tip)?.root == pending.head.root else { throw Self.difference }
    }

    /// The roots that are stored of the log's own history.
    private func roots(of log: LogState) -> ArraySlice<KnownRoot> {
        let heads = [log.head, log.gap?.head].compactMap(\.self).map { KnownRoot(size: $0.size, root: $0.root) }
        let counted = KnownRoot(size: log.size, root: log.root)
        let settled = log.isComplete ? [log.settled].compactMap(\.self) : []
        let all = (heads + [counted] + settled).filter { $0.size > 0 && log.knows($0.size) }
        return all.sorted()[...]
    }

    private static let difference = StorageError.damaged("an entry is not what was signed")

    /// Reads the entries of a log, hashes them, and compares the tree with all that is stored of it.
    ///
    /// - Returns: whether it came to the end before the time was over.
    /// - Throws: `StorageError.damaged` at the first difference.
    private func read(_ log: LogState, _ walk: inout Walk, _ isOver: () -> Bool) throws -> Bool {
        var isInTime = true
        for part in log.present(of: 0..<log.storedEnd) {
            try leap(to: part.lowerBound, log, &walk)
            try rows.rows(log.key(part.lowerBound), log.key(part.upperBound)) { columns in
                let entry = try StoredEntry(columns)
                guard entry.key.sequence == walk.range.bounds.upperBound else {
                    throw StorageError.damaged("an entry is missing")
                }
                try append(entry.header(in: log.log).id, of: log, &walk)
                if walk.read.isMultiple(of: StorageLimits.walkedRows), isOver() { isInTime = false }
                return isInTime ? .more : .enough
            }
            guard isInTime else { return false }
        }
        try leap(to: log.storedEnd, log, &walk)
        guard walk.range == log.tip else { throw Self.difference }
        return true
    }

    /// Passes over the gap if `place` lies behind it.
    private func leap(to place: UInt64, _ log: LogState, _ walk: inout Walk) throws {
        guard place > walk.range.bounds.upperBound else { return }
        guard let gap = log.gap?.missing, walk.range == gap.before, place >= gap.end, walk.range.append(gap.rest) else {
            throw StorageError.damaged("an entry is missing")
        }
        try compareRoots(&walk)
    }

    private func append(_ id: EntryID, of log: LogState, _ walk: inout Walk) throws {
        var completed: [TreeNode] = []
        walk.range.append(leaf: id.raw) { place, hash in
            if place.level >= EntryLimits.lowestKeptLevel { completed.append(TreeNode(place: place, hash: hash)) }
        }
        walk.read += 1
        for found in completed {
            let place = found.place
            let stored = try node.first(log.number, place.level, Int64(bitPattern: place.index)) { try $0.bytes32(0) }
            guard stored == found.hash else { throw Self.difference }
        }
        if !completed.isEmpty { walk.confirmed = walk.range.bounds.upperBound }
        try compareRoots(&walk)
    }

    private func compareRoots(_ walk: inout Walk) throws {
        while let known = walk.roots.first, known.size <= walk.range.bounds.upperBound {
            walk.roots.removeFirst()
            guard known.size == walk.range.bounds.upperBound, known.root == walk.range.root else {
                throw Self.difference
            }
            walk.confirmed = known.size
        }
    }
}
