/// How far a `LightLog` was scanned for missing bodies.
struct LightScan {
    /// Entries that count and were scanned.
    private var scanned: UInt64 = 0
    /// The first entry that filled a gap since the last scan; `UInt64.max`: none.
    private var filled = UInt64.max

    /// The sequences to scan now, as `size` entries count.
    mutating func next(upTo size: UInt64) -> Range<UInt64> {
        let from = min(scanned, size, filled)
        filled = .max
        scanned = size
        return from..<size
    }

    /// Entries filled a gap, from this one on.
    mutating func noteFilled(from first: UInt64) { filled = min(filled, first) }

    mutating func truncate(to size: UInt64) { scanned = min(scanned, size) }

    /// None of the entries counts any more.
    mutating func restart() { scanned = 0 }
}
