import Entries

/// The bounds (after, through] of a page of the frontier; nil: the beginning, or the end.
struct PageBounds: Hashable {
    let after: LogID?
    let through: LogID?

    /// Whether the logs ascend and lie within the bounds.
    func hold(_ logs: [LogSize]) -> Bool {
        var last = after
        for item in logs {
            if let last, item.log <= last { return false }
            last = item.log
        }
        guard let last, let through else { return true }
        return last <= through
    }
}

struct ComparePage: Hashable {
    let page: UInt32
    let bounds: PageBounds
    let logs: [LogSize]
}

struct ComparisonAnswer: Hashable {
    let page: UInt32
    let logs: [LogSize]
}
