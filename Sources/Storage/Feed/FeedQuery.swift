package import Entries

/// Which posts a page of a feed shows.
package struct FeedQuery: Hashable, Sendable {
    /// Only posts in one of these channels; empty: in any or none.
    package var channels: [Channel] = []
    package var authors: Authors = .everybody
    /// Only posts of this time or later, Unix milliseconds.
    package var since: UInt64?
    /// Only what stands behind this post in the chosen order; any known post will do, also one that was deleted.
    package var beyond: EntryID?
    package var order: Order = .newestFirst
    package var replies: Replies = .included
    /// Posts on the page, at most `StorageLimits.feedPagePosts`.
    package var limit: Int = 20
    /// Unix milliseconds: a later post is shown to its author alone.
    package var now: UInt64
    /// Who reads; nil on a node without a person.
    package var reader: IdentityID?

    package enum Authors: Hashable, Sendable {
        case everybody
        case one(IdentityID)
        /// Those whom an identity follows.
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
}

/// Posts in the order in which they came in.
package struct ArrivalPage: Hashable, Sendable {
    package let posts: [PostRow]
    /// Everything up to here was looked at: where the next page begins.
    package let mark: UInt64
    /// What was passed over: it is not due yet.
    package let waiting: [WaitingPost]
}

/// A post that is here before its time: its author's clock is ahead, or the reader's is behind.
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

/// A post as a reader sees it, with what was made of it by others.
package struct PostRow: Hashable, Sendable {
    package let id: EntryID
    package let log: LogID
    package let sequence: UInt64
    package let identity: IdentityID
    /// The author's name now; nil: never given, or not here.
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
    /// Counts up with every post that comes in, and with every body that comes later; 0 for a deleted post. A post is unread while this
    /// exceeds a reader's mark.
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
        /// The entry that the text stands in: the post, or an edit of it.
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

/// What a post said at one time.
package struct PostVersion: Hashable, Sendable {
    package let id: EntryID
    package let time: UInt64
    package let clock: UInt64
    /// Nil: the body is not here yet.
    package let text: PostRow.Text?
}

/// A thread as it is read at once.
package struct PostThread: Hashable, Sendable {
    /// What opened it, then the others, oldest first.
    package let posts: [ThreadPost]
    package let extent: Extent

    package enum Extent: Hashable, Sendable {
        case whole
        /// There are older replies than `StorageLimits.threadPosts`.
        case newest
    }
}

/// A place in a thread: a post that is here, or the name of one that is not.
package enum ThreadPost: Hashable, Sendable {
    case post(PostRow)
    /// Others reply to it; the entry is unknown here, or is no post.
    case missing(EntryID)
}
