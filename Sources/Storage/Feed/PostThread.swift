package import Entries

/// A thread, as one page.
package struct PostThread: Hashable, Sendable {
    /// The opening post, then the others, oldest first.
    package let posts: [ThreadPost]
    package let extent: Extent

    package enum Extent: Hashable, Sendable {
        case whole
        /// Replies older than this one are left out: it is the oldest of `StorageLimits.threadPosts`.
        case newest(EntryID)
    }
}

/// A post of a thread, or the id of one that is missing.
package enum ThreadPost: Hashable, Sendable {
    case post(PostRow)
    /// Posts reply to it; the entry is unknown here, or is not a post.
    case missing(EntryID)
}
