import Entries

/// The settled history of a `LightLog` while a different one is stored.
struct LightSide {
    private(set) var range: LogRange
    /// The sequence of the first entry that differs from the stored one.
    let first: UInt64
    /// From `first` on.
    private(set) var entries: [Entry] = []

    /// Before the first difference both are the same.
    init(prefix: LogRange, first: UInt64) {
        range = prefix
        self.first = first
    }

    /// Appends a chunk; false if it does not continue this history.
    mutating func append(_ chunk: VerifiedChunk) -> Bool {
        guard chunk.start == range.bounds.upperBound else { return false }
        var longer = range
        for entry in chunk.entries { longer.append(leaf: entry.id.raw) }
        guard longer == chunk.tip else { return false }
        entries += chunk.entries.map { $0.header.isErasable ? Entry(withheld: $0.header) : $0 }
        range = longer
        return true
    }
}
