internal import Entries
internal import GRDB
internal import Sodium

/// The interior nodes of a log's tree: stored ones, those of its tip, and the lowest, computed from the entries again.
struct TreeNodes {
    private let insert: Prepared
    private let one: Prepared
    private let leaves: Prepared
    private let work = Work()

    /// Bytes read and hashed so far: the lowest nodes are not stored, and come from the entries again.
    var hashedBytes: Int { work.hashedBytes }

    /// What an entry costs without its payload, a row and a hash, in bytes of a long one. A guess.
    private static let headerBytes = 256

    private final class Work {
        var hashedBytes = 0
    }

    init(_ db: Database) throws {
        insert = try Prepared(db, "INSERT INTO nodes (log, level, place, hash) VALUES (?, ?, ?, ?)")
        one = try Prepared(db, "SELECT hash FROM nodes WHERE log = ? AND level = ? AND place = ?")
        leaves = try Prepared(db, StoredEntry.span)
    }

    func store(_ node: Bytes32, at place: TreePlace, of log: Int64) throws {
        try insert.run(log, place.level, Int64(bitPattern: place.index), node)
    }

    /// The nodes that cover `range`, which ends at or before the stored end of the log.
    func covering(_ range: Range<UInt64>, of log: LogState) throws -> [Bytes32] {
        // The tip has the low nodes, not stored otherwise, at which most proofs end.
        let tip = Dictionary(
            zip(TreePlace.covering(log.tip.bounds), log.tip.nodes),
            uniquingKeysWith: { first, _ in first }
        )
        return try TreePlace.covering(range).map { place in
            if let node = tip[place] { return node }
            guard let node = try node(at: place, of: log) else {
                throw StorageError.damaged("a tree node is missing")
            }
            return node
        }
    }

    /// The tree root of the stored log at a size of at most its end.
    func root(at size: UInt64, of log: LogState) throws -> Bytes32 {
        guard let root = try range(0..<size, of: log).root else {
            throw StorageError.damaged("a log's tree does not fit its size")
        }
        return root
    }

    /// The compact range of the stored log over `bounds`, within its end; neither bound lies inside a gap.
    func range(_ bounds: Range<UInt64>, of log: LogState) throws -> LogRange {
        guard let range = LogRange(bounds: bounds, nodes: try covering(bounds, of: log)) else {
            throw StorageError.damaged("a log's tree does not fit its size")
        }
        return range
    }

    /// How much counts of a log whose state was computed since its history last changed.
    func standing(of log: LogState) throws -> Standing {
        var roots = log.size > 0 ? [log.size: log.root] : [:]
        return try standing(of: log, knowing: &roots)
    }

    /// How much of a log counts; `roots`, of its stored history by size, are not computed again, and others are added.
    func standing(of log: LogState, knowing roots: inout [UInt64: Bytes32]) throws -> Standing {
        try Standing(
            storedEnd: log.storedEnd,
            head: log.head?.size ?? 0,
            pending: log.pending,
            cut: log.cut,
            settled: log.settled
        ) { size in
            if let head = log.head, head.size == size { return head.root }
            if let known = roots[size] { return known }
            let root = try root(at: size, of: log)
            roots[size] = root
            return root
        }
    }

    /// The descendants of a place; nil if one of them is not known.
    func descendants(of place: TreePlace, in log: LogState) throws -> [Bytes32]? {
        guard place.level <= 32, place.index < 1 << 32, place.end <= log.storedEnd else { return nil }
        return try descendants(covering: place.start..<place.end, log, at: place.descendants)
    }

    private func descendants(
        covering range: Range<UInt64>,
        _ log: LogState,
        at places: [TreePlace]
    ) throws -> [Bytes32]? {
        let isWhole = log.gap.map { !$0.missing.bounds.overlaps(range) } ?? true
        guard places.first?.level == 0, isWhole else {
            var nodes: [Bytes32] = []
            for place in places {
                guard let node = try node(at: place, of: log) else { return nil }
                nodes.append(node)
            }
            return nodes
        }
        var ids: [Bytes32] = []
        try leaves.rows(log.key(range.lowerBound), log.key(range.upperBound)) { columns in
            ids.append(try leaf(columns, of: log))
            return .more
        }
        guard ids.count == places.count else { throw StorageError.damaged("an entry is missing") }
        return ids
    }

    /// The node at a place; nil if it lies in a gap, below the nodes kept of that.
    private func node(at place: TreePlace, of log: LogState) throws -> Bytes32? {
        // A node that ends behind the gap was stored when it was complete, like any other.
        guard let gap = log.gap?.missing, gap.bounds.overlaps(place.bounds),
            place.end <= gap.end || place.level < EntryLimits.lowestKeptLevel
        else { return try storedNode(at: place, of: log) }
        if place.start >= gap.start, place.end <= gap.end { return gap.node(at: place) }
        let (left, right) = place.halves
        guard let left = try node(at: left, of: log), let right = try node(at: right, of: log) else { return nil }
        return LogTreeHash.node(left, right)
    }

    private func leaf(_ columns: Columns, of log: LogState) throws -> Bytes32 {
        let entry = try StoredEntry(columns)
        work.hashedBytes += Self.headerBytes + (entry.payload?.count ?? 0)
        return entry.header(in: log.log).id.raw
    }

    private func storedNode(at place: TreePlace, of log: LogState) throws -> Bytes32 {
        if place.level >= EntryLimits.lowestKeptLevel {
            let node = try one.first(log.number, place.level, Int64(bitPattern: place.index)) { try $0.bytes32(0) }
            guard let node else { throw StorageError.damaged("a tree node is missing") }
            return node
        }
        var range = LogRange(at: place.start)
        try leaves.rows(log.key(place.start), log.key(place.end)) { columns in
            range.append(leaf: try leaf(columns, of: log))
            return .more
        }
        guard range.bounds.upperBound == place.end, let node = range.nodes.first else {
            throw StorageError.damaged("an entry is missing")
        }
        return node
    }
}
