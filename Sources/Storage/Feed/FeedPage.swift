package import Entries

/// A page of a feed.
package struct FeedPage: Hashable, Sendable {
    package let posts: [PostRow]
    /// Where the next page begins (`FeedQuery.beyond`); nil if this is the last.
    package let next: EntryID?
    /// The last arrival number assigned when the page was read: whatever arrives later has a greater one.
    package let arrival: UInt64
}

/// A page of posts in the order of their arrival.
package struct ArrivalPage: Hashable, Sendable {
    package let posts: [PostRow]
    /// The last arrival number examined, after which the next page begins.
    package let mark: UInt64
    /// Posts skipped, since they are not due yet.
    package let waiting: [WaitingPost]
}

/// A post that is not due yet: its author's clock is ahead, or the reader's is behind.
package struct WaitingPost: Hashable, Sendable {
    package let arrival: UInt64
    /// Unix milliseconds.
    package let time: UInt64
}

extension WaitingPost {
    init(_ spot: FeedSpot) {
        self.init(arrival: UInt64(clamping: spot.arrival), time: UInt64(clamping: spot.time))
    }
}
