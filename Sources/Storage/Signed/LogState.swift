internal import Entries
internal import GRDB
internal import Sodium

/// A row of `logs` and its gap, in memory.
struct LogState: Hashable {
    let number: Int64
    let log: LogID
    /// Number of the writer's identity.
    let identity: Int64
    let identityID: IdentityID
    /// The certificate's serial, which orders the logs of an identity (`Carriage`).
    let serial: UInt64
    /// Number of counted entries (`protocol/log.md` §8): those in the frontier item, folded, announced and served.
    private(set) var size: UInt64
    /// Tree root at `size`; 32 zero bytes at 0.
    private(set) var root: Bytes32
    /// The greatest head of the device whose last entry is stored.
    var head: Head?
    /// Compact range of [0, stored end).
    var tip: LogRange
    /// The head that proves what is stored beyond `head`.
    var pending: PendingHead?
    /// Whether the log is carried (`protocol/identity.md` §6); of logs that are not, only the own one is kept.
    private(set) var carriage: Carried
    /// The cut of the fork evidence; kept, and of no effect, while the log is complete.
    var cut: KnownRoot?
    /// Size and root of the settlement.
    var settled: KnownRoot?
    /// Whether the stored history has the settled root at the settled size.
    private(set) var isComplete = false
    /// The gap in the entries up to the stored end.
    var gap: GapTable.Gap?
    /// The gap as it is in the file.
    let storedGap: GapTable.Gap?
    /// `reach` as it is in the file.
    private(set) var storedReach: UInt64 = 0
    /// Time of the last entry that counts.
    var time: UInt64
    var change: UInt64
    var source: NodeID?

    enum Carried: Int {
        case forgotten = 0
        case carried = 1
    }

    var storedEnd: UInt64 { tip.bounds.upperBound }
    /// The end of the counted entries before the gap: up to there an export has the log.
    var reach: UInt64 { min(size, gap?.missing.start ?? size) }
    var candidate: Carriage.Candidate {
        Carriage.Candidate(serial: serial, log: log, end: settled == nil ? .open : .settled)
    }

    /// Whether the log is judged: it has words, that is fork evidence or a settlement.
    var isJudged: Bool { cut != nil || settled != nil }
    var hasItem: Bool { carriage == .carried && (size > 0 || isJudged) }
    /// The ceiling (`protocol/log.md` §8): nothing at or beyond it is asked for, announced or served.
    var ceiling: UInt64 {
        isComplete ? size : Standing.ceiling(cut: cut, settled: settled)
    }

    /// Offers up to this size bring nothing: that much is held, or no more is asked for.
    var heldSize: UInt64 {
        if isComplete || settled == nil && cut.map({ size >= $0.size }) ?? false { return UInt64(Int64.max) }
        return settled == nil ? size : 0
    }

    /// Whether a peer that offers this size may have entries that are missing here.
    ///
    /// The simulation's `LightLog.lacks` says the same, but for an offer of 0: of a log whose settled history is
    /// missing it lacks that, and this does not, being a comparison that SQL makes as well, with `heldSize`.
    func lacks(_ offered: UInt64) -> Bool { heldSize < offered }

    /// Counts the entries that the head covers.
    mutating func count() {
        carriage = .carried
        size = head?.size ?? 0
        root = head?.root ?? .zero
    }

    /// The row was written.
    mutating func noteStored() { storedReach = reach }

    /// Counts the entries that count by heads, evidence and settlement.
    mutating func count(_ standing: Standing) {
        carriage = .carried
        size = standing.size
        root = standing.root
        isComplete = standing.isComplete
    }

    /// Counts nothing: the identity has 16 logs before this one, or its account ended.
    mutating func discount() {
        carriage = .forgotten
        size = 0
        root = .zero
        time = 0
        isComplete = false
    }

    /// The prefix over which a chunk of the log is verified; `side` is that of `SideTable`.
    func prefix(_ certificate: SignedCertificate?, side: LogRange?) -> LogPrefix {
        LogPrefix(
            certificate: certificate,
            range: tip,
            cut: cut,
            settled: settled,
            side: side,
            gap: gap?.missing
        )
    }

    /// The row of the frontier; nil without an item.
    var frontierRow: FrontierRow? {
        guard let item else { return nil }
        return FrontierRow(
            identity: identityID,
            item: item,
            time: time,
            number: change,
            source: source
        )
    }

