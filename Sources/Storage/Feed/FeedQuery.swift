package import Entries

/// Selects the posts of a feed's page.
package struct FeedQuery: Hashable, Sendable {
    /// Only posts in one of these channels; empty: in any or none.
    package var channels: [Channel] = []
    package var authors: Authors = .everybody
    /// Only posts of this time or later, Unix milliseconds.
    package var since: UInt64?
    /// Only posts after this one in the chosen order; any known post will do, a deleted one too.
    package var beyond: EntryID?
    package var order: Order = .newestFirst
    package var replies: Replies = .included
    /// Posts on the page, at most `StorageLimits.feedPagePosts`.
    package var limit: Int = 20
    /// Present time, Unix milliseconds: a later post is shown to its author alone.
    package var now: UInt64
    /// The reader's identity; nil on a node without a person.
    package var reader: IdentityID?

    package enum Authors: Hashable, Sendable {
        case everybody
        case one(IdentityID)
        /// The identities that an identity follows.
        case followed(by: IdentityID)
    }

    package enum Order: Hashable, Sendable {
        /// Folded time descending, then id ascending.
        case newestFirst
        /// Exactly the reverse.
        case oldestFirst
    }

    package enum Replies: Hashable, Sendable {
        case included
        /// Replies are left out.
        case left
    }

    package init(now: UInt64, reader: IdentityID?) {
        self.now = now
        self.reader = reader
    }
}

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

/// A post as a reader sees it, with its tallies.
package struct PostRow: Hashable, Sendable {
    package let id: EntryID
    package let log: LogID
    package let sequence: UInt64
    package let identity: IdentityID
    /// The author's present name; nil: never given, or not here.
    package let author: String?
    /// Folded, Unix milliseconds.
    package let time: UInt64
    /// Folded.
    package let clock: UInt64
    package let content: Content
    package let channels: [Channel]
    package let reply: Post.Reply?
    package let up: Int
    package let down: Int
    /// The reader's own vote.
    package let vote: Vote.Value
    /// Posts that name this one as their parent.
    package let replies: Int
    /// The arrival number, which grows with every post that comes in, and with every body that comes later; 0 for a
    /// deleted post. A post is unread while this exceeds a reader's mark.
    package let arrival: UInt64

    package enum Content: Hashable, Sendable {
        case shown(Text)
        /// The body is not here yet.
        case wanted
        case deleted
    }

    package struct Text: Hashable, Sendable {
        package let text: String
        package let title: String
        /// The entry that holds the text: the post, or an edit of it.
        package let source: EntryID
    }

    package var isEdited: Bool {
        switch content {
        case .shown(let text): text.source != id
        case .wanted, .deleted: false
        }
    }

    package var isDeleted: Bool { content == .deleted }
}

/// One version of a post: the post itself, or an edit.
package struct PostVersion: Hashable, Sendable {
    package let id: EntryID
    package let time: UInt64
    package let clock: UInt64
    /// Nil: the body is not here yet.
    package let text: PostRow.Text?
}

/// A thread, as one page.
package struct PostThread: Hashable, Sendable {
    /// The opening post, then the others, oldest first.
    package let posts: [ThreadPost]
    package let extent: Extent

    package enum Extent: Hashable, Sendable {
        case whole
        /// Older replies, beyond `StorageLimits.threadPosts`, are left out.
        case newest
    }
}

/// A post of a thread, or the id of one that is missing.
package enum ThreadPost: Hashable, Sendable {
    case post(PostRow)
    /// Posts reply to it; the entry is unknown here, or is not a post.
    case missing(EntryID)
}
