/// When the peers to dial are chosen again: after a change at once, else when the next dial may be due.
struct DialSchedule {
    /// Whether something changed since the choice was made, so that it may be another.
    private var isStale = true
    /// Monotonic milliseconds; `.max`: not before a change.
    private(set) var nextDue: UInt64 = .max

    func isDue(now: UInt64) -> Bool { isStale || now >= nextDue }

    /// Something changed on which the choice depends: it is made again with this event.
    mutating func invalidate() {
        isStale = true
    }

    /// The choice is made, and stands until then if nothing changes; nil: for ever.
    mutating func chosen(nextDue next: UInt64?) {
        isStale = false
        nextDue = next ?? .max
    }
}
