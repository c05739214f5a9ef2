internal import Entries

/// How far a view was read, as an arrival number of the store.
package struct ReadMark: Hashable, Sendable {
    /// Posts that arrived up to here count as read.
    package let arrival: UInt64
    /// On later pages, posts that arrived up to here count as read: those after it, skipped or shown live, are new
    /// there.
    package let before: UInt64
    /// Runs of pages read besides, newest arrivals last; at most `StorageLimits.pageRunsPerView`.
    package var pages: [ReadPages] = []

    package init(arrival: UInt64, before: UInt64, pages: [ReadPages] = []) {
        self.arrival = arrival
        self.before = before
        self.pages = pages
    }
}

/// A position in the order of time, the newest being the greatest.
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

/// A run of pages from the newest post on: of the posts that arrived up to `arrival`, those at or above `last`.
package struct ReadPages: Hashable, Sendable {
    package let arrival: UInt64
    package let last: ReadPlace

    package init(arrival: UInt64, last: ReadPlace) {
        self.arrival = arrival
        self.last = last
    }

    /// Whether these pages hold all that the other ones hold.
    func holds(_ other: ReadPages) -> Bool { other.arrival <= arrival && last <= other.last }
}

/// The posts that a reader has read: up to an arrival, and on pages.
package struct ReadSoFar: Hashable, Sendable {
    package let arrival: UInt64
    package let pages: [ReadPages]

    package init(arrival: UInt64, pages: [ReadPages] = []) {
        self.arrival = arrival
        self.pages = pages
    }

    /// Everything.
    package static let all = ReadSoFar(arrival: .max)

    package func contains(_ row: PostRow) -> Bool {
        row.arrival <= arrival || pages.contains { row.arrival <= $0.arrival && ReadPlace(row) >= $0.last }
    }
}