    var item: FrontierItem? {
        guard carriage == .carried else { return nil }
        return FrontierItem(counting: size, root: root, of: log, cut: cut, settled: settled, isComplete: isComplete)
    }

    /// The parts of `range` outside the gap; `range` ends at most at the stored end.
    func present(of range: Range<UInt64>) -> [Range<UInt64>] {
        guard !range.isEmpty else { return [] }
        return gap?.missing.present(of: range) ?? [range]
    }

    /// Whether the tree at this size is known: it is stored, and does not end inside the gap.
    func knows(_ place: UInt64) -> Bool {
        place <= storedEnd && gap?.missing.knows(place) ?? true
    }

    func key(_ sequence: UInt64) -> EntryKey { EntryKey(log: number, sequence: sequence) }
}

extension LogState {
    /// SQL counts bytes from 1.
    private static let serialColumn = """
        substr(logs.certificate, \(Certificate.serialRange.lowerBound + 1), \(Certificate.serialRange.count))
        """
    static let columns = """
        logs.number, logs.log, logs.identity, identities.identity, logs.head_size, logs.head_root, \
        logs.head_signature, logs.stored_end, logs.tip, logs.pending_size, logs.pending_root, \
        logs.pending_signature, logs.time, logs.change, logs.source, \
        \(serialColumn), logs.size, logs.root, logs.carried, logs.cut, logs.cut_root, \
        logs.settled_size, logs.settled_root, logs.complete, logs.pending_right, \(GapTable.columns)
        """
    static let tables = """
        logs JOIN identities ON identities.number = logs.identity LEFT JOIN gaps ON gaps.log = logs.number
        """

    /// - Throws: `StorageError.damaged`.
    init(_ columns: Columns) throws {
        number = columns.integer(0)
        let log: LogID = try columns.id(1)
        self.log = log
        identity = columns.integer(2)
        identityID = try columns.id(3)
        head = try Self.head(of: log, columns, at: 4, 5, 6)
        let end = columns.bits(7)
        guard end <= EntryLimits.maximumLogEntries, (head?.size ?? 0) <= end,
            let tip = LogRange(bounds: 0..<end, nodes: columns.nodes(8))
        else {
            throw StorageError.damaged("a log's tree does not fit its size")
        }
        self.tip = tip
        pending = try Self.head(of: log, columns, at: 9, 10, 11).map { head in
            guard end < head.size, let right = LogRange(bounds: end..<head.size, nodes: columns.nodes(24)) else {
                throw StorageError.damaged("a log's tree does not fit its size")
            }
            return PendingHead(head: head, right: right)
        }
        time = columns.bits(12)
        change = columns.bits(13)
        source = columns.isNull(14) ? nil : try columns.id(14)
        serial = columns.withBytes(15) { $0.reduce(0) { $0 << 8 | UInt64($1) } }
        size = columns.bits(16)
        root = columns.isNull(17) ? .zero : try columns.bytes32(17)
        guard let carriage = Carried(rawValue: columns.count(18)), size <= end else {
            throw StorageError.damaged("a log counts more than it holds")
        }
        self.carriage = carriage
        cut = try Self.known(columns, at: 19, 20)
        settled = try Self.known(columns, at: 21, 22)
        isComplete = columns.integer(23) != 0
        storedGap = try GapTable.gap(of: log, columns, at: 25)
        gap = storedGap
        if let gap, gap.missing.end > end { throw StorageError.damaged("a log's gap does not fit its place") }
        storedReach = reach
    }

    private static func known(_ columns: Columns, at size: Int32, _ root: Int32) throws -> KnownRoot? {
        columns.isNull(size) ? nil : KnownRoot(size: columns.bits(size), root: try columns.bytes32(root))
    }

    /// A log of which nothing is stored yet.
    init(number: Int64, identity: Int64, _ certificate: SignedCertificate) {
        self.number = number
        log = certificate.log
        self.identity = identity
        identityID = certificate.certificate.identity
        serial = certificate.certificate.serial
        size = 0
        root = .zero
        head = nil
        tip = LogRange()
        pending = nil
        carriage = .carried
        time = 0
        change = 0
        source = nil
        storedGap = nil
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
