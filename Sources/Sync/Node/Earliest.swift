/// The earliest of the moments noted, in monotonic milliseconds; `.max`: none.
struct Earliest {
    private(set) var moment = UInt64.max

    mutating func note(_ other: UInt64) {
        moment = min(moment, other)
    }

    /// Notes a moment unless it is past.
    mutating func note(_ other: UInt64, after now: UInt64) {
        if other > now { note(other) }
    }
}
