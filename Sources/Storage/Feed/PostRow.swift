package import Entries

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
    /// Whether the text is `wanted` no more: its body gave way to the disk budget.
    package let isEvicted: Bool
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

    package typealias Content = PostContent
    package typealias Text = PostContent.Text

    package var isEdited: Bool { content.isEdit(of: id) }
    package var isDeleted: Bool { content == .deleted }
}

/// One version of a post: the post itself, or an edit.
package struct PostVersion: Hashable, Sendable {
    package let id: EntryID
    package let time: UInt64
    package let clock: UInt64
    /// Nil: the body is not here.
    package let text: PostRow.Text?
    /// Whether the body that is not here gave way to the disk budget; else it has not come yet.
    package let isEvicted: Bool
}
