import Entries
import Storage

/// The posts that a live tail showed last, each with the entry that held its text, so that an edit or a delete is
/// noticed.
struct WatchedPosts {
    /// Posts that are watched: each is read at every look (`ChangePace`). A guess.
    private static let countAtMost = 300

    private var posts: [(id: EntryID, source: EntryID)] = []

    /// What became of a post.
    struct Change {
        let id: EntryID
        /// The post as it is now, edited or deleted; nil if it is not here any more, as after the end of an account.
        let row: PostRow?
    }

    /// Begins with these posts, the one shown last at the end.
    init(_ rows: some Sequence<PostRow>) {
        add(rows)
    }

    /// Adds posts in the order in which they were shown; the first ones give way.
    mutating func add(_ rows: some Sequence<PostRow>) {
        let rows = rows.suffix(Self.countAtMost)
        let ids = Set(rows.map(\.id))
        posts.removeAll { ids.contains($0.id) }
        posts += rows.map { (id: $0.id, source: $0.source) }
        posts.removeFirst(max(0, posts.count - Self.countAtMost))
    }

    /// What was edited, deleted or lost since the last call, in the order in which it was shown.
    ///
    /// A text that comes late is none of it: the post arrives anew with it. Nor is an edit that is taken back, since a
    /// newer one whose text is still missing looks the same.
    mutating func changes(in store: StoreReader, reader: IdentityID?) throws(StorageError) -> [Change] {
        var changes: [Change] = []
        var kept: [(id: EntryID, source: EntryID)] = []
        for post in posts {
            let found = try store.post(post.id, reader: reader)
            guard let row = found, !row.isDeleted else {
                changes.append(Change(id: post.id, row: found))
                continue
            }
            let isNew = row.isEdited && row.source != post.source
            if isNew { changes.append(Change(id: post.id, row: row)) }
            kept.append((id: post.id, source: isNew ? row.source : post.source))
        }
        posts = kept
        return changes
    }
}

extension PostRow {
    /// The entry that holds the text; the post itself if there is none.
    fileprivate var source: EntryID {
        switch content {
        case .shown(let text): text.source
        case .wanted, .deleted: id
        }
    }
}
