internal import Entries

/// How far a view was read, as an arrival number of the store.
package struct ReadMark: Hashable, Sendable {
    /// All that arrived up to here counts as read.
    package let arrival: UInt64
    /// The same, but for what was counted as read without having been on a page: on later pages that is still new to the reader.
    package let before: UInt64
    /// What was on pages besides, newest arrivals last; at most `ReaderFile.pagesAtMost`.
    package var pages: [ReadPages] = []

    package init(arrival: UInt64, before: UInt64, pages: [ReadPages] = []) {
        self.arrival = arrival
        self.before = before
        self.pages = pages
    }
}

/// A place in the order of time, the newest having the greatest.
package struct ReadPlace: Hashable, Comparable, Sendable {
    /// Folded, Unix milliseconds.
    package let time: UInt64
    /// Tells posts of the same millisecond apart.
    package let tie: Int64

    package init(time: UInt64, tie: Int64) {
        self.time = time
        self.tie = tie
    }

    package init(_ row: PostRow) {
        self.init(time: row.time, tie: row.id.tie)
    }

    package static func < (left: Self, right: Self) -> Bool { (left.time, left.tie) < (right.time, right.tie) }
}

/// Pages that follow each other from the newest post on: of what arrived up to a number, all that stands at a place or above it.
package struct ReadPages: Hashable, Sendable {
    package let arrival: UInt64
    package let last: ReadPlace

    package init(arrival: UInt64, last: ReadPlace) {
        self.arrival = arrival
        self.last = last
    }

    /// Whether all that the other ones hold is on these, too.
    func holds(_ other: ReadPages) -> Bool { other.arrival <= arrival && last <= other.last }
}

/// What somebody has read: up to an arrival, and what was on pages.
package struct ReadSoFar: Hashable, Sendable {
    package let arrival: UInt64
    package let pages: [ReadPages]

    package init(arrival: UInt64, pages: [ReadPages] = []) {
        self.arrival = arrival
        self.pages = pages
    }

    /// All that is here.
    package static let all = ReadSoFar(arrival: .max)

    package func contains(_ row: PostRow) -> Bool {
        row.arrival <= arrival || pages.contains { row.arrival <= $0.arrival && ReadPlace(row) >= $0.last }
    }
}
