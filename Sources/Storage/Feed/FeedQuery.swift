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
