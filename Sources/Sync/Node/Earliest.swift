/// The earliest of some moments, monotonic milliseconds; `.max` is none.
struct Earliest {
    private(set) var moment = UInt64.max

    mutating func note(_ other: UInt64) {
        moment = min(moment, other)
    }

    /// What is past counts for nothing.
    mutating func note(_ other: UInt64, after now: UInt64) {
        if other > now { note(other) }
    }
}
