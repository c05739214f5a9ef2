import Entries
import Sodium

/// The stored entries of a `LightLog`, with the tree over them and its compact range.
struct LightEntries {
    /// By sequence; nil within the gap.
    private(set) var list: [Entry?] = []
    private(set) var tip = LogRange()
    private var tree = LightTree()

    /// The first sequence that is not stored.
    var end: UInt64 { UInt64(list.count) }

    /// Nil within the gap, and beyond the end.
    func entry(_ sequence: UInt64) -> Entry? { sequence < end ? list[Int(sequence)] : nil }

    /// Nil if it is not known because of the gap, or lies beyond the end.
    func node(_ place: TreePlace) -> Bytes32? { tree.node(place) }

    /// Whether the entries of a chunk, behind the gap that it may leave, come next.
    func isContinued(by chunk: VerifiedChunk) -> Bool {
        var next = tip
        if let left = chunk.left, !next.append(left) { return false }
        guard next.bounds.upperBound == chunk.start else { return false }
        for entry in chunk.entries { next.append(leaf: entry.id.raw) }
        return next == chunk.tip
    }

    mutating func append(_ entry: Entry) {
        list.append(entry)
        tip.append(leaf: entry.id.raw)
        tree.append(leaf: entry.id.raw)
    }

    /// Appends a gap: its tree nodes without its entries.
    mutating func append(_ left: LogRange) {
        _ = tip.append(left)
        list += [Entry?](repeating: nil, count: left.bounds.count)
        tree.append(left)
    }

    /// Puts an entry into the gap.
    mutating func fill(_ entry: Entry) {
        let place = Int(entry.header.sequence)
        list[place] = entry
        tree.fill(place, with: entry.id.raw)
    }

    /// Drops the entries from `size` on; `gap` is the gap among those that are left.
    mutating func truncate(to size: UInt64, around gap: LogGap?) {
        let kept = list.prefix(Int(size))
        self = LightEntries()
        var next = 0
        while next < kept.count {
            if let gap, UInt64(next) == gap.start {
                append(gap.rest)
                next = Int(gap.end)
            } else if let entry = kept[next] {
                append(entry)
                next += 1
            } else {
                return
            }
        }
    }

    // MARK: Bodies

    mutating func withhold(_ sequence: UInt64) {
        guard let entry = entry(sequence) else { return }
        list[Int(sequence)] = Entry(withheld: entry.header)
    }

    /// Puts a body back; false if the entry is not here or its payload hash differs.
    mutating func restore(_ sequence: UInt64, _ payload: [UInt8]) -> Bool {
        guard let old = entry(sequence)?.header, PayloadHash(of: payload) == old.payloadHash else { return false }
        list[Int(sequence)] = Entry(
            version: old.version,
            flags: old.flags,
            kind: old.kind,
            log: old.log,
            sequence: sequence,
            time: old.time,
            clock: old.clock,
            payload: payload
        )
        return true
    }
}
