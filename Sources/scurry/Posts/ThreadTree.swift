import Entries
import Storage

/// Puts the posts of a thread below each other, as their replies name them.
///
/// Whoever writes replies may name anything as a parent: what hangs on nothing, or on itself, is left out.
struct ThreadTree {
    private let posts: [EntryID: ThreadPost]
    /// In the order of the thread: oldest first.
    private let replies: [EntryID: [EntryID]]

    init(_ thread: [ThreadPost]) {
        var posts: [EntryID: ThreadPost] = [:]
        var replies: [EntryID: [EntryID]] = [:]
        for post in thread {
            posts[post.id] = post
            if case .post(let row) = post, let reply = row.reply { replies[reply.parent, default: []].append(row.id) }
        }
        self.posts = posts
        self.replies = replies
    }

    struct Row {
        let depth: Int
        let id: EntryID
        /// Nil: not here yet.
        let post: PostRow?
    }

    /// A post and everything below it, each below its parent; deep chains need no deep stack.
    func rows(from top: EntryID) -> [Row] {
        var rows: [Row] = []
        var seen: Set<EntryID> = []
        var waiting: [(id: EntryID, depth: Int)] = [(top, 0)]
        while let next = waiting.popLast() {
            guard seen.insert(next.id).inserted else { continue }
            rows.append(Row(depth: next.depth, id: next.id, post: posts[next.id]?.row))
            for reply in (replies[next.id] ?? []).reversed() { waiting.append((reply, next.depth + 1)) }
        }
        return rows
    }
}

extension ThreadPost {
    var id: EntryID {
        switch self {
        case .post(let row): row.id
        case .missing(let id): id
        }
    }

    var row: PostRow? {
        switch self {
        case .post(let row): row
        case .missing: nil
        }
    }
}
