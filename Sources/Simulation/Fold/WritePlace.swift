package import Entries

/// Place of a write in the order that decides its register: the greatest wins (`protocol/fold.md` §3).
///
/// Ordered by folded clock, log id, sequence number, and index in the entry.
package struct WritePlace: Hashable, Sendable {
    /// Folded clock, at most `EntryLimits.maximumClock`.
    package let clock: UInt64
    package let log: LogID
    package let sequence: UInt64
    /// Index of the choice within the entry, from 0.
    package let place: Int

    package init(header: EntryHeader, place: Int = 0) {
        clock = header.foldedClock
        log = header.log
        sequence = header.sequence
        self.place = place
    }
}

extension WritePlace: Comparable {
    package static func < (left: Self, right: Self) -> Bool {
        if left.clock != right.clock { return left.clock < right.clock }
        if left.log != right.log { return left.log < right.log }
        if left.sequence != right.sequence { return left.sequence < right.sequence }
        return left.place < right.place
    }
}

/// A last-writer-wins register: the value of the write in the greatest place.
package struct Register<Value: Hashable & Sendable>: Hashable, Sendable {
    package private(set) var place: WritePlace
    package private(set) var value: Value

    package init(_ value: Value, at place: WritePlace) {
        self.place = place
        self.value = value
    }

    /// Takes over a write in a greater place; ignores any other.
    package mutating func join(_ other: Register) {
        if other.place > place { self = other }
    }
}
