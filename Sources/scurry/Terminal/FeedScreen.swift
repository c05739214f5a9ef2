/// The contents of one page of a feed, before it is drawn.
struct FeedScreen: Equatable, Sendable {
    /// `everybody`, `#cs193`, `people you follow`.
    var scope: SafeText
    /// `newest first`; a live tail goes on below the newest, so there it is `oldest first`.
    var order: SafeText = "newest first"
    /// `2 peers, synced 4 s ago`; nil where it does not matter.
    var peers: SafeText?
    var unread = 0
    var posts: [PostView]
    /// The command for a page like this one, without a cursor.
    var command: SafeText = "scurry feed"
    /// The short id that `--before` takes for the next page; nil at the end.
    var older: SafeText?
    /// The command for older posts, from before the given time; nil if there are none.
    var beforeThat: SafeText?
    /// Unread posts on the pages behind this one.
    var unreadBehind = 0
    /// The command for posts that this view leaves out; nil: there are none.
    var elsewhere: SafeText?
}

/// One post as it is shown.
struct PostView: Equatable, Sendable {
    struct Author: Equatable, Sendable {
        enum Relation: Sendable { case you, another }

        /// Made with `SafeText(name:)`, so that it cannot pass for a tag.
        var name: SafeText
        /// The tag without the `~`.
        var tag: SafeText
        var relation = Relation.another
    }

    enum Vote: Sendable { case up, down }

    /// The votes that count, the own one among them.
    struct Tally: Equatable, Sendable {
        var up = 0
        var down = 0
    }

    enum Reading: Sendable { case read, unread }

    enum State: Sendable {
        case normal, edited
        /// Deleted by its author: no text is left.
        case deleted
        /// The entry is verified, but its body has not arrived.
        case waitingForBody
        /// Its body gave way to the disk budget.
        case evicted
        /// Not due yet; only its author sees it.
        case future
        /// There is a reply to it, and nothing else is known.
        case stub
    }

    enum Role: Sendable {
        case usual
        /// The one that was named, on a page that begins with another.
        case askedFor
    }

    enum Version: Sendable {
        /// The post as it is, alone or with what it said before left out.
        case only
        /// In a history, the one in force.
        case current
        /// In a history, one that an edit replaced: votes and replies are the post's, and stand at the current one.
        case earlier
    }

    /// A prefix of the id, unique among what is shown.
    var id: SafeText
    var author: Author
    /// Without the `#`.
    var channels: [SafeText] = []
    /// Unix milliseconds.
    var time: UInt64
    var title: SafeText?
    /// Made with `SafeText(body:)`.
    var body: SafeText?
    var tally = Tally()
    var replies = 0
    var ownVote: Vote?
    var reading = Reading.read
    var state = State.normal
    var role = Role.usual
    var version = Version.only
}

/// A post and the replies below it, before they are drawn.
///
/// The rows are flat, since a chain of replies may be arbitrarily deep: each has its depth and is below its parent, and
/// replies to the first reply come before the second reply.
struct ThreadScreen: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        /// 0 for the post at the top.
        var depth: Int
        var post: PostView
        /// Replies below this one that are not among the rows.
        var undrawn = 0
    }

    var rows: [Row]
}
